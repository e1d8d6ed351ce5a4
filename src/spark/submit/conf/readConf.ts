// Typed readers of conf values. For a value of the wrong type, a reader returns the fallback and a finding.
import { msg, type Message } from "../../../base/message.ts";
import type { ResolvedEntry, ResolvedConf } from "./conf.ts";
import { javaTrim } from "../../conf/values/javaText.ts";
import { problems } from "../plan/problems.ts";
import {
  parseJavaBoolean,
  parseJavaDouble,
  parseJavaInt,
  parseSize,
  parseTime,
} from "./sparkValues.ts";
import type { Checked } from "../plan/submissionFinding.ts";
import type { SubmissionEnvironment } from "./environment.ts";
import type { VersionTraits } from "./versionTraits.ts";

/** The input of a typed reader. `DriverContext` is assignable to it. */
export interface ConfReading {
  readonly application: { readonly conf: ResolvedConf };
  readonly submissionEnvironment: Pick<SubmissionEnvironment, "environment">;
  readonly traits: Pick<VersionTraits, "hasIecSizes">;
}

/** Returns a conf value with the references `${spark.x}` and `${env:X}` resolved. Undefined if the key is not set. */
export function readConfText(context: ConfReading, key: string): string | undefined {
  return readEntry(context, key)?.value;
}

export function readEntry(context: ConfReading, key: string): ResolvedEntry | undefined {
  const { conf } = context.application;
  const entry = conf.get(key);
  return entry && { ...entry, value: substitute(entry.value, conf, context, 0) };
}

export function readInt(context: ConfReading, key: string, fallback: number): Checked<number> {
  return read(context, key, fallback, (text) => parseJavaInt(javaTrim(text)), msg("an integer"));
}

/** Reads an integer without trimming it and without resolving references, as Spark reads some ports. */
export function readPlainInt(context: ConfReading, key: string, fallback: number): Checked<number> {
  const entry = context.application.conf.get(key);
  return check(entry, key, fallback, parseJavaInt, msg("an integer"));
}

export function readDouble(context: ConfReading, key: string, fallback: number): Checked<number> {
  return read(context, key, fallback, parseJavaDouble, msg("a number"));
}

export function readBoolean(
  context: ConfReading,
  key: string,
  fallback: boolean,
): Checked<boolean> {
  return read(
    context,
    key,
    fallback,
    (text) => parseJavaBoolean(javaTrim(text)),
    msg("true or false"),
  );
}

/** Returns mebibytes, rounded down. A number without a unit is in mebibytes. */
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
  return read(context, key, fallback, parse, msg("a size such as 512m"));
}

/** Returns milliseconds. A number without a unit is in milliseconds. */
export function readMilliseconds(
  context: ConfReading,
  key: string,
  fallback: number,
): Checked<number> {
  return read(context, key, fallback, (text) => parseTime(text, 1), msg("a time such as 10s"));
}

/** Returns whole seconds; 0 if the key is not set. A number without a unit is in seconds. */
export function readSeconds(context: ConfReading, key: string): Checked<number> {
  const parse = (text: string): number | undefined => {
    const ms = parseTime(text, 1000);
    return ms === undefined ? undefined : Math.trunc(ms / 1000);
  };
  return read(context, key, 0, parse, msg("a time such as 30s"));
}

export function readChoice<T extends string>(
  context: ConfReading,
  key: string,
  fallback: T,
  choices: readonly T[],
): Checked<T> {
  const parse = (text: string): T | undefined => choices.find((choice) => choice === text);
  return read(context, key, fallback, parse, msg`one of ${choices.join(", ")}`);
}

function read<T>(
  context: ConfReading,
  key: string,
  fallback: T,
  parse: (text: string) => T | undefined,
  expected: Message,
): Checked<T> {
  return check(readEntry(context, key), key, fallback, parse, expected);
}

function check<T>(
  entry: ResolvedEntry | undefined,
  key: string,
  fallback: T,
  parse: (text: string) => T | undefined,
  expected: Message,
): Checked<T> {
  if (entry === undefined) return { value: fallback, findings: [] };
  const value = parse(entry.value);
  return value === undefined
    ? { value: fallback, findings: [problems.badValue(key, entry.value, expected, entry.origin)] }
    : { value, findings: [] };
}

// The maximum depth of nested references. Deeper references, such as circular ones, stay unresolved.
const maxDepth = 8;

function substitute(text: string, conf: ResolvedConf, context: ConfReading, depth: number): string {
  if (depth > maxDepth || !text.includes("${")) return text;
  const resolve = (whole: string, source: string | undefined, name: string): string => {
    if (source === "env") return context.submissionEnvironment.environment[name] ?? whole;
    if (source !== undefined || !name.startsWith("spark.")) return whole;
    const value = conf.get(name)?.value;
    return value === undefined ? whole : substitute(value, conf, context, depth + 1);
  };
  // Resolves each word separately, because references contain no whitespace.
  return text.replace(/\S+/g, (word) => resolveReferences(word, resolve));
}

/**
 * Replaces the matches of Spark's `\$\{(?:(\w+?):)?(\S+?)\}` in a word without whitespace. Avoids the regex, which
 * takes quadratic time: it scans the rest of the text for each unclosed `${`.
 */
function resolveReferences(
  word: string,
  resolve: (whole: string, source: string | undefined, name: string) => string,
): string {
  let clean = "";
  let at = 0;
  for (let open = word.indexOf("${"); open !== -1; open = word.indexOf("${", at)) {
    let name = open + 2;
    sourceName.lastIndex = name;
    const source = sourceName.exec(word)?.[1];
    if (source !== undefined) name += source.length + 1;
    let close = word.indexOf("}", name + 1);
    const isWithSource = source !== undefined && close !== -1;
    if (source !== undefined && !isWithSource) {
      name = open + 2;
      close = word.indexOf("}", name + 1);
    }
    if (close === -1) break;
    const whole = word.slice(open, close + 1);
    const shown = resolve(whole, isWithSource ? source : undefined, word.slice(name, close));
    clean += word.slice(at, open) + shown;
    at = close + 1;
  }
  return clean + word.slice(at);
}

const sourceName = /(\w+):/y;
