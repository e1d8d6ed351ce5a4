import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { rulesFor, type SparkVersion } from "./stateCase.ts";
import { checkStoreCase, type StoreCase } from "./storeCase.ts";

const newest: SparkVersion = { checksAllContainers: true, anyExitCode: false };

// Recorded from ExecutorPodsSnapshotsStoreImpl of Spark 4.3.0, whose thread pool used a manual clock.
const cases = readFileSync(new URL("store.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as StoreCase);

test("all recorded sequences exist", () => {
  assert.equal(cases.length, 43);
});

for (const recorded of cases) {
  test(`matches the deliveries of Spark's store and their times: ${recorded.id}`, async () => {
    const { differences } = await checkStoreCase(recorded, rulesFor(recorded.options, newest));
    assert.deepEqual(differences, []);
  });
}

test("finds a wrong batch, a wrong time and a missing call", async () => {
  const recorded = cases.find(({ id }) => id.endsWith("no-coalescing"));
  assert.ok(recorded);
  const [first, second] = recorded.expect.callbacks;
  assert.ok(first && second);
  const altered: StoreCase["expect"]["callbacks"][] = [
    [first, { ...second, batch: second.batch.slice(1) }],
    [first, { ...second, batch: second.batch.slice(0, -1) }],
    [first, { ...second, start: second.start + 1 }],
    [first],
    [first, second, { ...second, n: 3, start: 2000, end: 2000, batch: [] }],
  ];
  for (const callbacks of altered) {
    const wrong = { ...recorded, expect: { ...recorded.expect, callbacks } };
    const { differences } = await checkStoreCase(wrong, rulesFor(undefined, newest));
    assert.notDeepEqual(differences, []);
  }
});
