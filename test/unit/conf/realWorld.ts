// Counts false alarms in published files, compared with Spark's verdict on each line. Usage: `node
// test/unit/conf/realWorld.ts [--all]`. SPARK_K8S_SHARED names the folder of the files.
import { inEnglish } from "../../../src/base/message.ts";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { describeFinding } from "../../../src/spark/conf/lint/findingWords.ts";
import { severityOf, type Finding } from "../../../src/spark/conf/lint/finding.ts";
import { diagnoserOf } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import { parseProperties } from "../../../src/spark/conf/parse/properties.ts";
import type { SparkVersion } from "../../../src/spark/conf/catalogue/sparkVersions.ts";

/** The verdict that Spark gave on one line. */
interface Truth {
  readonly verdict: string;
  readonly note: string;
}

const shared = process.env["SPARK_K8S_SHARED"];
if (shared === undefined) {
  console.error("SPARK_K8S_SHARED names no folder");
  process.exitCode = 2;
} else {
  const folder = join(shared, "real-world");
  for (const [release, version] of [
    ["4.3.0", "4.3"],
    ["3.5.9", "3.5"],
  ] as const) {
    report(folder, release, version);
  }
}

function report(folder: string, release: string, version: SparkVersion): void {
  const truths = readTruths(join(folder, `defaults-verdicts-${release}.tsv`));
  const diagnose = diagnoserOf(openCatalogue());
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const shown: string[] = [];
  for (const file of readdirSync(join(folder, "defaults")).filter((name) =>
    name.endsWith(".conf"),
  )) {
    const text = readFileSync(join(folder, "defaults", file), "utf8");
    const document = parseProperties(text);
    const findings = diagnose(document, version, new Map()).map(({ finding }) => finding);
    for (const { key, value, keySpan, valueSpan } of document.entries) {
      count("entries");
      const truth = truths.get(`${file}\t${key}\t${value}`);
      if (truth === undefined) count("entries without a verdict");
      const own = findings.filter(
        ({ span }) => span.start >= keySpan.start && span.end <= valueSpan.end,
      );
      const note = truth?.note ?? "";
      // Spark does not know a key just because its prefix is reserved.
      const isUnseen =
        note.includes("unseen") || /prefix=spark\.sql\.(?:adaptive\.)?(?:;|$)/.test(note);
      const alarm = own.find((finding) => finding.code === "unknown-key");
      const error = own.find((finding) => severityOf(finding) === "error");
      if (alarm !== undefined) judge(isUnseen, "unknown key", alarm);
      else if (isUnseen) count("unknown keys passed over in silence");
      if (error !== undefined) judge(truth?.verdict === "ERR", "refused value", error);
      else if (truth?.verdict === "ERR") {
        count(
          `refused values passed over, ${truth.note.includes("placeholder") ? "placeholders" : "others"}`,
        );
        if (!truth.note.includes("placeholder")) shown.push(`passed over: ${file} ${key} ${value}`);
      }
    }
    for (const finding of findings) count(`finding ${finding.code}`);

    function judge(isRight: boolean, what: string, finding: Finding): void {
      count(`${what}: ${isRight ? "right" : "FALSE ALARM"}`);
      if (!isRight || process.argv.includes("--all")) {
        shown.push(
          `${isRight ? "right" : "FALSE"}: ${file} ${inEnglish(describeFinding(finding))}`,
        );
      }
    }
  }
  console.log(`Spark ${release}`);
  for (const line of shown) console.log(`  ${line}`);
  for (const [name, number] of [...counts].sort())
    console.log(`  ${String(number).padStart(5)} ${name}`);
}

function readTruths(path: string): ReadonlyMap<string, Truth> {
  const truths = new Map<string, Truth>();
  for (const line of readFileSync(path, "utf8").split("\n").slice(1)) {
    const [file = "", , key = "", value = "", verdict = "", , note = ""] = line.split("\t");
    truths.set(`${file}\t${key}\t${value}`, { verdict, note });
  }
  return truths;
}
