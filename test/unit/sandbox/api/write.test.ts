import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldAt, itemsOf, textAt } from "../../../../src/base/json.ts";
import type { Kind } from "../../../../src/sandbox/api/kinds.ts";
import {
  apply,
  create,
  getOrThrow,
  patch,
  replace,
  withoutUndefined,
  type WriteRequest,
} from "../../../../src/sandbox/api/write.ts";
import type { JsonMembers, JsonValue, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import {
  asSent,
  firstTime,
  kindNamed,
  refusalOf,
  refusalText,
  startApi,
  targetOf,
  thing,
} from "./apiRig.ts";

type Options = Partial<WriteRequest> & { readonly force?: boolean; readonly subresource?: string };

/** Starts an API. Returns functions that read and write objects of one kind, and the list of warnings. */
function writing(kind: string | Kind = "ConfigMap") {
  const api = startApi();
  const { context } = api;
  const found = typeof kind === "string" ? kindNamed(api.kinds, kind) : kind;
  const warnings: string[] = [];
  const of = (options: Options) => ({
    dryRun: false,
    fieldManager: "kubectl",
    fieldValidation: "Warn" as const,
    warn: (warning: string) => void warnings.push(warning),
    force: false,
    ...options,
  });
  const at = (name: string, { subresource = "" }: Options = {}) =>
    targetOf(found, name, subresource);
  return {
    ...api,
    kind: found,
    warnings,
    create: (body: JsonMembers, options: Options = {}, name = "") =>
      create(context, at(name), body, of(options)),
    replace: (name: string, body: JsonMembers, options: Options = {}) =>
      replace(context, at(name, options), body, of(options)),
    patch: (name: string, change: (before: KubeObject) => JsonValue, options: Options = {}) =>
      patch(context, at(name, options), change, of(options)),
    apply: (name: string, body: JsonMembers, options: Options = {}) =>
      apply(context, at(name, options), body, of(options)),
    get: (name: string) => getOrThrow(context, at(name)),
    has: (name: string) =>
      api.objects.get({ resource: found.resource, namespace: "jobs", name }) !== undefined,
  };
}

const named = (name: string, more: JsonMembers = {}, data: JsonMembers = { a: "1" }) => ({
  metadata: { name, ...more },
  data,
});
const managersOf = (object: KubeObject): readonly string[] =>
  itemsOf(object.metadata["managedFields"]).map((entry) => {
    const keys = Object.keys(fieldAt(fieldAt(entry, "fieldsV1"), "f:data") ?? {}).map((key) =>
      key.slice(2),
    );
    return `${textAt(entry, "manager") ?? ""} ${textAt(entry, "operation") ?? ""} ${keys.join(" ")}`;
  });
const startTime = "2026-01-02T03:04:05Z";

describe("a created object", () => {
  test("has the kind, the namespace and the metadata that the server sets", () => {
    const { create, get, objects } = writing();
    const created = create(named("one", { labels: { l: "1" } }));
    const { uid = "" } = created.metadata;
    assert.match(uid, /^[-0-9a-f]{36}$/);
    assert.deepEqual(asSent(created), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "one",
        namespace: "jobs",
        labels: { l: "1" },
        uid,
        creationTimestamp: startTime,
        resourceVersion: String(objects.resourceVersion),
        managedFields: [
          {
            manager: "kubectl",
            operation: "Update",
            apiVersion: "v1",
            time: startTime,
            fieldsType: "FieldsV1",
            fieldsV1: { "f:data": { "f:a": {} }, "f:metadata": { "f:labels": { "f:l": {} } } },
          },
        ],
      },
      data: { a: "1" },
    });
    assert.equal(get("one"), created);
  });

  test("does not keep metadata that only the server may set", () => {
    const { create } = writing();
    const created = create(
      named("one", {
        uid: "mine",
        creationTimestamp: "2000-01-01T00:00:00Z",
        deletionTimestamp: "2000-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 1,
        selfLink: "/x",
        generation: 7,
        managedFields: [{ manager: "x", operation: "Update", fieldsV1: { "f:data": {} } }],
        resourceVersion: "",
      }),
    );
    const { metadata } = created;
    assert.notEqual(metadata.uid, "mine");
    assert.equal(metadata.creationTimestamp, startTime);
    assert.deepEqual(managersOf(created), ["kubectl Update a"]);
    for (const name of ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"]) {
      assert.equal(name in metadata, false, name);
    }
    assert.equal("generation" in metadata, false);
  });

  test("has no namespace if its kind has none", () => {
    const { create, get } = writing("Namespace");
    const created = create({ metadata: { name: "other", namespace: "ignored" } });
    assert.equal("namespace" in created.metadata, false);
    assert.equal(get("other"), created);
  });

  test("may have a generated name of at most 63 characters", () => {
    const { create } = writing();
    const of = (generateName: string): string =>
      create({ metadata: { generateName } }).metadata.name;
    assert.match(of("run-"), /^run-[a-z0-9]{5}$/);
    assert.match(of("a".repeat(100)), /^a{58}[a-z0-9]{5}$/);
    const both = create({ metadata: { generateName: "run-", name: "given" } });
    assert.equal(both.metadata.name, "given");
  });

  test("must have a name", () => {
    const { create } = writing();
    const message =
      '422 ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required';
    for (const metadata of [{}, { name: "" }, { generateName: "" }]) {
      assert.equal(
        refusalText(() => create({ metadata })),
        message,
      );
    }
    assert.equal(
      refusalText(() => create({})),
      message,
    );
  });

  test("must agree with the path in name and namespace", () => {
    const { create, has } = writing();
    assert.equal(
      refusalText(() => create(named("one"), {}, "two")),
      "400 the name of the object does not match the name on the URL",
    );
    assert.equal(create(named("two"), {}, "two").metadata.name, "two");
    assert.equal(
      refusalText(() => create(named("one", { namespace: "other" }))),
      "400 the namespace of the provided object does not match the namespace sent on the request",
    );
    assert.equal(has("one"), false);
    assert.equal(create(named("three", { namespace: "jobs" })).metadata.namespace, "jobs");
    assert.equal(create(named("four", { namespace: "" })).metadata.namespace, "jobs");
  });

  test("must have no resource version", () => {
    const { create } = writing();
    const refusal = refusalOf(() => create(named("one", { resourceVersion: "5" })));
    assert.deepEqual(
      [refusal.code, refusal.reason, refusal.message],
      [500, "", "resourceVersion should not be set on objects to be created"],
    );
  });

  test("must not exist yet, even in a dry run", () => {
    const { create } = writing();
    create(named("one"));
    for (const dryRun of [false, true]) {
      const text = refusalText(() => create(named("one"), { dryRun }));
      assert.equal(text, '409 configmaps "one" already exists');
    }
  });

  test("must be valid", () => {
    const { create, has } = writing();
    assert.match(
      refusalText(() => create(named("one", {}, { "a b": "1" }))),
      /^422 ConfigMap "one" is invalid: data\[a b\]: Invalid value/,
    );
    assert.equal(has("one"), false);
  });

  test("is returned but not stored in a dry run", () => {
    const { create, has, objects } = writing();
    const version = objects.resourceVersion;
    const { metadata } = create(named("one"), { dryRun: true });
    assert.match(metadata.uid ?? "", /^[-0-9a-f]{36}$/);
    assert.equal(metadata.creationTimestamp, startTime);
    assert.equal("resourceVersion" in metadata, false);
    assert.equal(has("one"), false);
    assert.equal(objects.resourceVersion, version);
  });

  test("loses unknown fields with a warning", () => {
    const { create, warnings } = writing();
    assert.equal("extra" in create({ ...named("one"), extra: 1 }), false);
    assert.deepEqual(warnings, ['unknown field "extra"']);
  });

  test("of a custom kind is stored in the storage version and checked by its schema", () => {
    const { create, kind } = writing(thing("v2"));
    assert.equal(kind.version, "v2");
    const created = create({ metadata: { name: "one" }, spec: { size: 1 } });
    assert.equal(created.apiVersion, "example.com/v1");
    assert.match(
      refusalText(() => create({ metadata: { name: "two" }, spec: { size: 0 } })),
      /^422 Thing\.example\.com "two" is invalid: spec\.size: Invalid value: 0/,
    );
  });
});

describe("a replaced object", () => {
  test("keeps server-owned fields and gets a new resource version", () => {
    const { create, replace, setTime, objects } = writing();
    const first = create(named("one"));
    setTime(firstTime + 60_000);
    const { uid, creationTimestamp, resourceVersion } = first.metadata;
    const next = replace("one", {
      metadata: { name: "one", creationTimestamp: "2000-01-01T00:00:00Z", generation: 5 },
      data: { b: "2" },
    });
    assert.deepEqual(asSent(next), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "one",
        namespace: "jobs",
        uid,
        creationTimestamp,
        resourceVersion: String(objects.resourceVersion),
        managedFields: [
          {
            manager: "kubectl",
            operation: "Update",
            apiVersion: "v1",
            time: "2026-01-02T03:05:05Z",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:data": { "f:b": {} } },
          },
        ],
      },
      data: { b: "2" },
    });
    assert.notEqual(next.metadata.resourceVersion, resourceVersion);
  });

  test("must have the name and the namespace of the path", () => {
    const { create, replace } = writing();
    create(named("one"));
    assert.equal(
      refusalText(() => replace("one", { data: {} })),
      "400 the name of the object (one based on URL) was undeterminable: name must be provided",
    );
    assert.equal(
      refusalText(() => replace("one", named("two"))),
      "400 the name of the object (two) does not match the name on the URL (one)",
    );
    assert.equal(
      refusalText(() => replace("one", named("one", { namespace: "other" }))),
      "400 the namespace of the provided object does not match the namespace sent on the request",
    );
  });

  test("must exist", () => {
    const { replace } = writing();
    const text = refusalText(() => replace("one", named("one")));
    assert.equal(text, '404 configmaps "one" not found');
  });

  test("must have the stored resource version, or none", () => {
    const { create, replace } = writing();
    const { resourceVersion = "" } = create(named("one")).metadata;
    const next = replace("one", named("one", { resourceVersion }, { a: "2" }));
    assert.deepEqual(next["data"], { a: "2" });
    assert.equal(
      refusalText(() => replace("one", named("one", { resourceVersion }, { a: "3" }))),
      '409 Operation cannot be fulfilled on configmaps "one": the object has been modified; please apply your changes to the latest version and try again',
    );
    const forced = replace("one", named("one", { resourceVersion: "" }, { a: "4" }));
    assert.deepEqual(forced["data"], { a: "4" });
  });

  test("must have the stored uid, or none", () => {
    const { create, replace } = writing();
    const { uid = "" } = create(named("one")).metadata;
    for (const own of [uid, ""]) replace("one", named("one", { uid: own }, { own }));
    assert.equal(
      refusalText(() => replace("one", named("one", { uid: "other" }))),
      `409 Operation cannot be fulfilled on configmaps "one": StorageError: invalid object, Code: 4, Key: /registry/configmaps/jobs/one, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
    );
  });

  test("without a namespace has none in the key of a uid conflict", () => {
    const { create, replace } = writing("PriorityClass");
    const body = (uid?: string): JsonMembers => ({
      ...{ metadata: { name: "one", ...(uid !== undefined && { uid }) }, value: 1 },
    });
    create(body());
    const text = refusalText(() => replace("one", body("other")));
    assert.match(text, /Key: \/registry\/priorityclasses\/one, ResourceVersion: 0,/);
  });

  test("is not stored in a dry run", () => {
    const { create, replace, get } = writing();
    const first = create(named("one"));
    const next = replace("one", named("one", {}, { b: "2" }), { dryRun: true });
    assert.deepEqual(next["data"], { b: "2" });
    assert.equal(get("one"), first);
  });

  test("is the stored one if nothing changes but the order of members", () => {
    const { create, replace, setTime, objects } = writing();
    const first = create(named("one", { labels: { l: "1", m: "2" } }, { a: "1", b: "2" }));
    const version = objects.resourceVersion;
    setTime(firstTime + 60_000);
    const body = named("one", { labels: { m: "2", l: "1" } }, { b: "2", a: "1" });
    assert.equal(replace("one", body), first);
    assert.equal(objects.resourceVersion, version);
  });

  for (const [title, body] of [
    ["data", named("one", { labels: { l: "1" } }, { a: "2" })],
    ["metadata", named("one", { labels: { l: "2" } })],
    ["a removed member", { metadata: { name: "one", labels: { l: "1" } } }],
    ["removed metadata", named("one")],
    ["an added member", { ...named("one", { labels: { l: "1" } }), binaryData: { b: "AA==" } }],
  ] as const) {
    test(`is stored if it changes ${title}`, () => {
      const { create, replace, objects } = writing();
      create(named("one", { labels: { l: "1" } }));
      const version = objects.resourceVersion;
      replace("one", body);
      assert.equal(objects.resourceVersion, version + 1);
    });
  }

  test("shares equal members with the previous object", () => {
    const { create, replace } = writing();
    const first = create(named("one", { labels: { l: "1" } }, { a: "1" }));
    const next = replace("one", named("one", { labels: { l: "1" } }, { a: "2" }));
    assert.equal(next.metadata.labels, first.metadata.labels);
    assert.notEqual(next["data"], first["data"]);
  });

  test("keeps the deletion that is under way", () => {
    const { create, replace, objects } = writing();
    create(named("one", { finalizers: ["example.com/hold"] }));
    objects.remove({ resource: "configmaps", namespace: "jobs", name: "one" });
    const body = named("one", { finalizers: ["example.com/hold"] }, { b: "2" });
    const { metadata } = replace("one", body);
    assert.equal(metadata.deletionTimestamp, startTime);
    assert.equal(metadata.deletionGracePeriodSeconds, 0);
  });

  test("gets no new finalizers while it is deleted, and is removed with the last one", () => {
    const { create, replace, objects, has } = writing();
    create(named("one", { finalizers: ["example.com/hold", "example.com/b"] }));
    objects.remove({ resource: "configmaps", namespace: "jobs", name: "one" });
    const finalizers = ["example.com/hold", "example.com/c", "example.com/d"];
    const refusal = refusalOf(() => replace("one", named("one", { finalizers })));
    assert.equal(
      refusal.message,
      'ConfigMap "one" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c", "example.com/d"}',
    );
    const second = { finalizers: ["example.com/hold", "example.com/c"] };
    const text = refusalText(() => replace("one", named("one", second)));
    assert.match(text, /found new finalizers \[\]string\{"example\.com\/c"\}$/);
    replace("one", named("one", { finalizers: ["example.com/hold"] }));
    assert.equal(has("one"), true);
    replace("one", named("one"));
    assert.equal(has("one"), false);
  });

  test("may get finalizers while it is not deleted", () => {
    const { create, replace } = writing();
    create(named("one"));
    const finalizers = ["example.com/c"];
    assert.deepEqual(replace("one", named("one", { finalizers })).metadata.finalizers, finalizers);
  });

  test("is validated as an update of a built-in kind", () => {
    const { create, replace } = writing("Secret");
    create({ metadata: { name: "one" }, type: "a/b" });
    assert.equal(
      refusalText(() => replace("one", { metadata: { name: "one" }, type: "a/c" })),
      '422 Secret "one" is invalid: type: Invalid value: "a/c": field is immutable',
    );
  });

  test("is validated by the schema of a custom kind, and its generation counts changes", () => {
    const { create, replace } = writing(thing("v1"));
    const body = (spec: JsonMembers): JsonMembers => ({ metadata: { name: "one" }, spec });
    assert.equal(create(body({ size: 1 })).metadata.generation, 1);
    assert.equal(replace("one", body({ size: 2 })).metadata.generation, 2);
    assert.match(
      refusalText(() => replace("one", body({ size: 0 }))),
      /^422 Thing\.example\.com "one" is invalid: spec\.size/,
    );
  });

  test("changes only its status by the subresource", () => {
    const { create, replace } = writing("Pod");
    const spec = { containers: [{ name: "a", image: "x:1" }] };
    create({ metadata: { name: "one" }, spec });
    const next = replace(
      "one",
      { metadata: { name: "one" }, spec: {}, status: { phase: "Running" } },
      { subresource: "status", fieldManager: "kubelet" },
    );
    assert.equal(textAt(itemsOf(fieldAt(next["spec"], "containers"))[0], "name"), "a");
    assert.deepEqual(next["status"], { phase: "Running" });
    const managers = itemsOf(next.metadata["managedFields"]);
    assert.deepEqual(
      managers.map((entry) => [textAt(entry, "manager"), textAt(entry, "subresource")]),
      [
        ["kubectl", undefined],
        ["kubelet", "status"],
      ],
    );
  });

  test("has no subresource in its managers for other paths", () => {
    const { create, replace } = writing();
    create(named("one"));
    const next = replace("one", named("one", {}, { a: "2" }), { subresource: "scale" });
    const [entry] = itemsOf(next.metadata["managedFields"]);
    assert.equal(textAt(entry, "subresource"), undefined);
  });
});

describe("a patched object", () => {
  test("is the result of the change", () => {
    const { create, patch, get } = writing();
    create(named("one"));
    const next = patch("one", (before) => ({ ...before, data: { b: "2" } }), {
      fieldManager: "other",
    });
    assert.deepEqual(next["data"], { b: "2" });
    assert.deepEqual(managersOf(next), ["other Update b"]);
    assert.equal(get("one"), next);
  });

  test("must remain an object", () => {
    const { create, patch } = writing();
    create(named("one"));
    for (const value of [null, "text", []]) {
      assert.equal(
        refusalText(() => patch("one", () => value)),
        "400 the result of a patch must be an object",
      );
    }
  });

  test("must exist", () => {
    const { patch } = writing();
    assert.equal(
      refusalText(() => patch("one", (one) => one)),
      '404 configmaps "one" not found',
    );
  });

  test("keeps its name and uid", () => {
    const { create, patch } = writing();
    create(named("one"));
    const withMetadata = (more: JsonMembers) => (before: KubeObject) => ({
      ...before,
      metadata: { ...before.metadata, ...more },
    });
    const name = "does not match the name on the URL (one)";
    assert.equal(
      refusalText(() => patch("one", withMetadata({ name: "two" }))),
      `400 the name of the object (two) ${name}`,
    );
    assert.equal(
      refusalText(() => patch("one", (before) => ({ ...before, metadata: null }))),
      `400 the name of the object () ${name}`,
    );
    for (const [uid, told] of [
      ["other", '"other"'],
      [undefined, '""'],
    ] as const) {
      assert.equal(
        refusalText(() => patch("one", withMetadata({ uid }))),
        `422 ConfigMap "one" is invalid: metadata.uid: Invalid value: ${told}: field is immutable`,
      );
    }
  });

  test("of a custom kind is patched in the version of the path", () => {
    const api = writing(thing("v2"));
    api.create({ metadata: { name: "one" }, spec: { size: 1 } });
    const versions: string[] = [];
    const next = api.patch("one", (before) => {
      versions.push(before.apiVersion);
      return { ...before, spec: { size: 2 } };
    });
    assert.deepEqual(versions, ["example.com/v2"]);
    assert.equal(next.apiVersion, "example.com/v1");
    assert.deepEqual(api.get("one")["spec"], { size: 2 });
  });
});

describe("an applied object", () => {
  test("is created with the fields of its manager", () => {
    const { apply, get, setTime, objects } = writing();
    setTime(firstTime + 1000);
    const { object, isNew } = apply("one", { metadata: {}, data: { a: "1" } });
    assert.equal(isNew, true);
    assert.equal(get("one"), object);
    const { uid = "" } = object.metadata;
    assert.match(uid, /^[-0-9a-f]{36}$/);
    assert.deepEqual(asSent(object), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "one",
        namespace: "jobs",
        uid,
        creationTimestamp: "2026-01-02T03:04:06Z",
        resourceVersion: String(objects.resourceVersion),
        managedFields: [
          {
            manager: "kubectl",
            operation: "Apply",
            apiVersion: "v1",
            time: "2026-01-02T03:04:06Z",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:data": { "f:a": {} } },
          },
        ],
      },
      data: { a: "1" },
    });
  });

  test("is not stored in a dry run", () => {
    const { apply, has } = writing();
    const { object, isNew } = apply("one", named("one"), { dryRun: true });
    assert.equal(isNew, true);
    assert.deepEqual(managersOf(object), ["kubectl Apply a"]);
    assert.equal(has("one"), false);
    apply("one", named("one"));
    const again = apply("one", named("one", {}, { a: "2" }), { dryRun: true });
    assert.equal(again.isNew, false);
    assert.deepEqual(again.object["data"], { a: "2" });
    assert.deepEqual(apply("one", named("one")).object["data"], { a: "1" });
  });

  test("merges the fields of several managers, and removes a field with its last manager", () => {
    const { apply, objects } = writing();
    apply("one", named("one", {}, { a: "1", b: "1" }), { fieldManager: "x" });
    const both = apply("one", named("one", {}, { a: "1", c: "1" }), { fieldManager: "y" });
    assert.equal(both.isNew, false);
    assert.deepEqual(both.object["data"], { a: "1", b: "1", c: "1" });
    assert.deepEqual(managersOf(both.object).toSorted(), ["x Apply a b", "y Apply a c"]);
    const less = apply("one", named("one", {}, { c: "1" }), { fieldManager: "y" });
    assert.deepEqual(less.object["data"], { a: "1", b: "1", c: "1" });
    const least = apply("one", named("one", {}, { b: "1" }), { fieldManager: "x" });
    assert.deepEqual(least.object["data"], { b: "1", c: "1" });
    const version = objects.resourceVersion;
    apply("one", named("one", {}, { b: "1" }), { fieldManager: "x" });
    assert.equal(objects.resourceVersion, version);
  });

  test("is stored if only its managers change", () => {
    const { apply, objects } = writing();
    apply("one", named("one"), { fieldManager: "x" });
    const version = objects.resourceVersion;
    apply("one", named("one"), { fieldManager: "y" });
    assert.equal(objects.resourceVersion, version + 1);
  });

  test("conflicts with fields of another manager, unless forced", () => {
    const { apply } = writing();
    apply("one", named("one"), { fieldManager: "x" });
    const body = named("one", {}, { a: "2" });
    assert.equal(
      refusalText(() => apply("one", body, { fieldManager: "y" })),
      '409 Apply failed with 1 conflict: conflict with "x": .data.a',
    );
    const { object } = apply("one", body, { fieldManager: "y", force: true });
    assert.deepEqual(object["data"], { a: "2" });
    assert.deepEqual(managersOf(object), ["y Apply a"]);
  });

  test("does not own fields that the server decodes or defaults", () => {
    const { apply } = writing("Service");
    const { object } = apply("one", {
      metadata: { name: "one" },
      spec: { ports: [{ port: 80 }], selector: { a: "b" } },
    });
    const [entry] = itemsOf(object.metadata["managedFields"]);
    assert.deepEqual(Object.keys(fieldAt(fieldAt(entry, "fieldsV1"), "f:spec") ?? {}), [
      "f:ports",
      "f:selector",
    ]);
    const [type, port] = [fieldAt(object["spec"], "type"), fieldAt(object["spec"], "ports")];
    assert.equal(type, "ClusterIP");
    assert.deepEqual(port, [{ protocol: "TCP", port: 80, targetPort: 80 }]);
  });

  test("does not own nested fields that the server decodes", () => {
    const { apply } = writing("NetworkPolicy");
    const { object } = apply("one", { metadata: {}, spec: { policyTypes: ["Ingress"] } });
    assert.deepEqual(object["spec"], { policyTypes: ["Ingress"], podSelector: {} });
    const [entry] = itemsOf(object.metadata["managedFields"]);
    assert.deepEqual(fieldAt(entry, "fieldsV1"), { "f:spec": { "f:policyTypes": {} } });
  });

  test("must agree with the path and have no managed fields", () => {
    const { apply } = writing();
    assert.equal(
      refusalText(() => apply("one", named("two"))),
      "400 the name of the object (two) does not match the name on the URL (one)",
    );
    assert.equal(
      refusalText(() => apply("one", named("one", { managedFields: [] }))),
      "400 metadata.managedFields must be nil",
    );
    assert.match(
      refusalText(() => apply("one", named("one", { namespace: "other" }))),
      /^400 the namespace of the provided object does not match/,
    );
  });

  test("is not created if it has a uid", () => {
    const { apply, has } = writing();
    const text = refusalText(() => apply("one", named("one", { uid: "u" })));
    assert.equal(text, '404 configmaps "one" not found');
    assert.equal(has("one"), false);
  });

  test("has no namespace if its kind has none", () => {
    const { apply } = writing("PriorityClass");
    const { object } = apply("one", { metadata: {}, value: 1 });
    assert.equal("namespace" in object.metadata, false);
  });

  test("must have no unknown fields if its kind is built-in", () => {
    const { apply, warnings } = writing();
    const typed = "failed to create typed patch object";
    assert.equal(
      refusalText(() => apply("one", { ...named("one"), extra: 1 }, { fieldValidation: "Ignore" })),
      `500 ${typed} (/one; /v1, Kind=ConfigMap): .extra: field not declared in schema`,
    );
    const two = { ...named("one", { namespace: "jobs", x: 1 }), extra: 1 };
    assert.equal(
      refusalText(() => apply("one", two)),
      `500 ${typed} (jobs/one; /v1, Kind=ConfigMap): errors:\n  .metadata.x: field not declared in schema\n  .extra: field not declared in schema`,
    );
    assert.deepEqual(warnings, []);
  });

  test("loses unknown fields with a warning if its kind is custom", () => {
    const { apply, warnings } = writing(thing("v2"));
    const body = { metadata: { name: "one" }, spec: { size: 1, extra: 1 } };
    const { object } = apply("one", body);
    assert.deepEqual(object["spec"], { size: 1 });
    assert.equal(object.apiVersion, "example.com/v1");
    assert.ok(warnings.includes('unknown field "spec.extra"'));
    const [entry] = itemsOf(object.metadata["managedFields"]);
    assert.equal(textAt(entry, "apiVersion"), "example.com/v2");
    assert.deepEqual(fieldAt(entry, "fieldsV1"), { "f:spec": { "f:size": {} } });
  });
});

test("undefined members of an object and of its metadata are removed", () => {
  const object = withoutUndefined({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "one", labels: undefined } as unknown as KubeObject["metadata"],
    data: undefined,
    spec: { inner: undefined },
  });
  assert.deepEqual(Object.keys(object), ["apiVersion", "kind", "metadata", "spec"]);
  assert.deepEqual(Object.keys(object.metadata), ["name"]);
  assert.deepEqual(Object.keys(object["spec"] ?? {}), ["inner"]);
});
