// A server on its own worker thread, which keeps writing while the reading thread is busy. It posts its port, and a
// message when everything is written.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { podJson, watchLine } from "./podJson.ts";

/** Number of pods that change in each round and are never deleted. */
export const stayingPods = 30;
/** Number of pods that are added, fail and are deleted, one pod after another. */
export const passingPods = 40;
const rounds = 200;
export const versionsARound = 10;

/** The final resourceVersion of the pods that are never deleted. */
export const lastVersion = (rounds + 1) * versionsARound;

const eventsOf = (round: number): string => {
  const version = String(round * versionsARound);
  const staying = Array.from({ length: stayingPods }, (_, index) =>
    watchLine(round === 1 ? "ADDED" : "MODIFIED", podJson(`stays-${index}`, version)),
  );
  // A pod's life takes five rounds, less than any pause of the subscriber.
  const [index, step] = [Math.floor(round / 5), round % 5];
  const name = `passes-${index}`;
  const steps = [
    watchLine("ADDED", podJson(name, version)),
    watchLine("MODIFIED", podJson(name, version, "", { phase: "Failed" })),
    "",
    watchLine("DELETED", podJson(name, version, "", { phase: "Failed" })),
  ];
  return staying.join("") + (index < passingPods ? (steps[step] ?? "") : "");
};

async function talk(stream: ServerResponse): Promise<void> {
  stream.writeHead(200, { "content-type": "application/json" });
  const annotations = { "k8s.io/initial-events-end": "true" };
  stream.write(watchLine("BOOKMARK", { metadata: { resourceVersion: "1", annotations } }));
  for (let round = 1; round <= rounds + 1; round += 1) {
    stream.write(eventsOf(round));
    await wait(4);
  }
  parentPort?.postMessage("said all");
}

if (parentPort) {
  const server = createServer((_request, response) => void talk(response));
  server.listen(0, "127.0.0.1", () => {
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}
