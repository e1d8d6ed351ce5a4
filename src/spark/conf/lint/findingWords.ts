import { assertNever } from "../../../base/assertNever.ts";
import type { Finding } from "./finding.ts";
import { isFrom, type SparkVersion } from "../catalogue/sparkVersions.ts";
import type { Range } from "../values/valueType.ts";
import type {
  FormFault,
  NumberWanted,
  SizeFault,
  TimeFault,
  Wanted,
} from "../values/valueProblem.ts";

/** The message of a finding: the fault and the fix. */
export function describeFinding(finding: Finding): string {
  switch (finding.code) {
    case "bad-escape":
      return "A backslash and 'u' need four hexadecimal digits behind them; as it stands, Spark cannot read this file. Write '\\\\' for a backslash.";
    case "foreign-key":
      return `Spark ignores "${short(finding.key)}": only keys that begin with "spark." take effect in this file.`;
    case "unknown-key":
      return `Spark ${finding.version} does not know "${short(finding.key)}".${didYouMean(finding.near)}`;
    case "future-key":
      return `"${short(finding.key)}" comes with Spark ${finding.first}; Spark ${finding.version} ignores it.`;
    case "removed-key": {
      const when =
        finding.since === undefined
          ? `was last read by Spark ${finding.last ?? ""}`
          : `was removed in Spark ${finding.since}`;
      return `"${short(finding.key)}" ${when} and has no effect.${useInstead(finding.successor)}`;
    }
    case "deprecated-key":
      return finding.isRead
        ? `"${short(finding.key)}" is deprecated since Spark ${finding.since}.${useInstead(finding.successor)}`
        : `"${short(finding.key)}" is deprecated since Spark ${finding.since} and has no effect any more.${useInstead(finding.successor)}`;
    case "old-name":
      return `"${short(finding.key)}" is an old name.${useInstead(finding.successor)}`;
    case "duplicate-key":
      if (finding.isOption === true)
        return `An option of the command also sets "${short(finding.key)}" and overrides this.`;
      if (finding.isField === true)
        return `A field of the manifest and "sparkConf" both set "${short(finding.key)}"; this setting is overridden.`;
      return `"${short(finding.key)}" is set again below; the last setting takes effect.`;
    case "empty-value":
      return `"${short(finding.key)}" needs ${wanted[finding.wanted]}, and has no value.`;
    case "bad-boolean":
      return `"${short(finding.key)}" takes true or false, not "${short(finding.value)}".`;
    case "bad-number":
      return finding.why === "tooLarge"
        ? `"${short(finding.value)}" is too large for ${numbers[finding.wanted]}.`
        : `"${short(finding.key)}" needs ${numbers[finding.wanted]}, not "${short(finding.value)}".`;
    case "bad-size":
      return sizeWords(finding.value, finding.why, finding.unit, finding.version);
    case "bad-time":
      return timeWords(finding.value, finding.why, finding.unit);
    case "bad-choice":
      return `"${short(finding.key)}" takes ${anyOf(finding.allowed)}, not "${short(finding.value)}".${didYouMean(finding.near === undefined ? [] : [finding.near])}`;
    case "out-of-range":
      return `"${short(finding.key)}" must be ${rangeWords(finding.range, finding.unit)}; this is "${short(finding.value)}".`;
    case "bad-regex":
      return `"${short(finding.value)}" is no regular expression that Java can read.`;
    case "bad-form":
      return `"${short(finding.key)}" ${forms[finding.form]}.`;
    case "unknown-option":
      return `spark-submit has no option "${short(finding.option)}".${useInstead(finding.near)}`;
    case "rule":
    case "manifest":
      return finding.says;
    default:
      return assertNever(finding);
  }
}

const wanted: Readonly<Record<Wanted, string>> = {
  boolean: "true or false",
  int: "a whole number",
  long: "a whole number",
  double: "a number",
  decimal: "a number",
  time: "a time such as 30s",
  size: "a size such as 4g",
  choice: "one of its values",
  text: "a value",
};

const numbers: Readonly<Record<NumberWanted, string>> = {
  int: "an integer",
  long: "an integer of up to 64 bits",
  double: "a number",
  decimal: "a decimal number",
};

const forms: Readonly<Record<FormFault, string>> = {
  idPattern:
    "needs a format of Java's without blanks, such as app-%s-%04d, for no more than Spark puts in",
  serialFilter: "needs a filter for Java's serialization, such as org.apache.spark.**;!*",
  emptyList: "needs at least one directory",
  podNamePrefix:
    "must be a DNS name of at most 237 characters: small letters, digits, '-' and '.', each part beginning and ending with a letter or digit",
  storageLevel: "needs the name of a storage level such as MEMORY_AND_DISK",
  trailingSlash: "must end with '/'",
  proxyWord: "must not have 'proxy' or 'history' as a part of its path",
  readOnly: "only says which version is built in, and cannot be changed",
  tooLongPath: "must be a shorter path, as the names of sockets have a limit",
  kafkaPrefix: "lists Kafka's options without 'kafka.' before them",
  decimalPlaces: "takes at most nine decimal places",
  className: "needs the full name of a class, package and all",
  hiveVersion:
    "needs a version of Hive's metastore that this Spark talks to, such as 2.3.10 or 3.1.3",
  sqlPath: "needs names of schemas such as spark_catalog.default, parted by commas",
  timeZone: "needs a time zone such as UTC, Europe/Berlin or +01:00",
};

function sizeWords(value: string, why: SizeFault, unit: string, version: SparkVersion): string {
  const units = `k, m, g, t or p behind a whole number, or nothing for ${byteUnits[unit] ?? unit}`;
  switch (why) {
    case "binaryUnit":
      return `"${short(value)}": Spark ${version} has no units such as Ki, Mi and Gi (4.2 and later do). Write ${value.toLowerCase().replace("i", "")}.`;
    case "fraction":
      return `"${short(value)}": a size has no fraction. Use a smaller unit.`;
    case "space":
      return `"${short(value)}": a size has no blank before its unit.`;
    case "unit":
      return `"${short(value)}" has a unit that Spark does not know. Use ${units}.`;
    case "tooLarge":
      return `"${short(value)}" is more bytes than Spark can count.`;
    case "syntax":
      return `"${short(value)}" is no size. Use ${units}${isFrom(version, "4.2") ? "" : " (Gi and the like come with Spark 4.2)"}.`;
    default:
      return assertNever(why);
  }
}

function timeWords(value: string, why: TimeFault, unit: string): string {
  const units = `us, ms, s, m, h or d behind a whole number, or nothing for ${unit}`;
  switch (why) {
    case "fraction":
      return `"${short(value)}": a time has no fraction. Use a smaller unit.`;
    case "space":
      return `"${short(value)}": a time has no blank before its unit.`;
    case "unit":
      return `"${short(value)}" has a unit that Spark does not know. Use ${units}.`;
    case "tooLarge":
      return `"${short(value)}" is longer than Spark can count.`;
    case "syntax":
      return `"${short(value)}" is no time. Use ${units}.`;
    default:
      return assertNever(why);
  }
}

function rangeWords(range: Range, unit: string | undefined): string {
  const { min, max, minExcluded, maxExcluded, holes, step } = range;
  const name = unit === undefined ? "" : ` ${byteUnits[unit] ?? unit}`;
  const bounds: string[] = [];
  if (min !== undefined) bounds.push(minExcluded ? `more than ${min}` : `at least ${min}`);
  if (max !== undefined) bounds.push(maxExcluded ? `less than ${max}` : `at most ${max}`);
  const not = holes.length > 0 ? `, but not ${holes.join(" or ")}` : "";
  const multiple = step === undefined ? "" : ` and a multiple of ${step}`;
  return `${bounds.join(" and ")}${name}${multiple}${not}`;
}

const byteUnits: Readonly<Record<string, string>> = { BYTE: "bytes" };

function didYouMean(near: readonly string[]): string {
  return near.length === 0 ? "" : ` Did you mean ${anyOf(near.map((name) => `"${name}"`))}?`;
}

const useInstead = (successor: string | undefined): string =>
  successor === undefined ? "" : ` Use "${successor}".`;

function anyOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}

/** Keys and values may be very long. */
const short = (value: string): string => (value.length > 80 ? `${value.slice(0, 79)}…` : value);
