// One reader of all executor pods of a namespace, in a process of its own: `reader.ts ours|informer NAMESPACE`.
// Tells on its standard output, a line of JSON each, when it has the first model and what updates it has seen.
import { KubeConfig, CoreV1Api, makeInformer } from "@kubernetes/client-node";
import { inTurns } from "../../../src/engine/inTurns.ts";
import { PodStore } from "../../../src/engine/podStore.ts";
import { startReflector } from "../../../src/engine/reflector.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import { emptyModel, updateApplications } from "../../../src/spark/pods/applications.ts";
import { sparkPodSelector } from "../../../src/spark/labels.ts";
import { sentLabel } from "./sentLabel.ts";
import { connectTo, openTestClusters } from "../../cluster/testConnection.ts";

const [, , who = "", namespace = "", expected = "0"] = process.argv;
const count = Number(expected);
const kubeconfig = process.env["KUBECONFIG"] ?? "";
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const collectGarbage = globalThis.gc ?? (() => undefined);

collectGarbage();
const before = process.memoryUsage();
let longest = 0;
let lastTick = performance.now();
const pulse = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - lastTick - 1);
  lastTick = now;
}, 1);

const began = performance.now();
let latencies: number[] = [];
const seen = (sentAt: string | undefined): void => {
  if (sentAt !== undefined) latencies.push(Date.now() - Number(sentAt));
};

function tellModel(pods: number): void {
  const ms = performance.now() - began;
  const rss = process.memoryUsage().rss;
  const stallMs = longest;
  const peak = process.resourceUsage().maxRSS * 1024;
  collectGarbage();
  const heap = process.memoryUsage().heapUsed - before.heapUsed;
  say({ kind: "model", pods, ms, stallMs, rss: rss - before.rss, peak: peak - before.rss, heap });
  lastTick = performance.now();
  longest = 0;
  latencies = [];
}

process.stdin.on("data", () => {
  collectGarbage();
  const heap = process.memoryUsage().heapUsed - before.heapUsed;
  say({ kind: "updates", latencies, stallMs: longest, heap });
});
process.stdin.on("end", () => {
  clearInterval(pulse);
  process.exit(0);
});

if (who === "ours") await readWithOurs();
else await readWithInformer();

async function readWithOurs(): Promise<void> {
  const { pods } = await connectTo(openTestClusters(), kubeconfig);
  const log = { debug: () => undefined, warn: console.error, error: console.error };
  const store = new PodStore({ clock: systemClock, log });
  let model = emptyModel;
  let isFirst = true;
  store.subscribe(
    async (delivery) => {
      for await (const changes of inTurns(delivery.changes())) {
        model = updateApplications(model, changes).model;
        if (!isFirst) for (const { after } of changes.modified) seen(after.labels[sentLabel]);
      }
      if (!isFirst || delivery.snapshot.size < count) return;
      isFirst = false;
      // Only now, so that the pods are held by nothing but the model and the store.
      setImmediate(() => {
        tellModel(store.snapshot.size);
      });
    },
    { intervalMs: 100 },
  );
  const selection = { namespace, labelSelector: sparkPodSelector };
  startReflector(pods, selection, store, {
    clock: systemClock,
    random: Math.random,
    log,
  });
}

async function readWithInformer(): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const labelSelector = sparkPodSelector;
  const informer = makeInformer(
    config,
    `/api/v1/namespaces/${namespace}/pods`,
    () => api.listNamespacedPod({ namespace, labelSelector }),
    labelSelector,
  );
  informer.on("update", (pod) => {
    seen(pod.metadata?.labels?.[sentLabel]);
  });
  await informer.start();
  tellModel(informer.list().length);
}
