import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonValue } from "../../../../src/sandbox/kubeObject.ts";
import {
  fromFieldsV1,
  pathSetOf,
  pathsOf,
  pathText,
  toFieldsV1,
  valueAtPath,
  without,
} from "../../../../src/sandbox/patch/fieldPaths.ts";
import type { OpenApiSchema } from "../../../../src/sandbox/schema/schema.ts";

const schema = {
  type: "object",
  properties: {
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        properties: { protocol: { type: "string", default: "TCP" }, name: { type: "string" } },
      },
    },
    finalizers: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    args: { type: "array", items: { type: "string" } },
    selector: { type: "object", "x-kubernetes-map-type": "atomic" },
  },
} as unknown as OpenApiSchema;

const value: JsonValue = {
  ports: [
    { port: 1, name: "ui" },
    { port: 2, protocol: "UDP" },
  ],
  finalizers: ["a", "b"],
  args: ["x"],
  selector: { app: "orders" },
  labels: { team: "etl", empty: {} },
};
const ui = 'k:{"port":1,"protocol":"TCP"}';
const udp = 'k:{"port":2,"protocol":"UDP"}';

describe("the paths of fields", () => {
  test("name the items of lists with keys and of sets, and stop at atomic values", () => {
    assert.deepEqual(
      pathsOf(value, schema).map((path) => path.join(" ")),
      [
        ...[`f:ports ${ui} .`, `f:ports ${ui} f:port`, `f:ports ${ui} f:name`],
        ...[`f:ports ${udp} .`, `f:ports ${udp} f:port`, `f:ports ${udp} f:protocol`],
        ...['f:finalizers v:"a"', 'f:finalizers v:"b"', "f:args", "f:selector"],
        ...["f:labels f:team", "f:labels f:empty"],
      ],
    );
    assert.deepEqual(pathsOf({}, schema), []);
    assert.deepEqual(pathsOf({ ports: [] }, schema), [["f:ports"]]);
  });

  test("survive the form of managedFields", () => {
    const paths = pathsOf(value, schema);
    const set = pathSetOf(paths);
    assert.deepEqual([...fromFieldsV1(toFieldsV1(set)).keys()].sort(), [...set.keys()].sort());
    assert.deepEqual([...fromFieldsV1({}).keys()], []);
  });

  test("lead to values", () => {
    const at = (...path: readonly string[]) => valueAtPath(value, path, schema);
    assert.equal(at("f:labels", "f:team"), "etl");
    assert.equal(at("f:ports", ui, "f:name"), "ui");
    assert.deepEqual(at("f:ports", udp, "."), { port: 2, protocol: "UDP" });
    assert.equal(at("f:finalizers", 'v:"b"'), "b");
    for (const path of [
      ["f:none", "f:x"],
      ["f:ports", 'k:{"port":3}', "."],
      ["f:labels", 'v:"a"'],
      ["f:finalizers", 'v:"c"'],
    ]) {
      assert.equal(at(...path), undefined);
    }
    assert.equal(at(), value);
  });

  test("remove a member or an item, and nothing if there is none", () => {
    const left = (...path: readonly string[]) => without(value, path, schema) as typeof value;
    assert.deepEqual(left("f:labels", "f:team"), { ...value, labels: { empty: {} } });
    assert.deepEqual(left("f:ports", ui, "f:name"), {
      ...value,
      ports: [{ port: 1 }, { port: 2, protocol: "UDP" }],
    });
    const onlyUdp = { ...value, ports: [{ port: 2, protocol: "UDP" }] };
    assert.deepEqual(left("f:ports", ui), onlyUdp);
    assert.deepEqual(left("f:ports", ui, "."), onlyUdp);
    assert.deepEqual(left("f:finalizers", 'v:"a"'), { ...value, finalizers: ["b"] });
    for (const path of [
      [],
      ["f:none"],
      ["f:none", "f:x"],
      ["f:args", "f:x"],
      ["f:labels", "v:1"],
    ]) {
      assert.deepEqual(left(...path), value);
      assert.deepEqual(Object.keys(left(...path) as object), Object.keys(value as object));
    }
  });

  test("have a text for messages", () => {
    assert.equal(pathText(["f:ports", ui, "."]), '.ports[port=1,protocol="TCP"]');
    assert.equal(pathText(["f:finalizers", 'v:"a"']), '.finalizers[="a"]');
    assert.equal(pathText(["f:spec", "f:x"]), ".spec.x");
  });
});
