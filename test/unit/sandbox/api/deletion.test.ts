import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deleteOptions, remove } from "../../../../src/sandbox/api/deletion.ts";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";

const rethrow = (error: unknown): void => {
  throw error;
};
const clock = { now: () => 0, sleep: () => Promise.reject(new Error("no sleep")) };
const kinds = new Kinds(rethrow);

/** Creates and deletes an object. Returns the result, and the stored object if it was only marked for deletion. */
function deleted(
  resource: string,
  object: {
    readonly metadata?: object;
    readonly spec?: JsonMembers;
    readonly status?: JsonMembers;
  },
  body: JsonMembers = {},
  query = "",
) {
  const kind = kinds.find("", "v1", resource) ?? assert.fail(resource);
  const objects = new Objects(() => 0, rethrow);
  const namespace = resource === "namespaces" ? "" : "jobs";
  const { metadata, ...rest } = object;
  const made = objects.create(resource, {
    ...{ apiVersion: "v1", kind: kind.kind },
    metadata: { name: "a", ...(namespace !== "" && { namespace }), uid: "u", ...metadata },
    ...rest,
  });
  assert.ok(made);
  const options = deleteOptions(body, new URLSearchParams(query));
  const { object: answered, isRemoved } = remove({ objects, clock }, kind, made, options);
  return { answered, isRemoved, left: objects.get({ resource, namespace, name: "a" }) };
}

const refusalOf = (action: () => unknown): Refusal => {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error;
  }
  return assert.fail("not refused");
};

const running = { spec: { nodeName: "n" }, status: { phase: "Running" } };
const graceOf = ({ left }: { readonly left: KubeObject | undefined }): unknown =>
  left?.metadata.deletionGracePeriodSeconds ?? "gone";

describe("the grace period of a deletion", () => {
  for (const [title, object, body, query, expected] of [
    ["is that of the pod", running, {}, "", 30],
    [
      "is that of its spec",
      { ...running, spec: { nodeName: "n", terminationGracePeriodSeconds: 5 } },
      {},
      "",
      5,
    ],
    ["is that of the request", running, { gracePeriodSeconds: 7 }, "", 7],
    ["may be in the query", running, {}, "gracePeriodSeconds=8", 8],
    [
      "is in the body if both have one",
      running,
      { gracePeriodSeconds: 7 },
      "gracePeriodSeconds=8",
      7,
    ],
    ["may be 0", running, { gracePeriodSeconds: 0 }, "", "gone"],
    ["is at least 0", running, { gracePeriodSeconds: -1 }, "", "gone"],
    ["is 0 for a pod without a node", { spec: {} }, {}, "", "gone"],
    [
      "is 0 for a pod that succeeded",
      { ...running, status: { phase: "Succeeded" } },
      {},
      "",
      "gone",
    ],
    ["is 0 for a pod that failed", { ...running, status: { phase: "Failed" } }, {}, "", "gone"],
  ] as const) {
    test(title, () => {
      assert.equal(graceOf(deleted("pods", object, body, query)), expected);
    });
  }

  test("sets the time of the end", () => {
    const { answered, isRemoved } = deleted("pods", running, { gracePeriodSeconds: 10 });
    assert.equal(isRemoved, false);
    assert.equal(answered.metadata.deletionTimestamp, "1970-01-01T00:00:10Z");
    assert.equal("finalizers" in answered.metadata, false);
  });

  test("can be shortened by a second request, and not extended", () => {
    const metadata = {
      deletionTimestamp: "1970-01-01T00:00:09Z",
      deletionGracePeriodSeconds: 10,
      generation: 2,
    };
    const again = (gracePeriodSeconds: number) =>
      deleted("pods", { ...running, metadata }, { gracePeriodSeconds });
    assert.equal(graceOf(again(10)), 10);
    assert.equal(graceOf(again(20)), 10);
    const shorter = again(3);
    assert.equal(graceOf(shorter), 3);
    assert.equal(shorter.left?.metadata.deletionTimestamp, "1970-01-01T00:00:03Z");
    assert.equal(shorter.left.metadata.generation, 2);
  });
});

describe("a deletion", () => {
  test("removes an object and answers with it, but keeps it in a dry run", () => {
    const removed = deleted("configmaps", {});
    assert.deepEqual([removed.isRemoved, removed.left], [true, undefined]);
    assert.equal(removed.answered.metadata.deletionTimestamp, undefined);
    for (const [body, query] of [
      [{ dryRun: ["All"] }, ""],
      [{}, "dryRun=All"],
    ] as const) {
      const { isRemoved, left, answered } = deleted("configmaps", {}, body, query);
      assert.equal(isRemoved, true);
      assert.equal(left?.metadata.name, "a");
      assert.equal(answered.metadata.deletionTimestamp, undefined);
    }
  });

  test("of a pod answers with the pod at its end, also in a dry run", () => {
    for (const query of ["", "dryRun=All"]) {
      const { answered, isRemoved } = deleted("pods", { spec: {} }, {}, query);
      assert.equal(isRemoved, true);
      assert.equal(answered.metadata.deletionGracePeriodSeconds, 0);
    }
  });

  test("waits for finalizers, and raises the generation once", () => {
    const finalizers = ["example.com/hold"];
    const first = deleted("configmaps", { metadata: { finalizers, generation: 1 } });
    assert.equal(first.isRemoved, false);
    assert.deepEqual(first.left?.metadata.finalizers, finalizers);
    assert.equal(first.left.metadata.generation, 2);
    const bare = deleted("configmaps", { metadata: { finalizers } });
    assert.equal("generation" in (bare.left?.metadata ?? {}), false);
  });

  for (const [title, body, query, given, expected] of [
    ["in the foreground", { propagationPolicy: "Foreground" }, "", [], ["foregroundDeletion"]],
    ["that orphans", { propagationPolicy: "Orphan" }, "", ["orphan"], ["orphan"]],
    ["that orphans by the old option", { orphanDependents: true }, "", [], ["orphan"]],
    ["by the query", {}, "propagationPolicy=Orphan", [], ["orphan"]],
    [
      "with another policy",
      { propagationPolicy: "Foreground" },
      "",
      ["a.b/c", "orphan"],
      ["a.b/c", "foregroundDeletion"],
    ],
    ["in the background", { propagationPolicy: "Background" }, "", ["orphan"], ["orphan"]],
  ] as const) {
    test(`${title} has the finalizers ${expected.join(", ")}`, () => {
      const { left, isRemoved } = deleted(
        "configmaps",
        { metadata: { finalizers: given } },
        body,
        query,
      );
      assert.equal(isRemoved, false);
      assert.deepEqual(left?.metadata.finalizers, expected);
    });
  }

  test("in the background removes at once, also by the old option", () => {
    for (const body of [{ propagationPolicy: "Background" }, { orphanDependents: false }]) {
      assert.equal(deleted("configmaps", {}, body).left, undefined);
    }
  });

  test("of a namespace waits for its contents", () => {
    const { left, isRemoved } = deleted("namespaces", {
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active", more: 1 },
    });
    assert.equal(isRemoved, false);
    assert.deepEqual(left?.["status"], { phase: "Terminating", more: 1 });
    assert.equal(left.metadata.deletionTimestamp, "1970-01-01T00:00:00Z");
    assert.equal("deletionGracePeriodSeconds" in left.metadata, false);
  });

  test("is refused for another uid, another resource version and an unknown policy", () => {
    const { left } = deleted("configmaps", {}, { dryRun: "All", preconditions: { uid: "u" } });
    const resourceVersion = left?.metadata.resourceVersion ?? "";
    const right = { preconditions: { uid: "u", resourceVersion } };
    assert.equal(deleted("configmaps", {}, right).left, undefined);
    for (const [preconditions, message] of [
      [
        { uid: "other" },
        /^Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition \(other\) does not match the UID in record \(u\)/,
      ],
      [{ resourceVersion: "99" }, /the ResourceVersion in the precondition \(99\) does not match/],
    ] as const) {
      const refusal = refusalOf(() => deleted("configmaps", {}, { preconditions }));
      assert.equal(refusal.code, 409);
      assert.match(refusal.message, message);
    }
    const unknown = refusalOf(() =>
      deleteOptions({ propagationPolicy: "Sometimes" }, new URLSearchParams()),
    );
    assert.equal(unknown.code, 422);
    assert.match(unknown.message, /supported values: "Foreground", "Background", "Orphan", "nil"$/);
  });
});
