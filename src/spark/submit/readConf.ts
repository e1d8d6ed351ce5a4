// Typed readers of conf values. A value of the wrong type gives a finding and the fallback.
import type { ConfEntry, ResolvedConf } from "./conf.ts";
import { javaTrim } from "../conf/values/javaText.ts";
import { problems } from "./problems.ts";
import {
  parseJavaBoolean,
  parseJavaDouble,
  parseJavaInt,
  parseSize,
  parseTime,
} from "./sparkValues.ts";
import type { Checked } from "./submissionFinding.ts";
import type { Surroundings } from "./surroundings.ts";
import type { VersionTraits } from "./versionTraits.ts";

/** What a typed reader looks at; the context of the steps is one such thing. */
export interface ConfReading {
  readonly application: { readonly conf: ResolvedConf };
  readonly surroundings: Pick<Surroundings, "environment">;
  readonly traits: Pick<VersionTraits, "hasIecSizes">;
}

/** A text with its references resolved: `${spark.x}` and `${env:X}`. */
export function readText(context: ConfReading, key: string): string | undefined {
  return readEntry(context, key)?.value;
}

export function readEntry(context: ConfReading, key: string): ConfEntry | undefined {
  const { conf } = context.application;
  const entry = conf.get(key);
  return entry && { ...entry, value: substitute(entry.value, conf, context, 0) };
}

export function readInt(context: ConfReading, key: string, fallback: number): Checked<number> {
  return read(context, key, fallback, (text) => parseJavaInt(javaTrim(text)), "a whole number");
}

/** A number that Spark reads without asking its type: untrimmed, references unresolved. */
export function readPlainInt(context: ConfReading, key: string, fallback: number): Checked<number> {
  const entry = context.application.conf.get(key);
  return check(entry, key, fallback, parseJavaInt, "a whole number");
}

export function readDouble(context: ConfReading, key: string, fallback: number): Checked<number> {
  return read(context, key, fallback, parseJavaDouble, "a number");
}

export function readBoolean(
  context: ConfReading,
  key: string,
  fallback: boolean,
): Checked<boolean> {
  return read(context, key, fallback, (text) => parseJavaBoolean(javaTrim(text)), "true or false");
}

/** Whole mebibytes, what is left over cut off; a bare number counts mebibytes. */
export function readMebibytes(
  context: ConfReading,
  key: string,
  fallback: bigint,
): Checked<bigint> {
  const parse = (text: string): bigint | undefined => {
    const [, sign = "", size = ""] = /^(-?)([^]*)$/.exec(text) ?? [];
    const whole = parseSize(size, 2 ** 20, context.traits.hasIecSizes);
    return sign === "" || whole === undefined ? whole : -whole;
  };
  return read(context, key, fallback, parse, "a size such as 512m");
}

/** Milliseconds; a bare number counts milliseconds. */
export function readMilliseconds(
  context: ConfReading,
  key: string,
  fallback: number,
): Checked<number> {
  return read(context, key, fallback, (text) => parseTime(text, 1), "a time such as 10s");
}

/** Whole seconds; a bare number counts seconds. */
export function readSeconds(context: ConfReading, key: string): Checked<number> {
  const parse = (text: string): number | undefined => {
    const ms = parseTime(text, 1000);
    return ms === undefined ? undefined : Math.trunc(ms / 1000);
  };
  return read(context, key, 0, parse, "a time such as 30s");
}

export function readChoice<T extends string>(
  context: ConfReading,
  key: string,
  fallback: T,
  choices: readonly T[],
): Checked<T> {
  const parse = (text: string): T | undefined => choices.find((choice) => choice === text);
  return read(context, key, fallback, parse, `one of ${choices.join(", ")}`);
}

function read<T>(
  context: ConfReading,
  key: string,
  fallback: T,
  parse: (text: string) => T | undefined,
  expected: string,
): Checked<T> {
  return check(readEntry(context, key), key, fallback, parse, expected);
}

function check<T>(
  entry: ConfEntry | undefined,
  key: string,
  fallback: T,
  parse: (text: string) => T | undefined,
  expected: string,
): Checked<T> {
  if (entry === undefined) return { value: fallback, findings: [] };
  const value = parse(entry.value);
  return value === undefined
    ? { value: fallback, findings: [problems.badValue(key, entry.value, expected, entry.origin)] }
    : { value, findings: [] };
}

// Deeper than any honest chain of references: a circle stays as it was written.
const maxDepth = 8;

function substitute(text: string, conf: ResolvedConf, context: ConfReading, depth: number): string {
  if (depth > maxDepth || !text.includes("${")) return text;
  return text.replace(
    /\$\{(?:(\w+?):)?(\S+?)\}/g,
    (whole, source: string | undefined, name: string) => {
      if (source === "env") return context.surroundings.environment[name] ?? whole;
      if (source !== undefined || !name.startsWith("spark.")) return whole;
      const value = conf.get(name)?.value;
      return value === undefined ? whole : substitute(value, conf, context, depth + 1);
    },
  );
}
