// `node --expose-gc reader.ts ours|informer|json|messages NAMESPACE COUNT`: reads all executor pods of a namespace.
// Prints a line of JSON for the first complete model, and one for the updates so far at each line of its input.
import { KubeConfig, CoreV1Api, makeInformer } from "@kubernetes/client-node";
import { get } from "node:https";
import { disposable } from "../../../src/base/disposable.ts";
import { ClusterSession } from "../../../src/editor/apps/clusterSession.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import { sparkPodSelector } from "../../../src/spark/labels.ts";
import { sumOf } from "../../../src/spark/pods/executorPods.ts";
import { openTestClusters } from "../../cluster/testConnection.ts";
import { realServer } from "../../contract/kubeApi/runAll.ts";
import { StallWatch } from "./stallWatch.ts";
import { DrawnTree } from "./drawnTree.ts";
import { sentLabel } from "./sentLabel.ts";

const [, , who = "", namespace = "", expected = "0"] = process.argv;
const count = Number(expected);
const kubeconfig = process.env["KUBECONFIG"] ?? "";
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const collectGarbage = globalThis.gc ?? (() => undefined);

collectGarbage();
const before = process.memoryUsage();
const stalls = new StallWatch();

const streamedList =
  "&watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
const began = performance.now();
let isFirstModel = true;
let latencies: number[] = [];
const seen = (sentAt: string | undefined): void => {
  if (sentAt !== undefined) latencies.push(Date.now() - Number(sentAt));
};

function tellModel(pods: number): void {
  const ms = performance.now() - began;
  const rss = process.memoryUsage().rss;
  const stall = stalls.longest;
  const peak = process.resourceUsage().maxRSS * 1024;
  collectGarbage();
  const heap = process.memoryUsage().heapUsed - before.heapUsed;
  say({ kind: "model", pods, ms, stall, rss: rss - before.rss, peak: peak - before.rss, heap });
  stalls.reset();
  latencies = [];
}

process.stdin.on("data", () => {
  const stall = stalls.longest;
  collectGarbage();
  const heap = process.memoryUsage().heapUsed - before.heapUsed;
  say({ kind: "updates", latencies, stall, heap });
  stalls.reset();
  latencies = [];
});
process.stdin.on("end", () => {
  stalls.stop();
  process.exit(0);
});

switch (who) {
  case "ours":
    readWithOurs();
    break;
  case "informer":
    await readWithInformer();
    break;
  case "json":
    await readBytes("application/json", "");
    break;
  default:
    await readBytes("application/vnd.kubernetes.protobuf", streamedList);
}

function readWithOurs(): void {
  const log = { debug: () => undefined, warn: console.error, error: console.error };
  const session = new ClusterSession({
    ...{ clock: systemClock, random: Math.random },
    log: { ...log, show: () => undefined, dispose: () => undefined },
    loadClusters: () => Promise.resolve(openTestClusters()),
    clusterSettings: () => ({ kubeconfigFiles: [kubeconfig], mayRunPlugins: true }),
    chosenContext: () => undefined,
    chosenNamespaces: () => [namespace],
    furtherContexts: () => ({}),
    watchFiles: () => disposable(() => undefined),
  });
  const tree = new DrawnTree(session);
  session.onDidChange((change) => {
    tree.update(change).then((apart) => {
      for (const { pod } of apart) seen(pod.labels[sentLabel]);
    }, console.error);
    const pods = session.applications.reduce((sum, one) => sum + sumOf(one.counts), 0);
    if (!isFirstModel || pods < count) return;
    isFirstModel = false;
    // Report after this callback, so that only the session references the pods when the heap is measured.
    setImmediate(() => {
      tellModel(pods);
    });
  });
  session.start();
}

/** Reads the bytes without parsing them, to measure only the API server and the connection. */
async function readBytes(accept: string, query: string): Promise<void> {
  const { url, ca, token } = await realServer();
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(sparkPodSelector)}${query}`;
  const headers = { authorization: `Bearer ${token}`, accept };
  const mark = Buffer.from("k8s.io/initial-events-end");
  await new Promise<void>((resolve, reject) => {
    const options = { headers, ...(ca && { ca }) };
    const asked = get(new URL(path, url), options, (answer) => {
      answer.on("data", (chunk: Buffer) => {
        if (query !== "" && chunk.includes(mark)) resolve();
      });
      answer.on("end", resolve);
    });
    asked.on("error", reject);
  });
  tellModel(count);
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
