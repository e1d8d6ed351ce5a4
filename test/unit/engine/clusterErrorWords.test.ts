import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { clusterErrorWords } from "../../../src/engine/clusterErrorWords.ts";

test("the advice on a missing permission is a sentence, as other sentences follow it", () => {
  const { advice } = clusterErrorWords({
    kind: "forbidden",
    verb: "create",
    resource: "pods",
    namespace: "etl",
    detail: "",
  });
  assert.equal(
    advice && inEnglish(advice),
    'Ask for the permission, and check it with "kubectl auth can-i create pods -n etl".',
  );
});
