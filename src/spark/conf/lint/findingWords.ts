import { assertNever } from "../../../base/assertNever.ts";
import { anyOf, msg, sentences, type Message } from "../../../base/message.ts";
import { unitWord } from "../catalogue/entryWords.ts";
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

/** Returns the message of a finding: the fault and the fix. */
export function describeFinding(finding: Finding): Message {
  switch (finding.code) {
    case "bad-escape":
      return msg(
        "Spark cannot read this file: a backslash and 'u' must be followed by four hexadecimal digits. Write '\\\\' for a backslash.",
      );
    case "foreign-key":
      return msg`Spark ignores "${short(finding.key)}": only keys that begin with "spark." take effect in this file.`;
    case "unknown-key":
      return sentences([
        msg`Spark ${finding.version} does not know "${short(finding.key)}".`,
        didYouMean(finding.near),
      ]);
    case "future-key":
      return msg`"${short(finding.key)}" requires Spark ${finding.first} or later. Spark ${finding.version} ignores it.`;
    case "removed-key":
      return sentences([
        finding.since === undefined
          ? msg`"${short(finding.key)}" was last read by Spark ${finding.last ?? ""} and has no effect.`
          : msg`"${short(finding.key)}" was removed in Spark ${finding.since} and has no effect.`,
        useInstead(finding.successor),
      ]);
    case "deprecated-key":
      return sentences([
        finding.isRead
          ? msg`"${short(finding.key)}" is deprecated since Spark ${finding.since}.`
          : msg`"${short(finding.key)}" is deprecated since Spark ${finding.since} and no longer has an effect.`,
        useInstead(finding.successor),
      ]);
    case "old-name":
      return sentences([
        msg`"${short(finding.key)}" is an old name.`,
        useInstead(finding.successor),
      ]);
    case "duplicate-key":
      if (finding.isOption === true)
        return msg`An option of the command also sets "${short(finding.key)}" and overrides this.`;
      if (finding.isField === true)
        return msg`A field of the manifest and "sparkConf" both set "${short(finding.key)}"; this setting is overridden.`;
      return msg`"${short(finding.key)}" is set again below; the last setting takes effect.`;
    case "empty-value":
      return msg`"${short(finding.key)}" requires ${wanted[finding.wanted]}, but has no value.`;
    case "bad-boolean":
      return msg`"${short(finding.key)}" must be true or false, not "${short(finding.value)}".`;
    case "bad-number":
      return finding.why === "tooLarge"
        ? msg`"${short(finding.value)}" is too large for ${numbers[finding.wanted]}.`
        : msg`"${short(finding.key)}" must be ${numbers[finding.wanted]}, not "${short(finding.value)}".`;
    case "bad-size":
      return sizeWords(finding.value, finding.why, finding.unit, finding.version);
    case "bad-time":
      return timeWords(finding.value, finding.why, finding.unit);
    case "bad-choice":
      return sentences([
        msg`"${short(finding.key)}" must be ${anyOf(finding.allowed)}, not "${short(finding.value)}".`,
        didYouMean(finding.near === undefined ? [] : [finding.near]),
      ]);
    case "out-of-range":
      return msg`"${short(finding.key)}" must be ${rangeWords(finding.range, finding.unit)}, not "${short(finding.value)}".`;
    case "bad-regex":
      return msg`"${short(finding.value)}" is not a valid Java regular expression.`;
    case "bad-form":
      return formWords[finding.form](short(finding.key));
    case "unknown-option":
      return sentences([
        msg`spark-submit has no option "${short(finding.option)}".`,
        useInstead(finding.near),
      ]);
    case "rule":
    case "manifest":
      return finding.says;
    default:
      return assertNever(finding);
  }
}

const wanted: Readonly<Record<Wanted, Message>> = {
  boolean: msg("true or false"),
  int: msg("an integer"),
  long: msg("an integer"),
  double: msg("a number"),
  decimal: msg("a number"),
  time: msg("a duration such as 30s"),
  size: msg("a size such as 4g"),
  choice: msg("one of its valid values"),
  text: msg("a value"),
};

const numbers: Readonly<Record<NumberWanted, Message>> = {
  int: msg("an integer"),
  long: msg("an integer of up to 64 bits"),
  double: msg("a number"),
  decimal: msg("a decimal number"),
};

const formWords: Readonly<Record<FormFault, (key: string) => Message>> = {
  idPattern: (key) =>
    msg`"${key}" must be a Java format string without spaces, such as app-%s-%04d, with no more placeholders than Spark fills in.`,
  serialFilter: (key) =>
    msg`"${key}" must be a Java serialization filter, such as org.apache.spark.**;!*.`,
  emptyList: (key) => msg`"${key}" needs at least one directory.`,
  podNamePrefix: (key) =>
    msg`"${key}" must be a DNS name of at most 237 characters: lowercase letters, digits, '-' and '.', with a letter or digit at both ends of each part.`,
  storageLevel: (key) => msg`"${key}" must be a storage level such as MEMORY_AND_DISK.`,
  trailingSlash: (key) => msg`"${key}" must end with '/'.`,
  proxyWord: (key) => msg`"${key}" must not contain 'proxy' or 'history' as a path segment.`,
  readOnly: (key) => msg`"${key}" only shows the built-in version and cannot be changed.`,
  tooLongPath: (key) =>
    msg`"${key}" must be a shorter path, because socket names have a maximum length.`,
  kafkaPrefix: (key) => msg`"${key}" must list Kafka options without the prefix 'kafka.'.`,
  decimalPlaces: (key) => msg`"${key}" can have at most nine decimal places.`,
  className: (key) => msg`"${key}" must be a fully qualified class name.`,
  hiveVersion: (key) =>
    msg`"${key}" must be a Hive metastore version that this Spark version supports, such as 2.3.10 or 3.1.3.`,
  sqlPath: (key) =>
    msg`"${key}" must be a comma-separated list of schema names such as spark_catalog.default.`,
  timeZone: (key) => msg`"${key}" must be a time zone such as UTC, Europe/Berlin or +01:00.`,
};

function sizeWords(value: string, why: SizeFault, unit: string, version: SparkVersion): Message {
  const units = msg`an integer followed by k, m, g, t or p, or no unit for ${unitWord(unit)}`;
  switch (why) {
    case "binaryUnit":
      return msg`"${short(value)}": Spark ${version} does not support units such as Ki, Mi and Gi (4.2 and later do). Write ${value.toLowerCase().replace("i", "")}.`;
    case "fraction":
      return msg`"${short(value)}": a size cannot have a fraction. Use a smaller unit.`;
    case "space":
      return msg`"${short(value)}": a size cannot have a space before its unit.`;
    case "unit":
      return msg`"${short(value)}" has a unit that Spark does not know. Use ${units}.`;
    case "tooLarge":
      return msg`"${short(value)}" exceeds the maximum size that Spark supports.`;
    case "syntax":
      return isFrom(version, "4.2")
        ? msg`"${short(value)}" is not a valid size. Use ${units}.`
        : msg`"${short(value)}" is not a valid size. Use ${units} (Gi and similar units require Spark 4.2).`;
    default:
      return assertNever(why);
  }
}

function timeWords(value: string, why: TimeFault, unit: string): Message {
  const units = msg`an integer followed by us, ms, s, m, h or d, or no unit for ${unitWord(unit)}`;
  switch (why) {
    case "fraction":
      return msg`"${short(value)}": a duration cannot have a fraction. Use a smaller unit.`;
    case "space":
      return msg`"${short(value)}": a duration cannot have a space before its unit.`;
    case "unit":
      return msg`"${short(value)}" has a unit that Spark does not know. Use ${units}.`;
    case "tooLarge":
      return msg`"${short(value)}" exceeds the maximum duration that Spark supports.`;
    case "syntax":
      return msg`"${short(value)}" is not a valid duration. Use ${units}.`;
    default:
      return assertNever(why);
  }
}

function rangeWords(range: Range, unit: string | undefined): Message {
  const { min, max, minExcluded, maxExcluded, holes, step } = range;
  const bounds: Message[] = [];
  if (min !== undefined) bounds.push(minExcluded ? msg`more than ${min}` : msg`at least ${min}`);
  if (max !== undefined) bounds.push(maxExcluded ? msg`less than ${max}` : msg`at most ${max}`);
  let words = bounds.reduce((low, high) => msg`${low} and ${high}`);
  if (unit !== undefined) words = msg`${words} ${unitWord(unit)}`;
  if (step !== undefined) words = msg`${words} and a multiple of ${step}`;
  return holes.length === 0 ? words : msg`${words}, but not ${anyOf(holes)}`;
}

function didYouMean(near: readonly string[]): Message | undefined {
  return near.length === 0
    ? undefined
    : msg`Did you mean ${anyOf(near.map((name) => `"${name}"`))}?`;
}

const useInstead = (successor: string | undefined): Message | undefined =>
  successor === undefined ? undefined : msg`Use "${successor}".`;

/** Truncates a key or a value to 80 characters. */
const short = (value: string): string => (value.length > 80 ? `${value.slice(0, 79)}…` : value);
