import { verbatim } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { err, ok, type Result } from "../../../src/base/result.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { ObjectApi, StoredObject } from "../../../src/engine/ports/objects.ts";
import { sendNoCode } from "../../../src/engine/submit/sendCode.ts";
import {
  submitPlan,
  type SubmissionFailure,
  type Submitted,
  type SubmitPorts,
} from "../../../src/engine/submit/submitPlan.ts";
import type { SentFile } from "../../../src/spark/submit/code/sentCode.ts";
import type { Manifest } from "../../../src/spark/submit/plan/manifest.ts";
import type { SubmissionPlan } from "../../../src/spark/submit/plan/submissionPlan.ts";
import { base, conf, planOf, withOptions } from "./prepared.ts";

const refused: ClusterError = {
  kind: "forbidden",
  verb: "create",
  resource: "things",
  namespace: "default",
  detail: "no",
};
const dropped: ClusterError = {
  kind: "unreachable",
  server: "s",
  detail: "connection reset",
  requestSent: true,
};

/** The failure of one write; `at` counts writes from 0. */
interface Fault {
  readonly at: number;
  readonly kind: "refused" | "lostBefore" | "lostAfter" | "canceled";
}

/** An in-memory cluster with garbage collection. */
class RecordingCluster implements ObjectApi {
  readonly objects = new Map<string, StoredObject>();
  readonly log: string[] = [];
  readonly cancel = new AbortController();
  readonly #fault: Fault | undefined;
  #writes = 0;
  #uid = 0;

  constructor(fault?: Fault) {
    this.#fault = fault;
  }

  create(namespace: string, manifest: Manifest): Promise<Result<StoredObject, ClusterError>> {
    const key = keyOf(manifest.kind, manifest.metadata.name);
    if (this.objects.has(key)) {
      const { name } = manifest.metadata;
      this.log.push(`conflict ${key}`);
      return Promise.resolve(err({ kind: "conflict", resource: "", name, detail: "there" }));
    }
    return this.#write(namespace, manifest);
  }

  apply(namespace: string, manifest: Manifest): Promise<Result<StoredObject, ClusterError>> {
    return this.#write(namespace, manifest);
  }

  patch(): never {
    throw new Error("a submission changes nothing that is there");
  }

  replace(namespace: string, manifest: Manifest): Promise<Result<StoredObject, ClusterError>> {
    return this.#write(namespace, manifest);
  }

  read({
    kind,
    name,
  }: {
    kind: string;
    name: string;
  }): Promise<Result<StoredObject, ClusterError>> {
    const found = this.objects.get(keyOf(kind, name));
    this.log.push(`read ${keyOf(kind, name)}`);
    return Promise.resolve(found ? ok(found) : err(absent(name)));
  }

  delete(
    { kind, name }: { kind: string; name: string },
    { uid }: { uid: string | undefined },
  ): Promise<Result<void, ClusterError>> {
    const key = keyOf(kind, name);
    const found = this.objects.get(key);
    this.log.push(`delete ${key}`);
    if (!found) return Promise.resolve(err(absent(name)));
    if (uid !== undefined && uid !== found.uid) {
      return Promise.resolve(err({ kind: "conflict", resource: "", name, detail: "another" }));
    }
    this.objects.delete(key);
    for (const [other, object] of this.objects) {
      if (JSON.stringify(object.body).includes(`"uid":"${found.uid}"`)) this.objects.delete(other);
    }
    return Promise.resolve(ok(undefined));
  }

  list(): Promise<Result<readonly StoredObject[], ClusterError>> {
    return Promise.resolve(ok([...this.objects.values()]));
  }

  #write(namespace: string, manifest: Manifest): Promise<Result<StoredObject, ClusterError>> {
    const fault = this.#fault?.at === this.#writes++ ? this.#fault : undefined;
    const key = keyOf(manifest.kind, manifest.metadata.name);
    this.log.push(`write ${key}`);
    if (fault?.kind === "refused") return Promise.resolve(err(refused));
    if (fault?.kind === "lostBefore") return Promise.resolve(err(dropped));
    const uid = this.objects.get(key)?.uid ?? `uid-${++this.#uid}`;
    const { apiVersion, kind, metadata } = manifest;
    const object = {
      apiVersion,
      kind,
      name: metadata.name,
      namespace,
      uid,
      resourceVersion: "1",
      body: manifest,
    };
    this.objects.set(key, object);
    if (fault?.kind === "canceled") this.cancel.abort();
    return Promise.resolve(fault?.kind === "lostAfter" ? err(dropped) : ok(object));
  }
}

const keyOf = (kind: string, name: string): string => `${kind}/${name}`;
const absent = (name: string): ClusterError => ({
  kind: "notFound",
  resource: "",
  name,
  detail: "",
});
const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };

function submit(
  plan: SubmissionPlan,
  cluster: RecordingCluster,
): Promise<Result<Submitted, SubmissionFailure>> {
  const uploads = { copy: () => Promise.resolve(ok(undefined)) };
  return submitPlan(
    plan,
    { objects: cluster, uploads, clock, sendCode: sendNoCode },
    cluster.cancel.signal,
  );
}

const volcano = "org.apache.spark.deploy.k8s.features.VolcanoFeatureStep";
const claim = "spark.kubernetes.driver.volumes.persistentVolumeClaim.d";
const claimConf = (name: string): readonly string[] =>
  conf(
    `${claim}.mount.path=/d`,
    `${claim}.options.claimName=${name}`,
    `${claim}.options.storageClass=sc`,
    `${claim}.options.sizeLimit=1Gi`,
  );
const richTokens = withOptions(
  ...conf(`spark.kubernetes.driver.pod.featureSteps=${volcano}`),
  ...claimConf("OnDemand"),
);

test("creates objects in order, owned by the pod if they follow it", async () => {
  const cluster = new RecordingCluster();
  const plan = planOf(richTokens);
  const result = await submit(plan, cluster);
  assert.ok(result.ok);
  assert.deepEqual(
    cluster.log.map((line) => line.replace(/\/.*/, "")),
    [
      "write PodGroup",
      "write Pod",
      "write PodGroup",
      "write Service",
      "write NetworkPolicy",
      "write PersistentVolumeClaim",
      "write ConfigMap",
    ],
  );
  const owner = { apiVersion: "v1", kind: "Pod", name: plan.identity.driverPodName };
  for (const { kind, body } of cluster.objects.values()) {
    if (kind === "Pod") continue;
    const { metadata } = body as Manifest;
    assert.deepEqual(metadata.ownerReferences, [{ ...owner, uid: "uid-2", controller: true }]);
  }
  assert.equal(result.value.submissionId, `default:${plan.identity.driverPodName}`);
});

test("undoes all writes in reverse order after any failure", async () => {
  const plans = ["3.3.4", "3.5.9", "4.3.0"].map((version) =>
    planOf(version === "4.3.0" ? richTokens : withOptions(...claimConf("OnDemand")), { version }),
  );
  const kinds = fc.constantFrom<Fault["kind"]>("refused", "lostBefore", "lostAfter", "canceled");
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...plans), fc.nat(6), kinds, async (plan, at, kind) => {
      const cluster = new RecordingCluster({ at, kind });
      const result = await submit(plan, cluster);
      // A retry after a lost response may succeed, and an abort may come too late.
      if (result.ok) return;
      assert.deepEqual([...cluster.objects.keys()], []);
      assert.ok(result.error.kind !== "upload");
      assert.deepEqual(result.error.remaining, []);
      const firstWrites = [...new Set(cluster.log.filter((line) => line.startsWith("write ")))];
      const deletes = cluster.log.filter((line) => line.startsWith("delete "));
      const order = deletes.map((line) => firstWrites.indexOf(line.replace("delete", "write")));
      assert.deepEqual(
        order,
        order.toSorted((a, b) => b - a),
      );
    }),
  );
});

test("adopts its pod after a lost creation response", async () => {
  const cluster = new RecordingCluster({ at: 0, kind: "lostAfter" });
  const result = await submit(planOf(withOptions()), cluster);
  assert.ok(result.ok);
  assert.equal([...cluster.objects.keys()].filter((key) => key.startsWith("Pod/")).length, 1);
});

test("deletes its pod if the creation is never confirmed", async () => {
  const cluster = new RecordingCluster();
  const create = cluster.create.bind(cluster);
  cluster.create = async (namespace, manifest) => {
    await create(namespace, manifest);
    return err(dropped);
  };
  const result = await submit(planOf(withOptions()), cluster);
  assert.ok(!result.ok && result.error.kind === "write");
  assert.equal(result.error.error.kind, "unreachable");
  assert.equal(cluster.objects.size, 0);
});

test("never deletes another owner's pod with the same name", async () => {
  const tokens = withOptions(...conf("spark.kubernetes.driver.pod.name=fixed"));
  const cluster = new RecordingCluster();
  assert.ok((await submit(planOf(tokens), cluster)).ok);
  const second = await submit(planOf(tokens), cluster);
  assert.ok(!second.ok && second.error.kind === "write");
  assert.equal(second.error.error.kind, "conflict");
  assert.ok(cluster.objects.has("Pod/fixed"));
});

test("keeps an existing claim with a user-defined name", async () => {
  for (const version of ["3.4.4", "4.2.1"]) {
    const cluster = new RecordingCluster();
    const body = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "keep" } };
    await cluster.create("default", body);
    const result = await submit(planOf(withOptions(...claimConf("keep")), { version }), cluster);
    assert.ok(result.ok);
    assert.deepEqual(
      result.value.kept.map(({ name }) => name),
      ["keep"],
    );
    assert.equal(cluster.objects.get("PersistentVolumeClaim/keep")?.body, body);
  }
});

test("reports objects that cannot be deleted with their dependents", async () => {
  const cluster = new RecordingCluster({ at: 2, kind: "refused" });
  cluster.delete = () => Promise.resolve(err(refused));
  const result = await submit(planOf(withOptions()), cluster);
  assert.ok(!result.ok && result.error.kind === "write");
  assert.deepEqual(
    result.error.remaining.map(({ kind }) => kind),
    ["Pod", "Service"],
  );
  assert.equal(result.error.undoError?.kind, "forbidden");
});

test("sends nothing after an abort before the first write", async () => {
  const cluster = new RecordingCluster();
  cluster.cancel.abort();
  const result = await submit(planOf(withOptions()), cluster);
  assert.ok(!result.ok && result.error.kind === "canceled");
  assert.deepEqual(cluster.log, []);
});

test("writes nothing if an upload fails", async () => {
  const files = { "/cwd/f1": "x" };
  const plan = planOf(
    withOptions("--files", "f1", ...conf("spark.kubernetes.file.upload.path=file:/up")),
    { files },
  );
  const cluster = new RecordingCluster();
  const copy = (
    upload: (typeof plan.uploads)[number],
  ): Promise<Result<void, { upload: typeof upload; detail: string }>> =>
    Promise.resolve(err({ upload, detail: "disk full" }));
  const ports = { objects: cluster, uploads: { copy }, clock, sendCode: sendNoCode };
  const result = await submitPlan(plan, ports, cluster.cancel.signal);
  assert.ok(!result.ok && result.error.kind === "upload");
  assert.deepEqual(cluster.log, []);
});

describe("a plan with code to stream", () => {
  const path = "/cwd/orders.py";
  const file: SentFile = {
    name: "orders.py",
    size: 1,
    isExecutable: false,
    role: { kind: "requested", path },
    content: { kind: "inline", base64: "" },
    members: [],
  };
  const code = { sent: { files: [file], leftOut: [] }, choice: "stream" } as const;
  const plan = planOf([...base, path], { files: { [path]: "1" }, code });
  const uploads = { copy: () => Promise.resolve(ok(undefined)) };

  test("is sent to the stored driver pod after all objects are written", async () => {
    const cluster = new RecordingCluster();
    const sent: string[] = [];
    const sendCode: SubmitPorts["sendCode"] = ({ name, uid }, files) => {
      sent.push(`${name} ${uid} ${files.map((each) => each.name).join()} ${cluster.objects.size}`);
      return Promise.resolve(ok(undefined));
    };
    const ports = { objects: cluster, uploads, clock, sendCode };
    assert.ok((await submitPlan(plan, ports, new AbortController().signal)).ok);
    const pod = [...cluster.objects.values()].find(({ kind }) => kind === "Pod");
    assert.deepEqual(sent, [`${pod?.name} ${pod?.uid} orders.py ${cluster.objects.size}`]);
  });

  test("leaves nothing behind if the code cannot be sent", async () => {
    const cluster = new RecordingCluster();
    const failure = { kind: "podEnded", detail: verbatim("deleted") } as const;
    const sendCode = () => Promise.resolve(err(failure));
    const ports = { objects: cluster, uploads, clock, sendCode };
    const result = await submitPlan(plan, ports, new AbortController().signal);
    assert.ok(!result.ok && result.error.kind === "send");
    assert.deepEqual(result.error.error, failure);
    assert.deepEqual(result.error.remaining, []);
    assert.equal(cluster.objects.size, 0);
  });

  test("leaves nothing behind if it is canceled while the pod waits for its code", async () => {
    const cluster = new RecordingCluster();
    const sendCode = (): Promise<never> => {
      cluster.cancel.abort();
      return Promise.reject(new DOMException("canceled", "AbortError"));
    };
    const ports = { objects: cluster, uploads, clock, sendCode };
    const result = await submitPlan(plan, ports, cluster.cancel.signal);
    assert.ok(!result.ok && result.error.kind === "canceled");
    assert.equal(cluster.objects.size, 0);
  });
});
