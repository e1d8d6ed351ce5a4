// Compares our reading of executor pods with what Spark's own classes made of the same pods.
//   node test/unit/pods/checkStates.ts [file.jsonl ...]
// Without files: the recorded cases in the folder that SPARK_K8S_SHARED names.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkStateCase, isBeyondTheApi, type StateCase } from "./stateCase.ts";

const shared = process.env["SPARK_K8S_SHARED"];
const given = process.argv.slice(2);
const files =
  given.length > 0
    ? given
    : ["4.3.0", "3.5.9"].map((version) =>
        join(shared ?? ".", "spark-facts", "cases", `states-${version}.jsonl`),
      );
if (given.length === 0 && shared === undefined) {
  console.error("Set SPARK_K8S_SHARED or name the files to check.");
  process.exit(2);
}

let passed = 0;
let failed = 0;
let apart = 0;
for (const file of files) {
  const version = /states-(\d)/.exec(file)?.[1] ?? "4";
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "") continue;
    const recorded = JSON.parse(line) as StateCase;
    const differences = checkStateCase(recorded, Number(version) >= 4);
    if (differences.length === 0) passed += 1;
    else if (isBeyondTheApi(recorded)) apart += 1;
    else failed += 1;
    for (const difference of differences) console.log(`${recorded.id}: ${difference}`);
  }
}
console.log(
  `${passed} passed, ${failed} failed (${apart} more differ that no API server lets through)`,
);
process.exitCode = failed === 0 ? 0 : 1;
