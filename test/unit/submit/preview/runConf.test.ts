import assert from "node:assert/strict";
import { test } from "node:test";
import { runConf } from "../../../../src/spark/submit/preview/runConf.ts";
import { conf, planOf, withOptions } from "../prepared.ts";

test("the conf of two runs is equal without ids and times, and has no secrets", () => {
  const tokens = withOptions(
    ...conf("spark.my.password=hunter2", "spark.executor.memory=2g", "spark.typed=key-4711"),
  );
  const plan = planOf(tokens);
  const shown = new Map(runConf(plan, ["4711"]));
  assert.equal(shown.get("spark.executor.memory"), "2g");
  assert.equal(shown.has("spark.app.submitTime"), false);
  const text = JSON.stringify([...shown]);
  assert.doesNotMatch(text, /hunter2|4711/);
  assert.equal(text.includes(plan.identity.prefix), false);
  assert.equal(text.includes(plan.identity.applicationId), false);
});
