import { describe, test } from "node:test";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { numberedMask, defaultSecretRule } from "../../../src/spark/redact.ts";
import { redactLine } from "../../../src/spark/redactLine.ts";
import { redactArguments, redactText, redactValue } from "../../../src/spark/redactText.ts";
import { parseJavaProperties, parseProperties } from "../../../src/spark/conf/parse/properties.ts";
import { readConfText } from "../../../src/spark/submit/conf/readConf.ts";
import { sparkVersionOfImage } from "../../../src/spark/submit/conf/sparkVersion.ts";
import { versionTraits } from "../../../src/spark/submit/conf/versionTraits.ts";
import { assertLinear } from "../../linearTime.ts";

const head = "-----BEGIN PRIVATE KEY-----";
const referenceText = (value: string): string | undefined =>
  readConfText(
    {
      application: { conf: new Map([["spark.a", { value, origin: { kind: "computed" } }]]) },
      submissionEnvironment: { environment: {} },
      traits: versionTraits["4.1"],
    },
    "spark.a",
  );
const numberAll = (count: number): void => {
  const mask = numberedMask();
  for (let at = 0; at < count; at += 1) mask(`secret ${at}`);
};
const podWith = (count: number): unknown => {
  const names = Array.from({ length: count }, (_, at) => ({ name: `c${at}` }));
  return {
    metadata: { uid: "1", name: "a" },
    spec: { containers: names },
    status: { containerStatuses: names.toReversed() },
  };
};

/** Work on an input of the given length. `cubic` uses a shorter input, so that a regression does not take minutes. */
const rows: readonly (readonly [string, (length: number) => () => void, "cubic"?])[] = [
  ["a key block of blanks", on((n) => `${head}${"\n".repeat(n)}-x`, inFile), "cubic"],
  ["key blocks without end", on((n) => head.repeat(n / head.length), inFile)],
  ["backslashes in a key block", on((n) => `${head}${"\\n".repeat(n / 2)}x`, inFile)],
  ["colons in a value", on((n) => `token${":".repeat(n)} `, inValue), "cubic"],
  ["slashes in a value", on((n) => `token:${"/".repeat(n)} `, inValue), "cubic"],
  ["colons in an argument", on((n) => `token${":/".repeat(n / 2)} =`, inArguments), "cubic"],
  ["ends of tags", on((n) => `<a>token${">".repeat(n)}`, inFile)],
  ["Oracle schemes", on((n) => `${"jdbc:oracle:thin:".repeat(n / 17)}@`, inLine)],
  ["Oracle schemes and slashes", on((n) => `${"jdbc:oracle:thin: ".repeat(n / 18)}/@`, inLine)],
  ["backslashes in properties", on((n) => `a=${"\\".repeat(n)}b`, parseJavaProperties)],
  ["escapes in properties", on((n) => `a=${"\\".repeat(n)}b`, parseProperties)],
  ["a property of many lines", on((n) => "ab\\\n".repeat(n / 4), parseJavaProperties)],
  ["open references", on((n) => "${a".repeat(n / 3), referenceText)],
  ["open references with sources", on((n) => "${a:b".repeat(n / 5), referenceText)],
  ["digits in a tag", on((n) => `spark:${"1".repeat(n)}`, sparkVersionOfImage)],
  [
    "many numbered secrets",
    (length) => () => {
      numberAll(length / 8);
    },
  ],
  ["many containers", on((n) => podWith(n / 16), decodePod)],
];

function on<T>(
  input: (length: number) => T,
  work: (given: T) => unknown,
): (n: number) => () => void {
  return (length) => {
    const given = input(length);
    return () => {
      work(given);
    };
  };
}

function inFile(text: string): string {
  return redactText(text, defaultSecretRule);
}
function inLine(text: string): string {
  return redactLine(text, defaultSecretRule);
}
function inValue(text: string): string {
  return redactValue("a", text, defaultSecretRule);
}
function inArguments(text: string): readonly string[] {
  return redactArguments([text], defaultSecretRule);
}

describe("takes linear time on", () => {
  for (const [name, workOn, growth] of rows) {
    test(name, () => {
      const length = growth === "cubic" ? 600 : 64 << 10;
      assertLinear(workOn, name, length);
    });
  }
});
