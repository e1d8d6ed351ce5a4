import type { Catalogue } from "../../../src/spark/conf/catalogue.ts";
import type { ByteUnit, TimeUnit } from "../../../src/spark/conf/catalogueFormat.ts";
import { toSparkVersion, type SparkVersion } from "../../../src/spark/conf/sparkVersions.ts";
import { judgeKeyValue } from "../../../src/spark/conf/values/judgeKeyValue.ts";
import { isPlaceholder } from "../../../src/spark/conf/values/placeholders.ts";
import { readSize } from "../../../src/spark/conf/values/sizes.ts";
import { readTime } from "../../../src/spark/conf/values/times.ts";

/** A key, a value, and what real Spark said to it: OK, ERR, or UNKNOWN for a key that is no entry. */
export interface OracleCase {
  readonly version: SparkVersion;
  readonly key: string;
  readonly value: string;
  readonly verdict: string;
}

export type CaseVerdict =
  | { readonly kind: "agrees" }
  | { readonly kind: "differs"; readonly found: string }
  | { readonly kind: "undecided"; readonly why: string };

export function judgeCase(
  catalogue: Catalogue,
  { version, key, value, verdict }: OracleCase,
): CaseVerdict {
  if (key.startsWith("@")) return judgeUnit(key, value, version, verdict);
  if (isPlaceholder(value)) return { kind: "undecided", why: "the value holds a reference" };
  const facts = catalogue.find(key, version);
  if (verdict === "UNKNOWN") {
    return facts?.entry === undefined ? { kind: "agrees" } : { kind: "differs", found: "an entry" };
  }
  if (facts === undefined) return { kind: "differs", found: "no such key" };
  const problem = judgeKeyValue(catalogue, facts, value, version);
  if (facts.entry?.type.form === "opaque" && verdict === "ERR") {
    return { kind: "undecided", why: "Spark's check needs more than the text" };
  }
  return compare(problem?.code, verdict);
}

/** Lines of version, key, value and verdict, parted by tabs; tabs and line ends in them are escaped. */
export function readCases(text: string): readonly OracleCase[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", key = "", value = "", verdict = ""] = line.split("\t");
      const version = toSparkVersion(name);
      if (version === undefined) throw new Error(`not a line of Spark: ${name}`);
      return { version, key: unescape(key), value: unescape(value), verdict };
    });
}

export const printCases = (cases: readonly OracleCase[]): string =>
  cases
    .map(({ version, key, value, verdict }) =>
      [version, escape(key), escape(value), verdict].join("\t"),
    )
    .map((line) => `${line}\n`)
    .join("");

const unescape = (text: string): string =>
  text.replace(/\\(u([0-9a-fA-F]{4})|.)/g, (_, char: string, hex: string | undefined) =>
    hex === undefined
      ? ({ t: "\t", n: "\n", r: "\r" }[char] ?? char)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );

const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll("\t", "\\t")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

function compare(found: string | undefined, verdict: string): CaseVerdict {
  return (found === undefined) === (verdict === "OK")
    ? { kind: "agrees" }
    : { kind: "differs", found: found ?? "nothing wrong" };
}

const timeUnits: Readonly<Record<string, TimeUnit>> = {
  ns: "nanoseconds",
  ms: "milliseconds",
  s: "seconds",
  m: "minutes",
};
const byteUnits: Readonly<Record<string, ByteUnit>> = { b: "BYTE", k: "KiB", m: "MiB" };

// The bare readers: they take no sign for a size.
function judgeUnit(
  key: string,
  value: string,
  version: SparkVersion,
  verdict: string,
): CaseVerdict {
  const [reader = "", name = ""] = key.split(":");
  const time = timeUnits[name];
  const size = byteUnits[name];
  if (reader === "@time" && time !== undefined) {
    const read = readTime(value, time);
    return compare("fault" in read ? read.fault : undefined, verdict);
  }
  if (reader === "@bytes" && size !== undefined) {
    const read = readSize(value, size, version);
    const fault = "fault" in read ? read.fault : undefined;
    return compare(value.startsWith("-") ? "sign" : fault, verdict);
  }
  return { kind: "undecided", why: "no entry is read in this unit" };
}
