import assert from "node:assert/strict";
import { test } from "node:test";
import { Packer } from "../../../src/sandbox/api/packer.ts";
import type { KubeObject } from "../../../src/sandbox/kubeObject.ts";

const event = (name: string, more: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name, namespace: "default" },
  involvedObject: { kind: "Pod", name: "pi-driver" },
  eventTime: null,
  count: 1,
  ...more,
});

test("unpacks an object to its JSON value", () => {
  const packer = new Packer();
  const objects = [
    event("a"),
    event("b", { message: 'with "quotes", spaces and \u{1f600}' }),
    event("c", { list: [{ of: "objects" }, 1, null], empty: {}, none: [] }),
    event("d", { left: undefined, zero: 0, no: false, text: "" }),
    event("e", JSON.parse('{"__proto__":{"own":"member"},"constructor":"c"}') as object),
    event("1", { "2": "two", "1": "one" }),
  ];
  const packed = objects.map((one) => packer.pack(one));
  for (const [at, text] of packed.entries()) {
    const own = packer.unpack(text);
    assert.equal(JSON.stringify(own), JSON.stringify(objects[at]));
    assert.equal(Object.getPrototypeOf(own), Object.prototype);
  }
});

test("stores member names once for each shape", () => {
  const packed = new Packer().pack(event("a"));
  assert.ok(!packed.includes("involvedObject"), packed);
});

test("unpacks objects beyond the maximum number of shapes", () => {
  const packer = new Packer();
  const objects = Array.from({ length: 1000 }, (_, at) => event(`e${at}`, { [`m${at}`]: at }));
  const packed = objects.map((one) => packer.pack(one));
  assert.deepEqual(
    packed.map((one) => packer.unpack(one)),
    objects,
  );
});
