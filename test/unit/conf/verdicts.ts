// Compares our verdicts on values with those of Spark and prints each disagreement. Usage: `npm run -s verdicts --
// FILE.tsv VERSION`. The file has a heading, then lines of key, value, kind, verdict, detail and note. `--sample`
// instead prints a sample of the cases in the format that the unit tests read.
import { readFileSync } from "node:fs";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import {
  toSparkVersion,
  type SparkVersion,
} from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import { judgeCase, printCases, readCases, type OracleCase } from "./judgeCase.ts";

const [file, release = ""] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const version = toSparkVersion(release);
if (file === undefined || version === undefined) {
  console.error("Wanted: FILE.tsv VERSION, the version being one of Spark's such as 4.3.0");
  process.exitCode = 2;
} else if (process.argv.includes("--sample")) {
  process.stdout.write(printCases(sampleOf(casesIn(file, version))));
} else {
  process.exitCode = compare(casesIn(file, version)) === 0 ? 0 : 1;
}

type RecordedCase = OracleCase & { readonly kind: string };

function casesIn(path: string, version: SparkVersion): readonly RecordedCase[] {
  const [, ...lines] = readFileSync(path, "utf8").split("\n");
  const kept = lines.filter((line) => line !== "").map((line) => line.split("\t"));
  const rows = kept.map(([key = "", value = "", , verdict = "", detail = ""]) =>
    [version, key, value, verdict, detail].join("\t"),
  );
  return readCases(rows.join("\n")).map((oracleCase, index) => ({
    ...oracleCase,
    kind: kept[index]?.[2] ?? "",
  }));
}

function compare(cases: readonly OracleCase[]): number {
  const catalogue = openCatalogue();
  let failed = 0;
  for (const oracleCase of cases) {
    const found = judgeCase(catalogue, oracleCase);
    if (found === undefined) continue;
    failed++;
    const { key, value, verdict, detail } = oracleCase;
    console.log(`${key} ${JSON.stringify(value)}: Spark ${verdict} ${detail}, here ${found}`);
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  return failed;
}

// Every 13th case, and a few of each kind, so that all kinds are included.
function sampleOf(cases: readonly RecordedCase[]): readonly OracleCase[] {
  const taken = new Map<string, number>();
  return cases.filter(({ kind, verdict, value }, index) => {
    const sort = `${kind} ${verdict}`;
    const count = taken.get(sort) ?? 0;
    if (index % 13 !== 0 || count >= 6 || value.length > 60) return false;
    taken.set(sort, count + 1);
    return true;
  });
}
