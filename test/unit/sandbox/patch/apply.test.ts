import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldsOf } from "../../../../src/base/json.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { applyTo } from "../../../../src/sandbox/patch/apply.ts";
import { pathSetOf } from "../../../../src/sandbox/patch/fieldPaths.ts";
import {
  afterUpdate,
  minus,
  ownedPaths,
  ownersOf,
  withOwners,
  type Writer,
} from "../../../../src/sandbox/patch/managedFields.ts";
import type { OpenApiSchema } from "../../../../src/sandbox/schema/schema.ts";
import { asSent, refusalOf } from "../api/apiRig.ts";

const schema = {
  type: "object",
  properties: {
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port"],
      items: { type: "object", properties: { name: { type: "string" } } },
    },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    args: { type: "array", items: { type: "string" } },
    selector: { type: "object", "x-kubernetes-map-type": "atomic" },
  },
} as unknown as OpenApiSchema;

const objectOf = (more: JsonMembers = {}, metadata: JsonMembers = {}): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Thing", metadata: { name: "one", ...metadata } },
  ...more,
});
const writerOf = (manager: string, subresource = "", time = "t1"): Writer => ({
  ...{ manager, subresource, time },
});

const applied = (
  live: KubeObject,
  manager: string,
  more: JsonMembers,
  { force = false, subresource = "" } = {},
): KubeObject =>
  applyTo(live, objectOf(more), { writer: writerOf(manager, subresource), force, schema });

const updated = (before: KubeObject | undefined, after: KubeObject, manager: string): KubeObject =>
  afterUpdate(before, after, writerOf(manager), schema);

/** Returns the members of an object except `apiVersion`, `kind` and `metadata`. */
function dataOf(object: KubeObject): unknown {
  const { apiVersion, kind, metadata, ...data } = object;
  assert.deepEqual([apiVersion, kind, metadata.name], ["v1", "Thing", "one"]);
  return data;
}

/** Returns the managers with the paths of their fields. */
const ownersText = (object: KubeObject): readonly string[] =>
  ownersOf(object).map(({ manager, operation, subresource, fields }) => {
    const paths = [...fields.values()].map((path) =>
      path.map((part) => part.replace(/^f:/, "")).join("."),
    );
    const who = `${manager}${subresource === "" ? "" : `/${subresource}`} ${operation}`;
    return `${who}: ${paths.toSorted().join(" ")}`;
  });

describe("a server-side apply", () => {
  test("merges objects, lists with keys and sets, and replaces other values", () => {
    const live = objectOf({
      ports: [{ port: 1, name: "a" }, { port: 2 }],
      tags: ["x", "y"],
      args: ["1", "2"],
      selector: { app: "old" },
      labels: { a: "1", b: { c: "1" } },
    });
    const merged = applied(live, "x", {
      ports: [
        { port: 2, name: "b" },
        { port: 3, name: "c" },
      ],
      tags: ["y", "z"],
      args: ["3"],
      selector: { team: "etl" },
      labels: { b: { d: "1" }, e: null },
    });
    assert.deepEqual(dataOf(merged), {
      ports: [
        { port: 1, name: "a" },
        { port: 2, name: "b" },
        { port: 3, name: "c" },
      ],
      tags: ["x", "y", "z"],
      args: ["3"],
      selector: { team: "etl" },
      labels: { a: "1", b: { c: "1", d: "1" } },
    });
  });

  test("sets lists that the object does not have", () => {
    const merged = applied(objectOf(), "x", { ports: [{ port: 1 }], tags: ["a"] });
    assert.deepEqual(dataOf(merged), { ports: [{ port: 1 }], tags: ["a"] });
  });

  test("puts the entry of its manager first", () => {
    const first = applied(objectOf(), "x", { labels: { a: "1" } });
    assert.deepEqual(first.metadata["managedFields"], [
      {
        manager: "x",
        operation: "Apply",
        apiVersion: "v1",
        time: "t1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:labels": { "f:a": {} } },
      },
    ]);
    const second = applied(first, "y", { labels: { b: "1" } }, { subresource: "status" });
    assert.deepEqual(ownersText(second), ["y/status Apply: labels.b", "x Apply: labels.a"]);
  });

  test("removes fields that its manager no longer applies", () => {
    const first = applied(objectOf({ labels: { other: "1" } }), "x", {
      labels: { a: "1", b: "1" },
      ports: [{ port: 1, name: "a" }, { port: 2 }],
      tags: ["p", "q"],
      args: ["1"],
    });
    const next = applied(first, "x", { labels: { b: "1" }, ports: [{ port: 2 }], tags: ["q"] });
    assert.deepEqual(dataOf(next), {
      labels: { other: "1", b: "1" },
      ports: [{ port: 2 }],
      tags: ["q"],
    });
    assert.deepEqual(ownersText(next), [
      'x Apply: labels.b ports.k:{"port":2}.. ports.k:{"port":2}.port tags.v:"q"',
    ]);
  });

  test("removes one member of a list item", () => {
    const first = applied(objectOf(), "x", { ports: [{ port: 1, name: "a" }] });
    const next = applied(first, "x", { ports: [{ port: 1 }] });
    assert.deepEqual(dataOf(next), { ports: [{ port: 1 }] });
  });

  test("keeps a field that another manager also owns", () => {
    const both = applied(applied(objectOf(), "x", { labels: { a: "1" } }), "y", {
      labels: { a: "1" },
    });
    const less = applied(both, "x", {});
    assert.deepEqual(dataOf(less), { labels: { a: "1" } });
    assert.deepEqual(ownersText(less), ["y Apply: labels.a"]);
    assert.deepEqual(dataOf(applied(less, "y", {})), { labels: {} });
  });

  test("keeps a list item in which another manager owns a field", () => {
    const first = applied(objectOf(), "x", { ports: [{ port: 1 }, { port: 2 }] });
    const both = applied(first, "y", { ports: [{ port: 1, name: "a" }] });
    const less = applied(both, "x", {});
    assert.deepEqual(dataOf(less), { ports: [{ port: 1, name: "a" }] });
    assert.deepEqual(dataOf(applied(less, "y", {})), { ports: [] });
  });

  test("removes a list item with the fields that another manager has updated in it", () => {
    const first = applied(objectOf(), "x", { ports: [{ port: 1, name: "a" }, { port: 2 }] });
    const ports = [{ port: 1, name: "b" }, { port: 2 }];
    const both = updated(first, { ...first, ports }, "y");
    assert.deepEqual(ownersText(both), [
      'x Apply: ports.k:{"port":1}.. ports.k:{"port":1}.port ports.k:{"port":2}.. ports.k:{"port":2}.port',
      'y Update: ports.k:{"port":1}.name',
    ]);
    const less = applied(both, "x", { ports: [{ port: 2 }] });
    assert.deepEqual(dataOf(less), { ports: [{ port: 2 }] });
    assert.deepEqual(ownersText(less), ['x Apply: ports.k:{"port":2}.. ports.k:{"port":2}.port']);
  });

  test("is another manager with another operation or subresource", () => {
    const first = updated(undefined, objectOf({ labels: { a: "1" } }), "x");
    const both = applied(first, "x", { labels: { a: "1" } });
    assert.deepEqual(ownersText(both), ["x Apply: labels.a", "x Update: labels.a"]);
    assert.deepEqual(dataOf(applied(both, "x", {})), { labels: { a: "1" } });
    const status = applied(both, "x", { labels: { b: "1" } }, { subresource: "status" });
    assert.deepEqual(dataOf(status), { labels: { a: "1", b: "1" } });
  });

  test("conflicts with another value of another manager", () => {
    const live = applied(objectOf(), "x", { labels: { a: "1" }, ports: [{ port: 1, name: "a" }] });
    const refusal = refusalOf(() => applied(live, "y", { labels: { a: "2" } }));
    assert.deepEqual(
      [refusal.code, refusal.reason, refusal.message],
      [409, "Conflict", 'Apply failed with 1 conflict: conflict with "x": .labels.a'],
    );
    assert.deepEqual(refusal.details, {
      causes: [
        { reason: "FieldManagerConflict", message: 'conflict with "x"', field: ".labels.a" },
      ],
    });
    const item = refusalOf(() => applied(live, "y", { ports: [{ port: 1, name: "b" }] }));
    assert.equal(
      item.message,
      'Apply failed with 1 conflict: conflict with "x": .ports[port=1].name',
    );
  });

  test("names all conflicts with all managers", () => {
    const first = updated(undefined, objectOf({ labels: { a: "1", b: "1" } }), "x");
    const live = applied(first, "y", { labels: { c: "1" } }, { subresource: "status" });
    const refusal = refusalOf(() => applied(live, "z", { labels: { a: "2", b: "2", c: "2" } }));
    assert.equal(
      refusal.message,
      'Apply failed with 3 conflicts: conflicts with "y" with subresource "status":\n- .labels.c\nconflicts with "x" using v1:\n- .labels.a\n- .labels.b',
    );
  });

  test("takes over fields of other managers if forced", () => {
    const live = applied(objectOf(), "x", { labels: { a: "1", b: "1" } });
    const taken = applied(live, "y", { labels: { a: "2", b: "1" } }, { force: true });
    assert.deepEqual(dataOf(taken), { labels: { a: "2", b: "1" } });
    assert.deepEqual(ownersText(taken), ["y Apply: labels.a labels.b", "x Apply: labels.b"]);
  });

  test("may change its own fields and fields without a manager", () => {
    const live = applied(objectOf({ labels: { b: "1" } }), "x", { labels: { a: "1" } });
    const next = applied(live, "x", { labels: { a: "2", b: "2" } });
    assert.deepEqual(dataOf(next), { labels: { a: "2", b: "2" } });
  });
});

describe("the managers after an update", () => {
  test("are the writer with all fields of a new object", () => {
    const created = updated(
      undefined,
      objectOf({ labels: { a: "1" } }, { labels: { l: "1" } }),
      "x",
    );
    assert.deepEqual(ownersText(created), ["x Update: labels.a metadata.labels.l"]);
  });

  test("are the writer with the changed fields, and the others with the rest", () => {
    const first = updated(
      undefined,
      objectOf({ labels: { a: "1", b: "1", c: "1" }, args: [] }),
      "x",
    );
    const changed = objectOf({ labels: { a: "1", b: "2", d: "1" }, args: [] }, first.metadata);
    assert.deepEqual(ownersText(updated(first, changed, "y")), [
      "x Update: args labels.a",
      "y Update: labels.b labels.d",
    ]);
  });

  test("keep the fields of the writer's earlier updates", () => {
    const first = updated(undefined, objectOf({ labels: { a: "1", b: "1" }, args: ["1"] }), "x");
    const next = updated(first, objectOf({ labels: { a: "2" }, args: ["1"] }, first.metadata), "x");
    assert.deepEqual(ownersText(next), ["x Update: args labels.a"]);
  });

  test("own the items that they add to a list", () => {
    const first = updated(undefined, objectOf({ ports: [{ port: 1 }] }), "x");
    const ports = [{ port: 1 }, { port: 2 }];
    assert.deepEqual(ownersText(updated(first, { ...first, ports }, "y")), [
      'x Update: ports.k:{"port":1}.. ports.k:{"port":1}.port',
      'y Update: ports.k:{"port":2}.. ports.k:{"port":2}.port',
    ]);
  });

  test("drop a manager without fields", () => {
    const first = updated(undefined, objectOf({ labels: { a: "1" } }), "x");
    const next = updated(first, objectOf({ labels: { a: "2" } }, first.metadata), "y");
    assert.deepEqual(ownersText(next), ["y Update: labels.a"]);
    const none = updated(next, objectOf({}, next.metadata), "z");
    assert.equal("managedFields" in none.metadata, false);
  });

  test("distinguish the operation and the subresource of a manager", () => {
    const first = applied(objectOf(), "x", { labels: { a: "1" } });
    const second = afterUpdate(
      first,
      { ...first, labels: { a: "1", b: "1" } },
      writerOf("x"),
      schema,
    );
    const third = afterUpdate(
      second,
      { ...second, labels: { a: "1", b: "1", c: "1" } },
      writerOf("x", "status"),
      schema,
    );
    assert.deepEqual(ownersText(third), [
      "x Apply: labels.a",
      "x Update: labels.b",
      "x/status Update: labels.c",
    ]);
  });

  test("keep the time of the writer's last change", () => {
    const first = updated(undefined, objectOf({ labels: { a: "1" } }), "x");
    const timesAfter = (after: KubeObject, manager: string): unknown =>
      ownersOf(afterUpdate(first, after, writerOf(manager, "", "t2"), schema)).map(
        ({ time }) => time,
      );
    assert.deepEqual(timesAfter(first, "x"), ["t1"]);
    assert.deepEqual(timesAfter({ ...first, labels: { a: "2" } }, "x"), ["t2"]);
    assert.deepEqual(timesAfter({ ...first, labels: { a: "1", b: "1" } }, "y"), ["t1", "t2"]);
  });

  test("have the version of the object", () => {
    const object = { ...objectOf({ labels: { a: "1" } }), apiVersion: "v2" };
    const [owner] = ownersOf(updated(undefined, object, "x"));
    assert.equal(owner?.apiVersion, "v2");
  });
});

describe("managed fields", () => {
  test("do not include fields that only the server sets", () => {
    const object = objectOf(
      { spec: { name: "x" } },
      {
        namespace: "jobs",
        uid: "u",
        resourceVersion: "1",
        generation: 1,
        creationTimestamp: "t",
        deletionTimestamp: "t",
        deletionGracePeriodSeconds: 1,
        managedFields: [{}],
        selfLink: "/",
        annotations: { a: "1" },
        finalizers: ["f"],
      },
    );
    assert.deepEqual(
      [...ownedPaths(object, {}).values()],
      [
        ["f:metadata", "f:annotations", "f:a"],
        ["f:metadata", "f:finalizers"],
        ["f:spec", "f:name"],
      ],
    );
  });

  test("are decoded with empty texts for missing members", () => {
    const [owner] = ownersOf(objectOf({}, { managedFields: [{}] }));
    const { fields, ...rest } = owner ?? assert.fail("no owner");
    assert.deepEqual(rest, {
      ...{ manager: "", operation: "Update", apiVersion: "", time: "", subresource: "" },
    });
    assert.equal(fields.size, 0);
    assert.deepEqual(ownersOf(objectOf()), []);
    assert.deepEqual(ownersOf(objectOf({}, { managedFields: "none" })), []);
  });

  test("have a subresource only if it is not the object itself", () => {
    const fields = pathSetOf([["f:a"]]);
    const common = { manager: "x", operation: "Update" as const, apiVersion: "v1", time: "t" };
    const object = withOwners(objectOf({}, { managedFields: "old" }), [
      { ...common, subresource: "", fields },
      { ...common, subresource: "status", fields },
      { ...common, subresource: "none", fields: pathSetOf([]) },
    ]);
    const entry = { ...common, fieldsType: "FieldsV1", fieldsV1: { "f:a": {} } };
    assert.deepEqual(fieldsOf(asSent(object.metadata))["managedFields"], [
      entry,
      { ...entry, subresource: "status" },
    ]);
    assert.equal("managedFields" in withOwners(object, []).metadata, false);
  });

  test("are subtracted by their text", () => {
    const fields = pathSetOf([["f:a"], ["f:b"]]);
    assert.deepEqual([...minus(fields, (text) => text === "f:a").keys()], ["f:b"]);
  });
});
