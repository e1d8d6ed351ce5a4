// `node --expose-gc sender.ts NAMESPACE IMAGE FILE`: streams a file into a pod as a submission does. Runs in its own
// process and prints a SenderReport as JSON.
import { writeFile } from "node:fs/promises";
import { ok } from "../../../src/base/result.ts";
import type { ExecItem, PodExec } from "../../../src/engine/ports/channels.ts";
import { sendCode } from "../../../src/engine/submit/sendCode.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import type { SentFile } from "../../../src/spark/submit/code/sentCode.ts";
import { codeCollector } from "../../../src/storage/code/codeCollector.ts";
import { connectTo, openTestClusters } from "../../cluster/testConnection.ts";
import { StallWatch } from "../pods/stallWatch.ts";
import { createPod, deletePod, receiverPod } from "./receivers.ts";

export interface SenderReport {
  /** From the start of the transfer to the end of the receiving program, which verifies the files. */
  readonly seconds: number;
  /** From the end of the receiving program until the API server reports the success of the init container. */
  readonly releaseSeconds: number;
  readonly bytes: number;
  /** Growth of the resident set size, at its maximum. */
  readonly grownBytes: number;
  /** The longest time for which the event loop was blocked, as CPU time where the system reports it. */
  readonly computedMs: number;
}

const [namespace = "", image = "", file = ""] = process.argv.slice(2);
const clusters = openTestClusters();
const connection = await connectTo(clusters, process.env["KUBECONFIG"] ?? "");

// Warm-up: the first stream compiles the JavaScript and fills the connection and buffer pools.
const small = `${file}.small`;
await writeFile(small, Buffer.alloc(16 << 20, 1));
await send(small, "warm");
(globalThis as { gc?: () => void }).gc?.();
const before = process.memoryUsage.rss();
let largest = before;
const sampling = setInterval(() => {
  largest = Math.max(largest, process.memoryUsage.rss());
}, 20);
const stalls = new StallWatch();
const { seconds, releaseSeconds, bytes } = await send(file, "measured");
clearInterval(sampling);
stalls.stop();
const report: SenderReport = {
  seconds,
  releaseSeconds,
  bytes,
  grownBytes: largest - before,
  computedMs: stalls.longest.computedMs ?? stalls.longest.ms,
};
console.log(JSON.stringify(report));
clusters.dispose();

async function send(
  path: string,
  name: string,
): Promise<Pick<SenderReport, "seconds" | "releaseSeconds" | "bytes">> {
  const files = await collected(path);
  const pod = await createPod(
    connection,
    namespace,
    receiverPod(`${name}-${process.pid}`, image, "stream"),
  );
  await untilWaiting(pod.name);
  let total = 0;
  let receivedAt = 0;
  const exec: PodExec = {
    start: async (request, signal) => {
      const started = await connection.exec.start(request, signal);
      if (!started.ok) return started;
      const session = started.value;
      const items = untilEnd(session.items, () => {
        receivedAt = performance.now();
      });
      return ok({
        items,
        canCloseInput: session.canCloseInput,
        write: (chunk) => session.write(chunk),
        closeInput: () => {
          session.closeInput();
        },
        type: (text) => {
          session.type(text);
        },
        resize: (size) => {
          session.resize(size);
        },
        dispose: () => {
          session.dispose();
        },
      });
    },
  };
  const start = performance.now();
  const end = await sendCode(
    pod,
    files,
    {
      objects: connection.objects,
      exec,
      collector: codeCollector,
      clock: systemClock,
    },
    {
      waiting: () => undefined,
      sent: (sent) => {
        total = sent;
      },
    },
    AbortSignal.timeout(600_000),
  );
  if (!end.ok) throw new Error(JSON.stringify(end.error));
  const releaseSeconds = (performance.now() - receivedAt) / 1000;
  await deletePod(connection, pod);
  return { seconds: (receivedAt - start) / 1000, releaseSeconds, bytes: total };
}

async function* untilEnd(
  items: AsyncIterable<ExecItem>,
  ended: () => void,
): AsyncGenerator<ExecItem> {
  for await (const item of items) {
    if (item.kind !== "output") ended();
    yield item;
  }
}

async function collected(path: string): Promise<readonly SentFile[]> {
  const request = { main: path, isPython: false, dependencies: [] };
  const rules = { root: "/", include: [], exclude: [] };
  const sent = await codeCollector.collect(request, rules, AbortSignal.timeout(60_000));
  if (!sent.ok) throw new Error(sent.error.detail);
  return sent.value.files;
}

async function untilWaiting(name: string): Promise<void> {
  const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
  for (;;) {
    const read = await connection.objects.read(reference, AbortSignal.timeout(30_000));
    if (!read.ok) throw new Error(read.error.detail);
    if (JSON.stringify(read.value.body).includes('"running":{')) return;
    await systemClock.sleep(50, new AbortController().signal);
  }
}
