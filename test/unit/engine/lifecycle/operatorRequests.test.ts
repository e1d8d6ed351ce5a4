import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { carryOutRequests } from "../../../../src/engine/lifecycle/operatorRequests.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import type { OperatorRequest } from "../../../../src/spark/operator/operatorPlan.ts";
import type { Manifest } from "../../../../src/spark/submit/plan/manifest.ts";
import { forbidden } from "../fakeCluster.ts";
import { VirtualClock } from "../virtualClock.ts";

const apiVersion = "sparkoperator.k8s.io/v1beta2";
const kind = "SparkApplication";
const manifest: Manifest = { apiVersion, kind, metadata: { name: "pi" } };
const name = { apiVersion, kind, name: "pi", namespace: undefined };
const object = { ...name, namespace: "etl" };
const create: OperatorRequest = { verb: "create", manifest };
const remove: OperatorRequest = {
  verb: "delete",
  object: name,
  propagationPolicy: "Foreground",
};
const suspend: OperatorRequest = {
  verb: "patch",
  object: name,
  patch: { spec: { suspend: true } },
};

interface Setting {
  readonly isThere?: boolean;
  /** The error of every request. */
  readonly broken?: ClusterError;
  readonly refusedCreate?: ClusterError;
  /** Number of reads after the deletion that still return the object. */
  readonly lingers?: number;
  /** True if the response to the first creation is lost. */
  readonly isUnheard?: boolean;
  /** True if another object takes the name once it is free. */
  readonly isReplaced?: boolean;
  /** The next responses, in order, from the deletion on; undefined: the normal response. */
  readonly hiccups?: readonly (ClusterError | undefined)[];
}

function cluster(setting: Setting) {
  const { isThere, broken, refusedCreate, lingers = 0, isReplaced, isUnheard } = setting;
  const hiccups = [...(setting.hiccups ?? [])];
  const asked: string[] = [];
  let uid = isThere === true ? "old" : undefined;
  let left = lingers;
  let isOrdered = false;
  const absent: ClusterError = { kind: "notFound", resource: "x", name: "pi", detail: "" };
  const stored = (): Result<StoredObject, ClusterError> => {
    if (isOrdered && left-- <= 0) {
      uid = isReplaced === true ? "other" : undefined;
      isOrdered = false;
    }
    if (uid === undefined) return err(absent);
    return ok({ ...object, uid, resourceVersion: "1", body: {} });
  };
  const answer = <T>(line: string, result: () => Result<T, ClusterError>) => {
    asked.push(line);
    const hiccup = asked.some((one) => one.startsWith("delete")) ? hiccups.shift() : undefined;
    const error = broken ?? hiccup;
    return Promise.resolve(error === undefined ? result() : err(error));
  };
  let unheard = isUnheard === true;
  const never = (): never => {
    throw new Error("nothing else is asked");
  };
  const objects: ObjectApi = {
    create: (namespace, _, { dryRun, fieldValidation }) =>
      answer(`create ${namespace} ${fieldValidation}${dryRun ? " dryRun" : ""}`, () => {
        if (refusedCreate) return err(refusedCreate);
        if (stored().ok) return err({ kind: "conflict", resource: "x", name: "pi", detail: "" });
        if (!dryRun) uid = "new";
        if (!dryRun && unheard) {
          unheard = false;
          return err({ kind: "unreachable", server: "", detail: "", requestSent: true });
        }
        return ok({ ...object, uid: "new", resourceVersion: "1", body: {} });
      }),
    patch: (_, patch, { fieldValidation }) =>
      answer(`patch ${JSON.stringify(patch)} ${fieldValidation}`, stored),
    read: () => answer("read", stored),
    delete: (_, { uid: wanted, propagationPolicy }) =>
      answer(`delete ${wanted} ${propagationPolicy}`, () => {
        isOrdered = true;
        return ok(undefined);
      }),
    list: () => answer("list", () => ok([])),
    apply: never,
    replace: never,
  };
  return { asked, objects };
}

async function carryOut(requests: readonly OperatorRequest[], setting: Setting) {
  const clock = new VirtualClock();
  const { asked, objects } = cluster(setting);
  const signal = new AbortController().signal;
  const work = carryOutRequests(requests, "etl", { objects, clock }, signal);
  await clock.advanceUntil(work);
  return { asked, result: await work };
}

test("creates an application in the connection's namespace with strict field validation", async () => {
  const { asked, result } = await carryOut([create], {});
  assert.ok(result.ok);
  assert.equal(result.value?.uid, "new");
  assert.deepEqual(asked, ["create etl Strict"]);
});

test("never overwrites an existing application", async () => {
  const { asked, result } = await carryOut([create], { isThere: true });
  assert.deepEqual(result, err({ kind: "alreadyThere", object }));
  assert.deepEqual(asked, ["create etl Strict"]);
});

test("resubmits after the old resource and its dependents are deleted", async () => {
  const { asked, result } = await carryOut([remove, create], { isThere: true, lingers: 1 });
  assert.ok(result.ok);
  assert.equal(result.value?.uid, "new");
  assert.deepEqual(asked, [
    "create etl Strict dryRun",
    "read",
    "delete old Foreground",
    "read",
    "read",
    "create etl Strict",
  ]);
});

test("deletes nothing if the server would reject the manifest", async () => {
  const refusedCreate = forbidden("create", "sparkapplications");
  const { asked, result } = await carryOut([remove, create], { isThere: true, refusedCreate });
  assert.deepEqual(
    result,
    err({ kind: "refused", object, error: refusedCreate, isDeleted: false }),
  );
  assert.deepEqual(asked, ["create etl Strict dryRun"]);
});

test("creates the new resource despite a short outage during the deletion", async () => {
  const unheard = { kind: "unreachable", server: "", detail: "", requestSent: true } as const;
  const busy = { kind: "throttled", retryAfterMs: 1_000, detail: "" } as const;
  const broken = { kind: "badResponse", status: 503, detail: "" } as const;
  const anew = async (...hiccups: readonly (ClusterError | undefined)[]): Promise<string> => {
    const { asked, result } = await carryOut([remove, create], { isThere: true, hiccups });
    assert.ok(result.ok);
    assert.equal(result.value?.uid, "new");
    return asked.slice(2).join(", ");
  };
  const order = "delete old Foreground";
  assert.equal(
    await anew(undefined, broken, busy, unheard),
    `${order}, read, read, read, read, create etl Strict`,
  );
  assert.equal(
    await anew(unheard, broken, busy),
    `${order}, ${order}, ${order}, ${order}, read, create etl Strict`,
  );
});

test("a deletion that was not sent changes nothing", async () => {
  const unsent = { kind: "unreachable", server: "", detail: "", requestSent: false } as const;
  const { asked, result } = await carryOut([remove, create], { isThere: true, hiccups: [unsent] });
  assert.deepEqual(result, err({ kind: "refused", object, error: unsent, isDeleted: false }));
  assert.equal(asked.at(-1), "delete old Foreground");
});

test("reports a resource that is not deleted, and creates no other", async () => {
  const { asked, result } = await carryOut([remove, create], { isThere: true, lingers: 1e9 });
  assert.deepEqual(result, err({ kind: "stillThere", object }));
  assert.equal(asked.at(-1), "read");
});

test("leaves the name to another client that took it meanwhile", async () => {
  const { result } = await carryOut([remove, create], { isThere: true, isReplaced: true });
  assert.deepEqual(result, err({ kind: "alreadyThere", object }));
});

test("finds what it created after a deletion, although the answer was lost", async () => {
  const { asked, result } = await carryOut([remove, create], { isThere: true, isUnheard: true });
  assert.ok(result.ok);
  assert.equal(result.value?.uid, "new");
  assert.deepEqual(asked.slice(-3), ["create etl Strict", "create etl Strict", "read"]);
});

test("resubmitting a missing resource submits it", async () => {
  const { asked, result } = await carryOut([remove, create], {});
  assert.ok(result.ok);
  assert.deepEqual(asked, ["create etl Strict dryRun", "read", "create etl Strict"]);
});

test("tells a missing resource to suspend from a missing API", async () => {
  const one = await carryOut([suspend], {});
  assert.deepEqual(one.result, err({ kind: "absent", object }));
  assert.deepEqual(one.asked, ['patch {"spec":{"suspend":true}} Strict', "list"]);
  const broken: ClusterError = { kind: "notFound", resource: "x", name: "pi", detail: "" };
  for (const request of [suspend, create]) {
    const { result } = await carryOut([request], { broken });
    assert.deepEqual(result, err({ kind: "noApi", object }));
  }
});

test("a missing namespace is no missing API", async () => {
  const broken: ClusterError = {
    kind: "notFound",
    resource: "namespaces",
    name: "etl",
    detail: "",
  };
  const { result } = await carryOut([create], { broken });
  assert.deepEqual(result, err({ kind: "refused", object, error: broken, isDeleted: false }));
});
