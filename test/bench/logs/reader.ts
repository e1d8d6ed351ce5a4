// `node reader.ts NAMESPACE LABEL [warm]`: follows the logs of all containers in the pods labeled `bench=LABEL` to
// their ends, as the log terminal does. With `warm`, it first reads them several times, so that the JIT compiler
// has run.
import { once } from "node:events";
import { followLogs } from "../../../src/engine/logs/followLogs.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import { renderRecord, wholeView } from "../../../src/spark/logs/logView.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { connectTo, openTestClusters } from "../../cluster/testConnection.ts";
import { StallWatch } from "../pods/stallWatch.ts";
import { clockOfStamp } from "../../../src/base/timeOfDay.ts";

const [namespace = "", label = "", warm] = process.argv.slice(2);
const warmRounds = warm === undefined ? 0 : 4;
const clusters = openTestClusters();
const { logs, objects } = await connectTo(clusters, process.env["KUBECONFIG"] ?? "");
const listed = await objects.list(
  { apiVersion: "v1", kind: "Pod" },
  namespace,
  `bench=${label}`,
  AbortSignal.timeout(20_000),
);
if (!listed.ok) throw new Error(listed.error.detail);
const pods = listed.value.flatMap(({ body }) => decodePod(body) ?? []);
const words = { late: "late", moreLines: () => "", clock: clockOfStamp, sameTrace: () => "" };
const stalls = new StallWatch();
// Resident set size before any log is followed.
const idle = process.memoryUsage.rss();
let largest = idle;
setInterval(() => {
  largest = Math.max(largest, process.memoryUsage.rss());
}, 200).unref();
let before = process.cpuUsage();
let late = 0;
const report = (): never => {
  const { user, system } = process.cpuUsage(before);
  const { ms, computedMs } = stalls.longest;
  process.stderr.write(
    `stall ${ms} computed ${computedMs ?? ""} cpu ${(user + system) / 1e6} grown ${largest - idle} late ${late}\n`,
  );
  process.exit(0);
};
// The bench sends SIGTERM after 10 s without output, if the logs have not ended.
process.once("SIGTERM", report);
for (let round = 0; round < warmRounds; round += 1) await readAll(false);
before = process.cpuUsage();
await readAll(true);
clusters.dispose();
report();

async function readAll(isShown: boolean): Promise<void> {
  const ended = new Set<string>();
  const follow = followLogs(
    {
      clock: systemClock,
      random: Math.random,
      log: { error: console.error, debug: () => undefined, warn: () => undefined },
    },
    {
      records: async (records) => {
        let text = "";
        let number = 0;
        for (const { source, record, isLate } of records) {
          const shown = { number: (number += 1), source, record, isLate, same: undefined };
          if (isLate) late += 1;
          text += renderRecord(shown, { text: source, color: 36 }, wholeView, false, words);
        }
        if (isShown && !process.stdout.write(text)) await once(process.stdout, "drain");
      },
      notice: () => undefined,
      ended: (id) => {
        ended.add(id);
      },
    },
  );
  let count = 0;
  for (const pod of pods) {
    for (const { name } of pod.containers) {
      count += 1;
      follow.join({
        id: `${pod.name}/${name}`,
        logs,
        target: { namespace, pod: pod.name, container: name },
        tailLines: undefined,
        hasEnded: () => (pod.phase === "Succeeded" ? true : undefined),
      });
    }
  }
  while (ended.size < count) await systemClock.sleep(20, new AbortController().signal);
  follow.dispose();
}
