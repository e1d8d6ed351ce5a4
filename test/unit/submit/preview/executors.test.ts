import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkExecutorCase, type ExecutorCase } from "./executorCase.ts";

for (const version of ["4.3.0", "3.5.9"]) {
  const file = new URL(`executors-${version}.jsonl`, import.meta.url);
  const cases = readFileSync(file, "utf8").trim().split("\n");

  test(`builds executors like Spark ${version}`, () => {
    assert.ok(cases.length > 30);
    for (const line of cases) {
      const recorded = JSON.parse(line) as ExecutorCase;
      assert.deepEqual(checkExecutorCase(recorded, version), [], JSON.stringify(recorded.conf));
    }
  });

  test(`detects a difference from Spark ${version}`, () => {
    const recorded = JSON.parse(cases.find((line) => line.includes('"pod"')) ?? "") as ExecutorCase;
    const changed = { ...recorded, conf: { ...recorded.conf, "spark.executor.memory": "3g" } };
    assert.notDeepEqual(checkExecutorCase(changed, version), []);
  });
}
