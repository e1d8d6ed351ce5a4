// The ports of the engine against a real API server and a real kubelet.
import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { parseKubeconfigYaml } from "../../src/cluster/kubeconfig/kubeconfigYaml.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import type { LogRequest } from "../../src/engine/ports/logs.ts";
import type { PodWatchEvent } from "../../src/engine/ports/pods.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { collect, collectLog, errorOf, valueOf } from "../contract/rig.ts";
import { requireCluster } from "./requireCluster.ts";
import { openTestPlace, type TestPlace } from "./testPlace.ts";
import { connectTo } from "./testConnection.ts";

const { kubeconfig, image, restartApiServer } = requireCluster();
const namespace = `spark-k8s-api-${process.pid}`;
const nobody = "spark-k8s-nobody";

const soon = (ms = 60_000): AbortSignal => AbortSignal.timeout(ms);
const plain = { dryRun: false, charset: false };
const asSpark = { ...plain, fieldManager: "fabric8", force: true };
const wholly = { uid: undefined, propagationPolicy: undefined, gracePeriodSeconds: 0 };

const podManifest = (name: string, script: string): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { "spark-role": "executor" } },
  spec: {
    restartPolicy: "Never",
    serviceAccountName: "spark",
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: "main",
        image,
        imagePullPolicy: "IfNotPresent",
        command: ["/bin/sh", "-c", script],
        resources: { requests: { cpu: "10m" } },
      },
    ],
  },
});

const service: Manifest = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "svc" },
  spec: { clusterIP: "None", ports: [{ name: "ui", port: 4040 }], selector: { a: "b" } },
};

describe("a real API server", { timeout: 300_000 }, () => {
  let place: TestPlace;
  let connection: Connection;

  const reference = (manifest: Manifest) => ({
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    namespace,
    name: manifest.metadata.name,
  });
  const logOf = (pod: string, more: Partial<LogRequest> = {}): LogRequest => ({
    namespace,
    pod,
    container: "main",
    follow: true,
    previous: false,
    tailLines: undefined,
    sinceTime: undefined,
    ...more,
  });
  const phaseOf = async (name: string): Promise<string | undefined> => {
    const request = { namespace, labelSelector: "", resourceVersion: undefined, limit: 100 };
    const page = await connection.pods.listPods({ ...request, continueToken: undefined }, soon());
    return valueOf(page).pods.find((pod) => pod.name === name)?.phase;
  };

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ connection } = place);
  });

  after(async () => {
    await place.close();
  });

  test("lists in pages and rejects an invalid continue token", async () => {
    for (const name of ["page-a", "page-b", "page-c"]) {
      valueOf(
        await connection.objects.create(namespace, podManifest(name, "sleep 60"), plain, soon()),
      );
    }
    const request = {
      namespace,
      labelSelector: "spark-role in (driver,executor)",
      resourceVersion: undefined,
      limit: 2,
    };
    const first = valueOf(
      await connection.pods.listPods({ ...request, continueToken: undefined }, soon()),
    );
    const { continueToken } = first;
    const second = valueOf(await connection.pods.listPods({ ...request, continueToken }, soon()));
    const names = [...first.pods, ...second.pods].map(({ name }) => name);
    assert.deepEqual(names, ["page-a", "page-b", "page-c"]);
    assert.equal(second.resourceVersion, first.resourceVersion);
    assert.equal(second.continueToken, undefined);
    const bad = await connection.pods.listPods({ ...request, continueToken: "bad" }, soon());
    assert.equal(errorOf(bad).kind, "invalid");
    const future = { ...request, resourceVersion: "999999999999", continueToken: undefined };
    assert.equal(errorOf(await connection.pods.listPods(future, soon())).kind, "expired");
    for (const name of names) {
      const target = { apiVersion: "v1", kind: "Pod", namespace, name };
      valueOf(await connection.objects.delete(target, wholly, soon()));
    }
  });

  test("streams the existing pods, then events with bookmarks", async () => {
    const manifest = podManifest("watched", "sleep 60");
    const created = valueOf(await connection.objects.create(namespace, manifest, plain, soon()));
    const stop = new AbortController();
    const events: PodWatchEvent[] = [];
    const request = {
      namespace,
      labelSelector: "spark-role=executor",
      resourceVersion: undefined,
      sendInitialEvents: true,
      timeoutSeconds: 60,
    };
    let afterInitial = 0;
    await assert.rejects(
      async () => {
        for await (const item of connection.pods.watchPods(request, stop.signal)) {
          assert.ok(item.kind === "events", JSON.stringify(item));
          events.push(...item.events);
          const end = item.events.some((one) => one.kind === "bookmark" && one.initialEventsEnd);
          if (end) {
            afterInitial = events.length;
            const deleted = { ...wholly, uid: created.uid };
            valueOf(await connection.objects.delete(reference(manifest), deleted, soon()));
          }
          if (events.at(-1)?.kind === "deleted") stop.abort();
        }
      },
      { name: "AbortError" },
    );
    const initial = events.slice(0, afterInitial);
    assert.ok(initial.some((one) => one.kind === "added" && one.pod.uid === created.uid));
    const gone = events.at(-1);
    assert.ok(gone?.kind === "deleted" && gone.pod.uid === created.uid);
  });

  test("a watch with a timeout is closed by the server without an error", async () => {
    const request = { namespace, labelSelector: "", limit: 1, continueToken: undefined };
    const page = valueOf(
      await connection.pods.listPods({ ...request, resourceVersion: undefined }, soon()),
    );
    const items = await collect(
      connection.pods.watchPods(
        {
          namespace,
          labelSelector: "spark-role=none",
          resourceVersion: page.resourceVersion,
          sendInitialEvents: false,
          timeoutSeconds: 4,
        },
        soon(),
      ),
    );
    const kinds = items.flatMap((item) =>
      item.kind === "events" ? item.events.map(({ kind }) => kind) : ["failed"],
    );
    // The server may send no bookmark in such a short time.
    assert.ok(
      kinds.every((kind) => kind === "bookmark"),
      kinds.join(),
    );
  });

  test("creates, applies, replaces, reads and deletes", async () => {
    const { objects } = connection;
    const dry = { ...asSpark, dryRun: true };
    valueOf(await objects.apply(namespace, service, dry, soon()));
    assert.equal(errorOf(await objects.read(reference(service), soon())).kind, "notFound");
    const applied = valueOf(await objects.apply(namespace, service, asSpark, soon()));
    const again = valueOf(
      await objects.apply(namespace, service, { ...asSpark, charset: true }, soon()),
    );
    assert.equal(again.uid, applied.uid);
    const taken = errorOf(await objects.create(namespace, service, plain, soon()));
    assert.ok(taken.kind === "conflict" && taken.resource === "services" && taken.name === "svc");
    const config: Manifest = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "conf", labels: { a: "b" } },
      data: { "spark.properties": "a=1\n" },
    };
    const created = valueOf(
      await objects.create(namespace, config, { ...plain, charset: true }, soon()),
    );
    const stale = { ...config, metadata: { ...config.metadata, resourceVersion: "1" } };
    assert.equal(errorOf(await objects.replace(namespace, stale, plain, soon())).kind, "conflict");
    const { resourceVersion } = created;
    const next = { ...config, metadata: { ...config.metadata, resourceVersion }, data: {} };
    valueOf(await objects.replace(namespace, next, plain, soon()));
    const listed = valueOf(
      await objects.list({ apiVersion: "v1", kind: "ConfigMap" }, namespace, "a=b", soon()),
    );
    assert.deepEqual(
      listed.map(({ kind, uid }) => [kind, uid]),
      [["ConfigMap", created.uid]],
    );
    const other = { ...wholly, uid: applied.uid };
    assert.equal(errorOf(await objects.delete(reference(config), other, soon())).kind, "conflict");
    const same = { ...wholly, uid: created.uid };
    valueOf(await objects.delete(reference(config), same, soon()));
    assert.equal(errorOf(await objects.delete(reference(config), same, soon())).kind, "notFound");
  });

  test("rejects invalid and unknown fields by name", async () => {
    const wrong: Manifest = {
      ...service,
      metadata: { name: "wrong" },
      spec: { ports: [{ port: 0 }] },
    };
    const invalid = errorOf(await connection.objects.create(namespace, wrong, plain, soon()));
    assert.ok(invalid.kind === "invalid");
    assert.ok(
      invalid.causes.some(({ field }) => field === "spec.ports[0].port"),
      invalid.detail,
    );
    const group: Manifest = {
      apiVersion: "scheduling.volcano.sh/v1beta1",
      kind: "PodGroup",
      metadata: { name: "group" },
    };
    const missing = errorOf(await connection.objects.apply(namespace, group, asSpark, soon()));
    assert.equal(missing.kind, "notFound");
  });

  test("follows a log from before its first line to the container's end", async () => {
    const script = "sleep 3; printf 'first ü💥\\n'; sleep 1; printf 'no line feed'";
    const manifest = podManifest("talking", script);
    valueOf(await connection.objects.create(namespace, manifest, plain, soon()));
    const readOnce = () => collectLog(connection.logs.readLog(logOf("talking"), soon()));
    let early = await readOnce();
    // Until the pod is scheduled, the server returns an empty log.
    while (early.every(({ kind }) => kind === "lines")) early = await readOnce();
    const [refused] = early;
    assert.ok(refused?.kind === "failed", JSON.stringify(early));
    const { error } = refused;
    assert.ok(error.kind === "badResponse" && error.status === 400, JSON.stringify(error));
    while ((await phaseOf("talking")) !== "Running") await wait(100);
    const items = await collectLog(connection.logs.readLog(logOf("talking"), soon()));
    const lines = items.flatMap((item) => (item.kind === "lines" ? item.lines : []));
    assert.deepEqual(
      lines.map(({ text }) => text),
      ["first ü💥", "no line feed"],
    );
    assert.match(lines[0]?.timestamp ?? "", /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d+Z$/);
    const sinceTime = lines[1]?.timestamp;
    const rest = await collectLog(
      connection.logs.readLog(logOf("talking", { sinceTime, follow: false }), soon()),
    );
    assert.ok(rest.every(({ kind }) => kind === "lines"));
    const none = await collectLog(
      connection.logs.readLog(logOf("talking", { tailLines: 0, follow: false }), soon()),
    );
    assert.deepEqual(none, [{ kind: "lines", lines: [] }]);
    const failure = async (request: LogRequest): Promise<ClusterError | undefined> => {
      const [item] = await collectLog(connection.logs.readLog(request, soon()));
      return item?.kind === "failed" ? item.error : undefined;
    };
    assert.equal((await failure(logOf("talking", { container: "other" })))?.kind, "invalid");
    assert.equal((await failure(logOf("talking", { previous: true })))?.kind, "invalid");
    assert.equal((await failure(logOf("nobody")))?.kind, "notFound");
    valueOf(await connection.objects.delete(reference(manifest), wholly, soon()));
  });

  test("returns RBAC's reason to a user without permissions", async () => {
    const path = join(place.folder, "nobody");
    await writeFile(path, JSON.stringify(await impersonating(nobody)), { mode: 0o600 });
    const theirs = await connectTo(place.clusters, path);
    const forbidden = [
      errorOf(await theirs.objects.create(namespace, service, plain, soon())),
      errorOf(await theirs.objects.read(reference(service), soon())),
      ...(await collectLog(theirs.logs.readLog(logOf("talking"), soon()))).flatMap((item) =>
        item.kind === "failed" ? [item.error] : [],
      ),
      errorOf(
        await theirs.pods.listPods(
          {
            namespace: undefined,
            labelSelector: "",
            resourceVersion: undefined,
            limit: 1,
            continueToken: undefined,
          },
          soon(),
        ),
      ),
    ];
    assert.deepEqual(
      forbidden.map((error) =>
        error.kind === "forbidden" ? [error.verb, error.resource, error.namespace] : error,
      ),
      [
        ["create", "services", namespace],
        ["get", "services", namespace],
        ["get", "pods/log", namespace],
        ["list", "pods", undefined],
      ],
    );
    assert.ok(forbidden.every(({ detail }) => detail.includes(`User "${nobody}" cannot`)));
  });

  test("a watch from a compacted resource version expires", async () => {
    // A server that has run since its cluster was created keeps the whole history; one that was
    // restarted does not.
    if (restartApiServer !== undefined) {
      await promisify(exec)(restartApiServer);
      const page = { namespace, labelSelector: "", limit: 1, continueToken: undefined };
      const listing = { ...page, resourceVersion: undefined };
      while (!(await connection.pods.listPods(listing, soon())).ok) await wait(200);
    }
    const items = await collect(
      connection.pods.watchPods(
        {
          namespace,
          labelSelector: "",
          resourceVersion: "1",
          sendInitialEvents: false,
          timeoutSeconds: 5,
        },
        soon(),
      ),
    );
    const item = items.at(-1);
    assert.ok(item?.kind === "failed", JSON.stringify(items));
    assert.equal(item.error.kind, "expired");
  });
});

/** Returns the kubeconfig with every user impersonating `name`. */
async function impersonating(name: string): Promise<unknown> {
  const yaml = parseKubeconfigYaml(await readFile(kubeconfig, "utf8"));
  assert.ok(yaml.ok);
  const config = yaml.value as { users: { name: string; user: object }[] };
  return {
    ...config,
    users: config.users.map((entry) => ({ ...entry, user: { ...entry.user, as: name } })),
  };
}
