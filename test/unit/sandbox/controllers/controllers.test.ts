import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { Disposable } from "../../../../src/base/disposable.ts";
import type { ApiContext } from "../../../../src/sandbox/api/context.ts";
import { deleteOptions, remove } from "../../../../src/sandbox/api/deletion.ts";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { collectGarbage } from "../../../../src/sandbox/controllers/garbageCollector.ts";
import { keepNamespaces } from "../../../../src/sandbox/controllers/namespaces.ts";
import { protectClaims } from "../../../../src/sandbox/controllers/protections.ts";
import { countQuotas } from "../../../../src/sandbox/controllers/quotas.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";

/** Creates a store with one controller, whose timers the test advances. */
function storeWith(t: TestContext, controller: (context: ApiContext) => Disposable) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const rethrow = (error: unknown): void => {
    throw error;
  };
  const objects = new Objects(() => 0, rethrow);
  const kinds = new Kinds(rethrow);
  const clock = { now: () => 0, sleep: () => Promise.reject(new Error("no sleep")) };
  const context = { objects, kinds, clock, authority: "PEM" } as unknown as ApiContext;
  const running = controller(context);
  t.after(() => {
    running.dispose();
  });
  const keyOf = (resource: string, name: string, namespace = "jobs") => ({
    ...{ resource, name },
    namespace: resource === "namespaces" ? "" : namespace,
  });
  return {
    objects,
    running,
    get: (resource: string, name: string) => objects.get(keyOf(resource, name)),
    namesOf: (resource: string) => objects.list(resource).map(({ metadata }) => metadata.name),
    /** Creates an object in the namespace `jobs`. `more` overrides its members; its metadata is merged. */
    add: (resource: string, name: string, more: JsonMembers = {}): KubeObject => {
      const { metadata, ...rest } = more;
      const kind = kinds.of(resource)?.kind ?? assert.fail(resource);
      const place = resource === "namespaces" ? {} : { namespace: "jobs" };
      return (
        objects.create(resource, {
          ...{ apiVersion: "v1", kind },
          metadata: { name, ...place, ...(metadata as object | undefined) },
          ...rest,
        }) ?? assert.fail(`${name} exists`)
      );
    },
    change: (resource: string, name: string, change: JsonMembers) =>
      objects.update(keyOf(resource, name), (one) => ({ ...one, ...change })),
    del: (resource: string, name: string, propagationPolicy = "Background") => {
      const kind = kinds.of(resource) ?? assert.fail(resource);
      const before = objects.get(keyOf(resource, name)) ?? assert.fail(name);
      remove(context, kind, before, deleteOptions({ propagationPolicy }, new URLSearchParams()));
    },
  };
}

const ownedBy = (owner: KubeObject, more: JsonMembers = {}): JsonMembers => ({
  metadata: {
    ownerReferences: [
      {
        ...{ apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name },
        ...{ uid: owner.metadata.uid ?? "", ...more },
      },
    ],
  },
});

describe("garbage collection", () => {
  test("deletes what a deleted object owned, also in a chain", (t) => {
    const { add, del, namesOf } = storeWith(t, collectGarbage);
    const owner = add("configmaps", "owner");
    const middle = add("configmaps", "middle", ownedBy(owner));
    add("secrets", "last", ownedBy(middle));
    add("configmaps", "other");
    del("configmaps", "owner");
    t.mock.timers.tick(0);
    assert.deepEqual(namesOf("configmaps"), ["other"]);
    t.mock.timers.tick(0);
    assert.deepEqual(namesOf("secrets"), []);
  });

  test("keeps an object that has another owner", (t) => {
    const { add, del, namesOf, objects } = storeWith(t, collectGarbage);
    const [one, two] = [add("configmaps", "one"), add("configmaps", "two")];
    const references = [one, two].flatMap((owner) => ownedBy(owner)["metadata"]);
    const ownerReferences = references.flatMap(
      (metadata) => (metadata as { ownerReferences: JsonMembers[] }).ownerReferences,
    );
    add("secrets", "owned", { metadata: { ownerReferences } });
    del("configmaps", "one");
    t.mock.timers.tick(1_000);
    assert.deepEqual(namesOf("secrets"), ["owned"]);
    del("configmaps", "two");
    t.mock.timers.tick(0);
    assert.deepEqual(namesOf("secrets"), []);
    assert.equal(objects.list("configmaps").length, 0);
  });

  test("deletes an object whose owner never existed, after half a second", (t) => {
    const { add, namesOf } = storeWith(t, collectGarbage);
    const owner = add("configmaps", "owner");
    const stranger = { ...owner, metadata: { ...owner.metadata, uid: "other" } };
    add("secrets", "stray", ownedBy(stranger));
    add("secrets", "kept", ownedBy(owner));
    add("secrets", "unknown", ownedBy({ ...owner, apiVersion: "x/v1", kind: "Unknown" }));
    t.mock.timers.tick(499);
    assert.deepEqual(namesOf("secrets"), ["stray", "kept", "unknown"]);
    t.mock.timers.tick(1);
    assert.deepEqual(namesOf("secrets"), ["kept", "unknown"]);
  });

  test("finds an owner without a namespace", (t) => {
    const { add, namesOf } = storeWith(t, collectGarbage);
    const owner = add("namespaces", "jobs");
    add("secrets", "owned", ownedBy(owner));
    t.mock.timers.tick(1_000);
    assert.deepEqual(namesOf("secrets"), ["owned"]);
  });

  test("removes the references to an owner that is deleted as the orphan's", (t) => {
    const { add, del, get, namesOf } = storeWith(t, collectGarbage);
    const owner = add("configmaps", "owner");
    add("secrets", "owned", ownedBy(owner));
    del("configmaps", "owner", "Orphan");
    t.mock.timers.tick(1_000);
    assert.deepEqual(namesOf("configmaps"), []);
    assert.equal(get("secrets", "owned")?.metadata.ownerReferences, undefined);
  });

  test("deletes dependents before their owner in the foreground", (t) => {
    const { add, del, get, change, namesOf } = storeWith(t, collectGarbage);
    const owner = add("configmaps", "owner");
    const held = ownedBy(owner, { blockOwnerDeletion: true })["metadata"] as JsonMembers;
    add("secrets", "owned", { metadata: { ...held, finalizers: ["example.com/hold"] } });
    del("configmaps", "owner", "Foreground");
    assert.deepEqual(get("configmaps", "owner")?.metadata.finalizers, ["foregroundDeletion"]);
    assert.notEqual(get("secrets", "owned")?.metadata.deletionTimestamp, undefined);
    const secret = get("secrets", "owned") ?? assert.fail();
    change("secrets", "owned", { metadata: { ...secret.metadata, finalizers: [] } });
    assert.deepEqual([namesOf("secrets"), namesOf("configmaps")], [[], []]);
  });

  test("does not wait in the foreground for a dependent that does not block", (t) => {
    const { add, del, get, namesOf } = storeWith(t, collectGarbage);
    const own = ownedBy(add("configmaps", "owner"))["metadata"] as JsonMembers;
    add("secrets", "owned", { metadata: { ...own, finalizers: ["example.com/hold"] } });
    del("configmaps", "owner", "Foreground");
    assert.deepEqual(namesOf("configmaps"), []);
    assert.notEqual(get("secrets", "owned")?.metadata.deletionTimestamp, undefined);
  });

  test("stops with its timers", (t) => {
    const { add, namesOf, running } = storeWith(t, collectGarbage);
    const owner = add("configmaps", "owner");
    const stranger = { ...owner, metadata: { ...owner.metadata, uid: "other" } };
    add("secrets", "stray", ownedBy(stranger));
    running.dispose();
    t.mock.timers.tick(10_000);
    assert.deepEqual(namesOf("secrets"), ["stray"]);
  });
});

describe("a namespace", () => {
  const spec = { finalizers: ["kubernetes"] };

  test("gets its account and the authority, and gets the account again", (t) => {
    const { add, del, get, namesOf } = storeWith(t, keepNamespaces);
    add("namespaces", "jobs", { spec });
    assert.deepEqual(namesOf("serviceaccounts"), ["default"]);
    assert.deepEqual(get("configmaps", "kube-root-ca.crt")?.["data"], { "ca.crt": "PEM" });
    add("serviceaccounts", "other");
    del("serviceaccounts", "other");
    assert.deepEqual(namesOf("serviceaccounts"), ["default"]);
    del("serviceaccounts", "default");
    assert.deepEqual(namesOf("serviceaccounts"), ["default"]);
  });

  test("is deleted with all of its objects", (t) => {
    const { add, del, namesOf } = storeWith(t, keepNamespaces);
    add("namespaces", "jobs", { spec });
    add("secrets", "one");
    add("pods", "two");
    del("namespaces", "jobs");
    for (const resource of ["namespaces", "secrets", "pods", "serviceaccounts", "configmaps"]) {
      assert.deepEqual(namesOf(resource), [], resource);
    }
  });

  test("waits for the finalizers of its objects, and makes no new account meanwhile", (t) => {
    const { add, del, get, change, namesOf } = storeWith(t, keepNamespaces);
    add("namespaces", "jobs", { spec });
    const { metadata } = add("secrets", "held", { metadata: { finalizers: ["example.com/a"] } });
    del("namespaces", "jobs");
    assert.deepEqual([namesOf("namespaces"), namesOf("secrets")], [["jobs"], ["held"]]);
    assert.deepEqual(namesOf("serviceaccounts"), []);
    const { deletionTimestamp = "" } = get("secrets", "held")?.metadata ?? {};
    change("secrets", "held", { metadata: { ...metadata, deletionTimestamp, finalizers: [] } });
    assert.deepEqual([namesOf("namespaces"), namesOf("secrets")], [[], []]);
  });

  test("waits for its own finalizers after it is empty", (t) => {
    const { add, del, get } = storeWith(t, keepNamespaces);
    add("namespaces", "jobs", { spec, metadata: { finalizers: ["example.com/a"] } });
    del("namespaces", "jobs");
    assert.deepEqual(get("namespaces", "jobs")?.["spec"], {});
  });
});

describe("a claim in use", () => {
  const finalizers = ["kubernetes.io/pvc-protection"];
  const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "claim" } }];
  const using = (phase: string): JsonMembers => ({ spec: { volumes }, status: { phase } });

  for (const phase of ["Succeeded", "Failed"]) {
    test(`is deleted once its pod is ${phase}`, (t) => {
      const { add, del, change, namesOf } = storeWith(t, protectClaims);
      add("persistentvolumeclaims", "claim", { metadata: { finalizers } });
      add("pods", "pod", using("Running"));
      add("pods", "other", { spec: {} });
      del("persistentvolumeclaims", "claim");
      assert.deepEqual(namesOf("persistentvolumeclaims"), ["claim"]);
      change("pods", "other", { status: { phase } });
      assert.deepEqual(namesOf("persistentvolumeclaims"), ["claim"]);
      change("pods", "pod", { status: { phase } });
      assert.deepEqual(namesOf("persistentvolumeclaims"), []);
    });
  }

  test("is deleted once its pod is deleted, and at once without a pod", (t) => {
    const { add, del, namesOf } = storeWith(t, protectClaims);
    add("persistentvolumeclaims", "claim", { metadata: { finalizers } });
    add("persistentvolumeclaims", "free", { metadata: { finalizers } });
    add("persistentvolumeclaims", "held", { metadata: { finalizers: ["a.b/c", ...finalizers] } });
    add("pods", "pod", using("Pending"));
    for (const name of ["claim", "free", "held"]) del("persistentvolumeclaims", name);
    assert.deepEqual(namesOf("persistentvolumeclaims"), ["claim", "held"]);
    del("pods", "pod");
    assert.deepEqual(namesOf("persistentvolumeclaims"), ["held"]);
  });

  test("keeps its protection while it is not deleted", (t) => {
    const { add, change, get } = storeWith(t, protectClaims);
    add("persistentvolumeclaims", "claim", { metadata: { finalizers } });
    change("persistentvolumeclaims", "claim", { status: { phase: "Bound" } });
    assert.deepEqual(get("persistentvolumeclaims", "claim")?.metadata.finalizers, finalizers);
  });
});

describe("a resource quota", () => {
  const pod = (cpu: string): JsonMembers => ({
    spec: { containers: [{ name: "a", resources: { requests: { cpu } } }] },
  });
  const hard = { pods: "5", "requests.cpu": "4" };

  test("counts what its namespace uses, when it is made and 50 ms after changes", (t) => {
    const { add, del, get, objects } = storeWith(t, countQuotas);
    add("pods", "one", pod("500m"));
    add("resourcequotas", "q", { spec: { hard } });
    const used = (): unknown => (get("resourcequotas", "q")?.["status"] as JsonMembers)["used"];
    assert.deepEqual(used(), { pods: "1", "requests.cpu": "500m" });
    add("pods", "two", pod("1"));
    objects.create("pods", {
      ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "far", namespace: "other" } },
      ...pod("1"),
    });
    t.mock.timers.tick(49);
    assert.deepEqual(used(), { pods: "1", "requests.cpu": "500m" });
    t.mock.timers.tick(1);
    assert.deepEqual(used(), { pods: "2", "requests.cpu": "1500m" });
    del("pods", "one");
    t.mock.timers.tick(50);
    assert.deepEqual(used(), { pods: "1", "requests.cpu": "1" });
  });

  test("is not written again without a change, nor after the end", (t) => {
    const { add, objects, running } = storeWith(t, countQuotas);
    add("resourcequotas", "q", { spec: { hard } });
    t.mock.timers.tick(1_000);
    const { resourceVersion } = objects;
    add("secrets", "s");
    t.mock.timers.tick(1_000);
    assert.equal(objects.resourceVersion, resourceVersion + 1);
    add("pods", "one", pod("1"));
    running.dispose();
    t.mock.timers.tick(1_000);
    assert.equal(objects.resourceVersion, resourceVersion + 2);
  });
});
