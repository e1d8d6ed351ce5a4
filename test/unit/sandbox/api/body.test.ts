import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBody } from "../../../../src/sandbox/api/body.ts";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";

const json = '{"kind":"Pod","kind":"Pod"}';

test("a body is JSON without a type, and by its type JSON or YAML", () => {
  for (const type of ["", "application/json", "application/json; charset=utf-8"]) {
    assert.deepEqual(parseBody(json, type, "Pod"), { json: { kind: "Pod" }, duplicates: ["kind"] });
  }
  assert.deepEqual(parseBody("kind: Pod", "application/yaml", "Pod").json, { kind: "Pod" });
});

test("another type is not accepted", () => {
  for (const type of ["text/plain", "application/yaml2", "application/vnd.kubernetes.protobuf"]) {
    assert.throws(
      () => parseBody(json, type, "Pod"),
      (error) => error instanceof Refusal && error.code === 415,
      type,
    );
  }
});

test("YAML is not accepted as JSON", () => {
  assert.throws(
    () => parseBody("kind: Pod", "application/json", "Pod"),
    (error) => error instanceof Refusal && error.code === 400,
  );
});
