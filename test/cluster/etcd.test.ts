// Restarts etcd, the API server's store, while pods change. Afterwards the watched pods must equal those in the
// cluster.
import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { PodStore } from "../../src/engine/watch/podStore.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { startReflector, type Reflector } from "../../src/engine/watch/reflector.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { podsOf } from "../../src/spark/pods/podSnapshot.ts";
import type { PodRecord } from "../../src/spark/pods/podRecord.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { eventually } from "../host/eventually.ts";
import { requireCluster } from "./requireCluster.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, restartEtcd } = requireCluster();
const namespace = `spark-k8s-etcd-${process.pid}`;
const soon = (): AbortSignal => AbortSignal.timeout(60_000);
const plain = { dryRun: false, charset: false };
const at = (index: number): string => `exec-${index}`;

// No scheduler with this name exists, so the pods stay pending and need no node.
const podManifest = (name: string): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { "spark-role": "executor", "spark-app-selector": "spark-1" } },
  spec: {
    schedulerName: "nobody",
    terminationGracePeriodSeconds: 0,
    containers: [{ name: "main", image: "none" }],
  },
});

describe("the API server's store restarted", { timeout: 300_000 }, () => {
  let clusters: Clusters;
  let connection: Connection;
  let own: TestNamespace;
  let store: PodStore;
  let reflector: Reflector;

  before(async () => {
    clusters = openTestClusters();
    connection = await connectTo(clusters, kubeconfig);
    own = await makeTestNamespace(connection, namespace);
    const log = { debug: () => undefined, warn: console.warn, error: console.error };
    const options = { clock: systemClock, random: Math.random, log };
    store = new PodStore(options);
    const selection = { namespace, labelSelector: "spark-role=executor" };
    reflector = startReflector(connection.pods, selection, store, options);
  });
  after(async () => {
    reflector.dispose();
    store.dispose();
    await reflector.done;
    await own.remove();
    clusters.dispose();
  });

  const words = (pods: Iterable<PodRecord>): readonly string[] =>
    Array.from(
      pods,
      ({ name, uid, resourceVersion }) => `${name} ${uid} ${resourceVersion}`,
    ).sort();
  const held = async (): Promise<readonly string[] | undefined> => {
    const selection = { namespace, labelSelector: "spark-role=executor" };
    const request = { ...selection, resourceVersion: undefined, limit: 500 };
    const page = await connection.pods.listPods({ ...request, continueToken: undefined }, soon());
    return page.ok ? words(page.value.pods) : undefined;
  };

  let made = 0;
  /** Creates pods and deletes one of three until `signal` aborts. Ignores errors from the server. */
  const change = async (signal: AbortSignal): Promise<void> => {
    for (let index = 0; !signal.aborted; index += 1) {
      const { objects } = connection;
      const created = await objects.create(namespace, podManifest(at(index)), plain, soon());
      if (created.ok) made += 1;
      if (index % 3 === 2) {
        const pod = { apiVersion: "v1", kind: "Pod", namespace, name: at(index - 1) };
        const wholly = { uid: undefined, propagationPolicy: undefined, gracePeriodSeconds: 0 };
        await objects.delete(pod, wholly, soon());
      }
      await wait(20);
    }
  };
  const untilMade = (count: number): Promise<unknown> =>
    eventually(
      `${count} pods`,
      () => Promise.resolve(made),
      (so) => so >= count,
      60_000,
    );

  test(
    "the store equals the cluster after a restart in the middle of changes",
    { skip: restartEtcd === undefined },
    async (t) => {
      await eventually(
        "the first list",
        () => Promise.resolve(store.freshness.kind),
        (kind) => kind === "live",
      );
      const stop = new AbortController();
      const changing = change(stop.signal);
      await untilMade(20);
      await promisify(exec)(restartEtcd ?? "");
      await untilMade(made + 20);
      stop.abort();
      await changing;
      const there = await eventually("the server's answer", held, (found) => found !== undefined);
      const back = Date.now();
      await eventually(
        "the same pods, in the same versions",
        () => Promise.resolve(words(podsOf(store.snapshot))),
        (found) => JSON.stringify(found) === JSON.stringify(there),
      );
      t.diagnostic(`${made} pods made, the same ${Date.now() - back} ms after the server's answer`);
      assert.equal(store.freshness.kind, "live");
    },
  );
});
