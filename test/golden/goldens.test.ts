import assert from "node:assert/strict";
import { test } from "node:test";
import { readPacked } from "./packed.ts";
import { runAll } from "./runAll.ts";

// A longer list of deliberate differences would become a second specification.
const maxDifferences = 120;

test("sends the requests of spark-submit in each case and version", async (t) => {
  const cases = readPacked();
  const runs = cases.flatMap((golden) => golden.versions.map((version) => ({ golden, version })));
  const failed: string[] = [];
  let onPurpose = 0;
  await runAll(runs, ({ golden, version }, { differences, reasons }) => {
    if (differences.length > 0) failed.push(`${golden.id} ${version}`, ...differences);
    else if (reasons.length > 0) onPurpose++;
  });
  t.diagnostic(
    `${runs.length} recordings of ${cases.length} cases, ${onPurpose} differ on purpose`,
  );
  assert.deepEqual(failed, []);
  assert.ok(runs.length >= 7 * 428, `only ${runs.length} recordings`);
  assert.ok(onPurpose <= maxDifferences, `${onPurpose} differ on purpose`);
});
