// Compares the executors of our preview with those of Spark's own builders.
//   node test/unit/submit/preview/checkExecutors.ts [file.jsonl ...]
// Without files: the recorded cases in the folder that SPARK_K8S_SHARED names.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkExecutorCase, type ExecutorCase } from "./executorCase.ts";

const shared = process.env["SPARK_K8S_SHARED"];
const given = process.argv.slice(2);
if (given.length === 0 && shared === undefined) {
  console.error("Set SPARK_K8S_SHARED or name the files to check.");
  process.exit(2);
}
const files =
  given.length > 0
    ? given
    : ["4.3.0", "3.5.9"].map((version) =>
        join(shared ?? ".", "spark-facts", "cases", `k8s-cases-${version}.jsonl`),
      );

let passed = 0;
let failed = 0;
for (const file of files) {
  const version = /(\d+\.\d+\.\d+)\.jsonl$/.exec(file)?.[1] ?? "4.3.0";
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "") continue;
    const recorded = JSON.parse(line) as ExecutorCase;
    const differences = checkExecutorCase(recorded, version);
    if (differences.length === 0) passed += 1;
    else failed += 1;
    if (differences.length > 0) console.log(`${version} ${JSON.stringify(recorded.conf)}`);
    for (const difference of differences) console.log(`  ${difference}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
