import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkStateCase, type SparkVersion, type StateCase } from "./stateCase.ts";

const newest: SparkVersion = { checksAllContainers: true, anyExitCode: false };

// Recorded from ExecutorPodsSnapshot and the lifecycle manager of Spark 4.3.0.
const cases = readFileSync(new URL("states.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as StateCase);

test("all recorded cases exist", () => {
  assert.equal(cases.length, 68);
});

for (const recorded of cases) {
  test(`matches Spark's state of an executor pod: ${recorded.id}`, () => {
    assert.deepEqual(checkStateCase(recorded, newest).differences, []);
  });
}
