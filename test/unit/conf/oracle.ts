// Compares the verdicts on values with those of real Spark: `npm run -s oracle [-- --sample]`, with the folder
// of the recorded cases in SPARK_K8S_SHARED. `--sample` writes some of the cases to the file that the unit
// tests read.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCatalogue } from "../../../src/spark/conf/catalogue.ts";
import type { SparkVersion } from "../../../src/spark/conf/sparkVersions.ts";
import { judgeCase, printCases, readCases, type OracleCase } from "./judgeCase.ts";

const releases: readonly (readonly [string, SparkVersion])[] = [
  ["3.5.9", "3.5"],
  ["4.3.0", "4.3"],
];

const shared = process.env["SPARK_K8S_SHARED"];
if (shared === undefined) {
  console.error("SPARK_K8S_SHARED names no folder");
  process.exitCode = 2;
} else {
  const cases = releases.flatMap(([release, version]) => {
    const file = join(shared, "spark-facts/cases", `oracle-cases-small-${release}.tsv`);
    return recordedCases(readFileSync(file, "utf8"), version);
  });
  const catalogue = openCatalogue();
  let passed = 0;
  let failed = 0;
  const undecided = new Map<string, number>();
  const sample: OracleCase[] = [];
  const taken = new Map<string, number>();
  for (const [index, { kind, ...oracleCase }] of cases.entries()) {
    const verdict = judgeCase(catalogue, oracleCase);
    if (verdict.kind === "undecided") {
      undecided.set(verdict.why, (undecided.get(verdict.why) ?? 0) + 1);
      continue;
    }
    if (verdict.kind === "agrees") passed++;
    else {
      failed++;
      console.log(`${JSON.stringify(oracleCase)} ${verdict.found}`);
    }
    // Every 13th, and of those a few of each sort, so that all sorts are there.
    const sort = `${oracleCase.version} ${kind} ${oracleCase.verdict}`;
    const count = taken.get(sort) ?? 0;
    if (index % 13 !== 0 || count >= 6 || oracleCase.value.length > 60) continue;
    taken.set(sort, count + 1);
    sample.push(oracleCase);
  }
  for (const [why, count] of undecided) console.log(`${count} not decided: ${why}`);
  console.log(`${passed} passed, ${failed} failed`);
  if (process.argv.includes("--sample")) {
    writeFileSync(join(import.meta.dirname, "oracleSample.tsv"), printCases(sample));
    console.log(`${sample.length} cases in the sample`);
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

function recordedCases(
  text: string,
  version: SparkVersion,
): readonly (OracleCase & { readonly kind: string })[] {
  const [, ...lines] = text.split("\n");
  const kept = lines.filter((line) => line !== "").map((line) => line.split("\t"));
  const rows = kept.map(([key = "", value = "", , verdict = ""]) =>
    [version, key, value, verdict].join("\t"),
  );
  return readCases(rows.join("\n")).map((oracleCase, index) => ({
    ...oracleCase,
    kind: kept[index]?.[2] ?? "",
  }));
}
