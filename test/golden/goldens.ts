// npm run -s goldens -- [FOLDER] [--version V] [--case ID] [--verbose] compares our submission with recordings of
// spark-submit: those of a folder, or the packed recordings of this repository. --pack FOLDER replaces the packed
// recordings with those of a folder.
import { parseArgs } from "node:util";
import { differences } from "../../src/spark/submit/conf/differences.ts";
import { readCases } from "./caseFiles.ts";
import { pack, readPacked } from "./packed.ts";
import { runAll } from "./runAll.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: "string" },
    case: { type: "string" },
    verbose: { type: "boolean", default: false },
    pack: { type: "string" },
  },
});
if (values.pack !== undefined) {
  pack(readCases(values.pack));
  console.log(`packed ${readPacked().length} cases`);
  process.exit(0);
}
const [folder] = positionals;
const cases = folder === undefined ? readPacked() : readCases(folder);
const runs = cases
  .filter(({ id }) => values.case === undefined || id === values.case)
  .flatMap((golden) =>
    golden.versions
      .filter((version) => values.version === undefined || version.startsWith(values.version))
      .map((version) => ({ golden, version })),
  );

const counts = new Map<string, { passed: number; failed: number }>();
const onPurpose: string[] = [];
const reasonOf = new Map<string, string>(differences.map(({ id, reason }) => [id, reason]));
await runAll(runs, ({ golden, version }, verdict) => {
  const count = counts.get(version) ?? { passed: 0, failed: 0 };
  counts.set(version, count);
  if (verdict.differences.length > 0) {
    count.failed++;
    console.log(`FAILED ${golden.id} ${version}`);
    const shown = values.verbose ? verdict.differences : verdict.differences.slice(0, 20);
    for (const line of shown) console.log(`  ${values.verbose ? line : line.slice(0, 300)}`);
  } else if (verdict.reasons.length > 0) {
    const reasons = verdict.reasons.map((id) => `${id}: ${reasonOf.get(id) ?? ""}`);
    onPurpose.push(`${golden.id} ${version} differs on purpose (${reasons.join("; ")})`);
  } else {
    count.passed++;
    if (values.verbose) console.log(`passed ${golden.id} ${version}`);
  }
});

const all = [...counts.values()];
for (const line of onPurpose) console.log(line);
for (const [version, { passed, failed }] of [...counts].sort()) {
  console.log(`${version}: ${passed} passed, ${failed} failed`);
}
const sum = (field: "passed" | "failed"): number =>
  all.reduce((total, count) => total + count[field], 0);
console.log(`${onPurpose.length} differ on purpose`);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 || sum("passed") === 0 ? 1 : 0;
