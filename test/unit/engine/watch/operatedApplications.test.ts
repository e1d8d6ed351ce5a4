import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import {
  operatorKinds,
  resourceOf,
  restartOperated,
  setSuspended,
} from "../../../../src/engine/watch/operatedApplications.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import { emptyModel, updateApplications } from "../../../../src/spark/pods/applications.ts";
import {
  canBeSuspended,
  isEarlierAttempt,
  isSuspended,
} from "../../../../src/spark/pods/operatedApplication.ts";
import {
  decodeOperatorResource,
  type OperatorResource,
} from "../../../../src/spark/pods/operatorResource.ts";
import { firstOf } from "../../../../src/spark/pods/ordered.ts";
import { driverFixture } from "../../pods/podFixture.ts";
import { VirtualClock } from "../virtualClock.ts";

const apiVersion = "sparkoperator.k8s.io/v1beta2";
const body = {
  apiVersion,
  kind: "SparkApplication",
  metadata: {
    name: "pi",
    namespace: "jobs",
    uid: "uid-1",
    resourceVersion: "7",
    labels: { team: "etl" },
    ownerReferences: [{ kind: "ScheduledSparkApplication", name: "daily", uid: "uid-0" }],
    managedFields: [{ manager: "kubectl" }],
  },
  spec: { type: "Java", sparkVersion: "4.0.0" },
  status: { applicationState: { state: "RUNNING" } },
};

function resourceIn(state: string, of = apiVersion, kind = body.kind): OperatorResource {
  const status = { applicationState: { state }, currentState: { currentStateSummary: state } };
  const resource = decodeOperatorResource(of, kind, { ...body, status });
  assert.ok(resource);
  return resource;
}

const { signal } = new AbortController();
const notFound: ClusterError = { kind: "notFound", resource: "pi", name: "pi", detail: "gone" };
const never = (): never => {
  throw new Error("not asked for here");
};

test("maps each kind of resource back to its API object", () => {
  for (const { apiVersion: version, kind } of operatorKinds) {
    const object = resourceOf(resourceIn("RUNNING", version, kind));
    assert.deepEqual([object.apiVersion, object.kind, object.uid], [version, kind, "uid-1"]);
  }
});

test("suspends and resumes only applications of the Kubeflow operator", () => {
  const can = (resource: OperatorResource): readonly boolean[] => {
    const application = { resource } as Parameters<typeof isSuspended>[0];
    return [canBeSuspended(application), isSuspended(application)];
  };
  assert.deepEqual(can(resourceIn("RUNNING")), [true, false]);
  assert.deepEqual(can(resourceIn("SUSPENDED")), [false, true]);
  assert.deepEqual(can(resourceIn("COMPLETED")), [false, false]);
  assert.deepEqual(can(resourceIn("RunningHealthy", "spark.apache.org/v1")), [false, false]);
});

test("tells the pods of an earlier attempt from those of the current one", () => {
  const rows = { labels: { ...driverFixture().labels, "spark-app-selector": "spark-old" } };
  const ended = driverFixture({ ...rows, name: "pi-driver", phase: "Failed" });
  const { model } = updateApplications(emptyModel, { added: [ended], modified: [], removed: [] });
  const old = firstOf(model.applications);
  assert.ok(old);
  const resource = resourceIn("RUNNING");
  const isEarlier = (told: Partial<OperatorResource>): boolean =>
    isEarlierAttempt({ ...old, resource: { ...resource, ...told } });
  assert.equal(isEarlier({ applicationId: "spark-new" }), true);
  assert.equal(isEarlier({ applicationId: "spark-old" }), false);
  assert.equal(isEarlier({ driverPod: "pi-2-driver" }), true);
  assert.equal(isEarlier({ driverPod: "pi-driver" }), false);
  assert.equal(isEarlier({}), false);
  assert.equal(isEarlierAttempt(old), false);
});

test("suspending patches one field of the resource with this uid", async () => {
  const patches: unknown[] = [];
  const objects: ObjectApi = {
    ...{ create: never, apply: never, replace: never, read: never, delete: never, list: never },
    patch: (reference, patch) => {
      patches.push([reference.kind, reference.name, patch]);
      return Promise.resolve(err(notFound));
    },
  };
  await setSuspended(objects, resourceIn("RUNNING"), true, signal);
  await setSuspended(objects, resourceIn("SUSPENDED"), false, signal);
  assert.deepEqual(patches, [
    ["SparkApplication", "pi", { metadata: { uid: "uid-1" }, spec: { suspend: true } }],
    ["SparkApplication", "pi", { metadata: { uid: "uid-1" }, spec: { suspend: false } }],
  ]);
});

test("restarting creates the resource again as stored, with its owners, not suspended, and without server fields", async () => {
  const asked: unknown[] = [];
  let isThere = true;
  const suspended = { ...body, spec: { ...body.spec, suspend: true } };
  const stored: StoredObject = { ...body, ...body.metadata, body: suspended };
  const objects: ObjectApi = {
    ...{ apply: never, replace: never, patch: never, list: never },
    read: () => Promise.resolve(isThere ? ok(stored) : err(notFound)),
    delete: ({ name }, { uid }) => {
      asked.push(["delete", name, uid]);
      isThere = false;
      return Promise.resolve(ok(undefined));
    },
    create: (_, manifest, { dryRun }) => {
      asked.push([dryRun ? "dry run" : "create", manifest]);
      return Promise.resolve(ok(stored));
    },
  };
  const anew = {
    apiVersion,
    kind: "SparkApplication",
    metadata: {
      ...{ name: "pi", namespace: "jobs", labels: { team: "etl" } },
      ownerReferences: body.metadata.ownerReferences,
    },
    spec: body.spec,
  };
  const ports = { objects, clock: new VirtualClock() };
  assert.ok((await restartOperated(resourceIn("SUSPENDED"), ports, signal)).ok);
  assert.deepEqual(asked, [
    ["dry run", anew],
    ["delete", "pi", "uid-1"],
    ["create", anew],
  ]);
});

interface Fault {
  readonly uid?: string;
  /** The error of a create request that is not a dry run. */
  readonly refused?: ClusterError;
  /** True if the connection closes after the deletion was sent. */
  readonly closes?: boolean;
  /** How long the object remains after its deletion, as with a blocking finalizer. */
  readonly staysMs?: number;
}

async function restarted({ uid = "uid-1", refused, closes = false, staysMs }: Fault) {
  const asked: string[] = [];
  let isThere = true;
  const stored: StoredObject = { ...body, ...body.metadata, uid, body };
  const objects: ObjectApi = {
    ...{ apply: never, replace: never, patch: never, list: never },
    read: () => {
      if (!isThere && closes) return Promise.reject(new DOMException("closed", "AbortError"));
      return Promise.resolve(isThere ? ok(stored) : err(notFound));
    },
    delete: () => {
      asked.push("delete");
      isThere = staysMs !== undefined;
      return Promise.resolve(ok(undefined));
    },
    create: (_, __, { dryRun }) => {
      if (!dryRun) asked.push("create");
      return Promise.resolve(dryRun || refused === undefined ? ok(stored) : err(refused));
    },
  };
  const clock = new VirtualClock();
  const deadline = new AbortController();
  const work = restartOperated(resourceIn("RUNNING"), { objects, clock }, deadline.signal);
  if (staysMs !== undefined) {
    await clock.advance(staysMs);
    deadline.abort(new DOMException("late", "TimeoutError"));
  }
  await clock.advanceUntil(work);
  const result = await work;
  assert.ok(!result.ok);
  const { failure, lost } = result.error;
  return { failure: failure.kind, lost: lost?.["spec"], asked: asked.join(" ") };
}

test("does not restart another resource of the same name", async () => {
  const found = await restarted({ uid: "uid-2" });
  assert.deepEqual(found, { failure: "replaced", lost: undefined, asked: "" });
});

test("returns the manifest if the resource cannot be created again", async () => {
  const one = await restarted({ refused: { kind: "invalid", detail: "a webhook", causes: [] } });
  assert.deepEqual(one, { failure: "refused", lost: body.spec, asked: "delete create" });
  const two = await restarted({ closes: true });
  assert.deepEqual(two, { failure: "refused", lost: body.spec, asked: "delete" });
  const three = await restarted({ staysMs: 60_000 });
  assert.deepEqual(three, { failure: "refused", lost: body.spec, asked: "delete" });
});

test("retries the creation through a short outage", async () => {
  const refused = { kind: "unreachable", server: "", detail: "", requestSent: false } as const;
  const { asked } = await restarted({ refused });
  assert.ok(asked.split(" ").length > 50, asked);
});
