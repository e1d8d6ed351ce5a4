import type { Catalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import {
  toSparkVersion,
  type SparkVersion,
} from "../../../src/spark/conf/catalogue/sparkVersions.ts";
import { judgeKeyValue } from "../../../src/spark/conf/values/judgeKeyValue.ts";
import { readKeyValue, type ReadValue } from "../../../src/spark/conf/values/readValue.ts";
import { resolveReferences } from "./resolveReferences.ts";
import { readSize } from "../../../src/spark/conf/values/sizes.ts";
import { readTime } from "../../../src/spark/conf/values/times.ts";

/** A key, a value, and the verdict recorded from Spark. */
export interface OracleCase {
  readonly version: SparkVersion;
  readonly key: string;
  readonly value: string;
  /** OK, ERR, or UNKNOWN for a key without an entry. */
  readonly verdict: string;
  /** For OK, the value as Spark parses it. */
  readonly detail: string;
}

/** Returns our verdict if it differs from Spark's; undefined if both agree. */
export function judgeCase(catalogue: Catalogue, oracleCase: OracleCase): string | undefined {
  const { version, key, value, verdict, detail } = oracleCase;
  const found = key.startsWith("@") ? readUnit(key, value, version) : read(catalogue, oracleCase);
  if (found.verdict !== verdict) return `${found.verdict} ${found.why ?? ""}`;
  if (verdict !== "OK" || found.value === undefined || isSame(found.value, detail))
    return undefined;
  return `OK ${String(found.value)}`;
}

interface Found {
  readonly verdict: "OK" | "ERR" | "UNKNOWN";
  readonly why?: string;
  readonly value?: ReadValue | undefined;
}

function read(catalogue: Catalogue, { version, key, value }: OracleCase): Found {
  const facts = catalogue.find(key, version);
  const reader = facts?.oldName && catalogue.find(facts.oldName.of, version)?.entry;
  // The recorded Spark had no connectors.
  const isKnown = (facts?.entry ?? reader)?.isConnector === false;
  if (facts === undefined || !isKnown) return { verdict: "UNKNOWN" };
  const text = resolveReferences(value, (name) =>
    name === key ? value : (machine.get(name) ?? defaultOf(catalogue, name, version)),
  );
  if (text === undefined) return { verdict: "ERR", why: "a reference to itself" };
  const problem = judgeKeyValue(catalogue, facts, text, version);
  if (problem !== undefined) return { verdict: "ERR", why: problem.code };
  return { verdict: "OK", value: readKeyValue(catalogue, facts, text, version) };
}

/** System properties and environment variables of the machine on which Spark was recorded. */
const machine: ReadonlyMap<string, string> = new Map([
  ["system:user.name", "root"],
  ["system:user.home", "/root"],
  ["env:HOME", "/root"],
  ["env:USER", "root"],
]);

function defaultOf(catalogue: Catalogue, key: string, version: SparkVersion): string | undefined {
  const entry = catalogue.find(key, version)?.entry;
  if (entry?.fallback !== undefined) return defaultOf(catalogue, entry.fallback, version);
  return entry?.default;
}

// For words, equal verdicts are enough, because Spark's change of their case does not affect the conf.
function isSame(value: ReadValue, detail: string): boolean {
  if (typeof value === "string") return true;
  if (typeof value === "number") return Object.is(value, Number(detail));
  if (typeof value === "object") return value.length === (JSON.parse(detail) as unknown[]).length;
  return String(value) === detail;
}

/** Parses tab-separated lines of version, key, value, verdict and detail. Tabs and line ends in them are escaped. */
export function readCases(text: string): readonly OracleCase[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", key = "", value = "", verdict = "", detail = ""] = line.split("\t");
      const version = toSparkVersion(name);
      if (version === undefined) throw new Error(`not a line of Spark: ${name}`);
      return {
        version,
        key: unescape(key),
        value: unescape(value),
        verdict,
        detail: unescape(detail),
      };
    });
}

// Drops the detail of rejections, which is Spark's message.
export const printCases = (cases: readonly OracleCase[]): string =>
  cases
    .map(({ version, key, value, verdict, detail }) =>
      [version, escape(key), escape(value), verdict, verdict === "OK" ? escape(detail) : ""].join(
        "\t",
      ),
    )
    .map((line) => `${line}\n`)
    .join("");

const unescape = (text: string): string =>
  text.replace(/\\(u([0-9a-fA-F]{4})|[tnr\\])/g, (_, char: string, hex: string | undefined) =>
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

const nanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
};
const byteUnits = "bkmgtp";

// A key with "@" tests one of Spark's functions that parse units, without a conf entry. They accept more units than
// conf entries do, but no sign before a size.
function readUnit(key: string, value: string, version: SparkVersion): Found {
  const [reader = "", name = ""] = key.split(":");
  const time = nanoseconds[name];
  const number =
    reader === "@time" && time !== undefined
      ? readTime(value, time)
      : value.startsWith("-")
        ? { fault: "sign" }
        : readSize(value, byteUnits.indexOf(name), version);
  return "fault" in number
    ? { verdict: "ERR", why: number.fault }
    : { verdict: "OK", value: number.value };
}
