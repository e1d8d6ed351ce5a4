// `node reader.ts NAMESPACE LABEL`: follows all containers of the pods with the label, as a terminal does, to their ends.
import { once } from "node:events";
import { followLogs } from "../../../src/engine/followLogs.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import { renderRecord, wholeView } from "../../../src/spark/logs/logView.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { connectTo, openTestClusters } from "../../cluster/testConnection.ts";
import { StallWatch } from "../stalls.ts";

const [namespace = "", label = ""] = process.argv.slice(2);
const clusters = openTestClusters();
const { logs, objects } = await connectTo(clusters, process.env["KUBECONFIG"] ?? "");
const listed = await objects.list(
  { apiVersion: "v1", kind: "Pod" },
  namespace,
  `bench=${label}`,
  AbortSignal.timeout(20_000),
);
if (!listed.ok) throw new Error(listed.error.detail);
const words = { late: "late", moreLines: () => "", sameTrace: () => "" };
const ended = new Set<string>();
const stalls = new StallWatch();
const follow = followLogs(
  {
    logs,
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
        text += renderRecord(shown, { text: source, color: 36 }, wholeView, false, words);
      }
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    },
    notice: () => undefined,
    ended: (id) => {
      ended.add(id);
    },
  },
);
// What the editor's own process is before any log is followed.
const idle = process.memoryUsage.rss();
let largest = idle;
setInterval(() => {
  largest = Math.max(largest, process.memoryUsage.rss());
}, 200).unref();
const before = process.cpuUsage();
let count = 0;
for (const { body } of listed.value) {
  const pod = decodePod(body);
  for (const { name } of pod?.containers ?? []) {
    count += 1;
    follow.join({
      id: `${pod?.name}/${name}`,
      target: { namespace, pod: pod?.name ?? "", container: name },
      tailLines: undefined,
      hasEnded: () => (pod?.phase === "Succeeded" ? true : undefined),
    });
  }
}
const report = (): never => {
  const { user, system } = process.cpuUsage(before);
  const { ms, computedMs } = stalls.longest;
  process.stderr.write(
    `stall ${ms} computed ${computedMs ?? ""} cpu ${(user + system) / 1e6} grown ${largest - idle}\n`,
  );
  process.exit(0);
};
// Containers that go on writing are followed until the bench has seen enough.
process.once("SIGTERM", report);
while (ended.size < count) await systemClock.sleep(20, new AbortController().signal);
follow.dispose();
clusters.dispose();
report();
