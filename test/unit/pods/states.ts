// `npm run -s states -- [--spark VERSION] FILE …`: compares executor states and store deliveries with recordings of
// Spark's own classes. Each line of a file is a pod or a list of pods with states, or a sequence of operations with
// the delivered batches. Without --spark, the file name gives the Spark version; otherwise it is the newest.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { checkStateCase, rulesFor, type SparkVersion, type StateCase } from "./stateCase.ts";
import { checkStoreCase, type StoreCase } from "./storeCase.ts";

const shared = process.env["SPARK_K8S_SHARED"];
const given = process.argv.slice(2);
const at = given.indexOf("--spark");
const [, named] = at === -1 ? [] : given.splice(at, 2);
const recordings = ["states-4.3.0", "states-3.5.9", "store-4.3.0"];
const files =
  given.length > 0
    ? given
    : recordings.map((name) => join(shared ?? ".", "spark-facts", "cases", `${name}.jsonl`));
if (given.length === 0 && shared === undefined) {
  console.error("Set SPARK_K8S_SHARED or name the files to compare with.");
  process.exit(2);
}

let passed = 0;
let failed = 0;
for (const file of files) {
  const version = versionOf(named ?? basename(file));
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.trim() === "") continue;
    const recorded = JSON.parse(line) as StateCase | StoreCase;
    const { differences, deliberate } =
      "ops" in recorded
        ? await checkStoreCase(recorded, rulesFor(recorded.options, version))
        : checkStateCase(recorded, version);
    if (differences.length === 0) passed += 1;
    else failed += 1;
    for (const difference of differences) console.log(`${recorded.id}: ${difference}`);
    for (const why of deliberate)
      console.log(`${recorded.id}: other than Spark on purpose: ${why}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function versionOf(text: string): SparkVersion {
  const [, major = "4", minor = "3"] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const number = Number(major) * 100 + Number(minor);
  return { checksAllContainers: number >= 400, anyExitCode: number < 304 };
}
