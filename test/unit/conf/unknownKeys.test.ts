import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { silencer, unknownKeys } from "../../../src/spark/conf/lint/unknownKeys.ts";

const known = ["spark.executor.memory", "spark.kubernetes.driver.label.team", "spark.acme.region"];

test("names the keys that a Spark version does not know, with similar keys", () => {
  const found = unknownKeys([...known, "spark.executor.memroy", "spark.kubernetes.unheard"], "4.3");
  assert.deepEqual(
    found.map(({ message }) => inEnglish(message)),
    [
      'Spark 4.3 does not know "spark.executor.memroy". Did you mean "spark.executor.memory"?',
      'Spark 4.3 does not know "spark.kubernetes.unheard".',
    ],
  );
  assert.deepEqual(unknownKeys(known, "3.3"), []);
});

test("is silenced by the setting, or by a comment of the file", () => {
  const off = new Map([["unknown-key", "off"] as const]);
  const none = new Map<string, "off">();
  const text = "# spark-k8s-next: unknown-key=off\nspark.a.b 1\nspark.c.d 2\n";
  assert.equal(silencer("", off)("spark.a.b"), true);
  assert.equal(silencer("", none)("spark.a.b"), false);
  assert.equal(silencer(text, none)("spark.a.b"), true);
  assert.equal(silencer(text, none)("spark.c.d"), false);
  assert.equal(silencer(`# spark-k8s: all=off\n${text}`, none)("spark.c.d"), true);
});
