import { join } from "node:path";
import { test } from "node:test";
import { inEnglish, verbatim } from "../../../src/base/message.ts";
import { severityOf, type Finding } from "../../../src/spark/conf/lint/finding.ts";
import { describeFinding } from "../../../src/spark/conf/lint/findingWords.ts";
import type {
  FormFault,
  NumberWanted,
  SizeFault,
  TimeFault,
  Wanted,
} from "../../../src/spark/conf/values/valueProblem.ts";
import type { Range } from "../../../src/spark/conf/values/valueType.ts";

type Without<T> = T extends unknown ? Omit<T, "span"> : never;

const at = { key: "spark.k", value: "4Gi", version: "4.3" } as const;
const key = "spark.k";
const numbers: readonly NumberWanted[] = ["int", "long", "double", "decimal"];
const wanted: readonly Wanted[] = [...numbers, "boolean", "time", "size", "choice", "text"];
const sizeFaults: readonly SizeFault[] = [
  ...(["syntax", "fraction", "space", "unit", "binaryUnit", "tooLarge"] as const),
];
const timeFaults: readonly TimeFault[] = ["syntax", "fraction", "space", "unit", "tooLarge"];
const forms: readonly FormFault[] = [
  ...(["idPattern", "serialFilter", "emptyList", "podNamePrefix", "storageLevel"] as const),
  ...(["trailingSlash", "proxyWord", "readOnly", "tooLongPath", "kafkaPrefix"] as const),
  ...(["decimalPlaces", "className", "hiveVersion", "timeZone", "sqlPath"] as const),
];

const range: Range = {
  ...{ min: 1, max: 9, minExcluded: false, maxExcluded: false, holes: [], step: undefined },
};
const ranges: readonly (readonly [Range, unit?: string])[] = [
  [range],
  [{ ...range, minExcluded: true, maxExcluded: true }, "MiB"],
  [{ ...range, max: undefined, holes: [3, 4] }, "milliseconds"],
  [{ ...range, min: undefined, step: 2 }],
];

const findings: readonly Without<Finding>[] = [
  { code: "bad-escape" },
  { code: "foreign-key", key: "my.key" },
  { code: "foreign-key", key: "k".repeat(80) },
  { code: "foreign-key", key: "k".repeat(81) },
  { code: "unknown-key", key, near: [], version: "4.3" },
  { code: "unknown-key", key, near: ["spark.a", "spark.b"], version: "4.3" },
  { code: "future-key", key, first: "4.0", version: "3.5" },
  { code: "removed-key", key, last: "3.3", since: undefined, successor: undefined },
  { code: "removed-key", key, last: undefined, since: "4.0.0", successor: "spark.new" },
  { code: "deprecated-key", key, since: "3.4", successor: "spark.new", isRead: true },
  { code: "deprecated-key", key, since: "3.4", successor: undefined, isRead: false },
  { code: "old-name", key, successor: "spark.new" },
  { code: "duplicate-key", key, last: { start: 0, end: 1 } },
  { code: "duplicate-key", key, last: { start: 0, end: 1 }, isField: true },
  { code: "duplicate-key", key, last: { start: 0, end: 1 }, isOption: true },
  ...wanted.map((one) => ({ ...at, code: "empty-value" as const, wanted: one })),
  { ...at, code: "bad-boolean" },
  ...numbers.flatMap((one) =>
    (["syntax", "tooLarge"] as const).map((why) => {
      return { ...at, code: "bad-number" as const, wanted: one, why };
    }),
  ),
  ...sizeFaults.map((why) => ({ ...at, code: "bad-size" as const, why, unit: "MiB" })),
  { ...at, code: "bad-size", why: "syntax", unit: "BYTE", version: "4.1" },
  { ...at, code: "bad-size", why: "binaryUnit", unit: "BYTE", version: "4.1" },
  ...timeFaults.map((why) => ({ ...at, code: "bad-time" as const, why, unit: "seconds" })),
  { ...at, code: "bad-choice", allowed: ["a", "b", "c"], near: undefined },
  { ...at, code: "bad-choice", allowed: ["a"], near: "a" },
  ...ranges.map(([one, unit]) => ({ ...at, code: "out-of-range" as const, range: one, unit })),
  { ...at, code: "bad-regex" },
  ...forms.map((form) => ({ ...at, code: "bad-form" as const, form })),
  { code: "unknown-option", option: "--excutor-cores", near: "--executor-cores" },
  { code: "unknown-option", option: "--x", near: undefined },
  ...(["error", "hint"] as const).map((severity) => ({
    ...{ code: "rule" as const, rule: "R001-x" as const, severity },
    ...{ says: verbatim("the words of the rule"), missing: [] },
  })),
];

// `node --test --test-update-snapshots` updates the snapshot file.
test("keeps the severity and the words of each kind of finding", (t) => {
  const lines = findings.map((one) => {
    const finding = { ...one, span: { start: 0, end: 1 } };
    return `${severityOf(finding)} ${finding.code}: ${inEnglish(describeFinding(finding))}\n`;
  });
  t.assert.fileSnapshot(lines.join(""), join(import.meta.dirname, "findingWords.txt"), {
    serializers: [String],
  });
});
