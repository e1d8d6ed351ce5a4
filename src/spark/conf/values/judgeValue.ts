import { assertNever } from "../../../base/assertNever.ts";
import { nearestWord } from "../nearest/words.ts";
import type { EntryFacts } from "../catalogue/keyFacts.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import type { Choices, ValueType } from "./valueType.ts";
import { judgeForm } from "./forms.ts";
import { javaTrim, listParts } from "./javaText.ts";
import { parseDecimal, parseDouble, parseInteger, type Parsed } from "./numbers.ts";
import { isWithin } from "./ranges.ts";
import { isSurelyBadRegex } from "./regexes.ts";
import { readSize } from "./sizes.ts";
import { readTime } from "./times.ts";
import type { NumberWanted, ValueProblem, Wanted } from "./valueProblem.ts";

/** Returns the reason why this Spark version rejects the value of the entry; undefined if it accepts the value. */
export function judgeValue(
  entry: EntryFacts,
  value: string,
  version: SparkVersion,
): ValueProblem | undefined {
  const { type } = entry;
  const problem = judgeType(type, value, version);
  if (problem !== undefined) {
    return javaTrim(value) === "" ? { code: "empty-value", wanted: wantedBy(type) } : problem;
  }
  return type.form === undefined ? undefined : judgeForm(type.form, value, entry.default, version);
}

/** As `judgeValue`, for a deprecated name whose value is a number without a unit. */
export function judgeOldNumber(value: string, wanted: "int" | "double"): ValueProblem | undefined {
  const text = javaTrim(value);
  const isRead =
    wanted === "int" ? "value" in parseInteger(value, "int") : parseDouble(text) !== undefined;
  if (isRead) return undefined;
  return text === ""
    ? { code: "empty-value", wanted }
    : { code: "bad-number", wanted, why: "syntax" };
}

function judgeType(
  type: ValueType,
  value: string,
  version: SparkVersion,
): ValueProblem | undefined {
  const text = type.trims ? javaTrim(value) : value;
  switch (type.kind) {
    case "boolean":
      return /^(?:true|false)$/i.test(text) ? undefined : { code: "bad-boolean" };
    case "int":
    case "long":
      return judgeInteger(type, text, type.kind);
    case "double":
      // Trims even if the type does not, because Java's `Double.parseDouble` trims the text.
      return judgeNumber(type, parseDouble(javaTrim(value)), "double");
    case "decimal":
      return judgeNumber(type, parseDecimal(text)?.value, "decimal");
    case "time": {
      const read = readTime(value, type.unit);
      if ("fault" in read) return { code: "bad-time", why: read.fault, unit: type.unit };
      return inRange(type, read.value, type.unit);
    }
    case "bytes": {
      const read = readSize(value, type.unit, version);
      if ("fault" in read) return { code: "bad-size", why: read.fault, unit: type.unit };
      return inRange(type, read.value, type.unit);
    }
    case "list":
      return judgeList(type, value);
    case "regex":
      return isSurelyBadRegex(value) ? { code: "bad-regex" } : undefined;
    case "string":
      return type.choices === undefined ? undefined : judgeChoice(type.choices, text);
    default:
      return assertNever(type);
  }
}

function judgeInteger(
  type: ValueType,
  text: string,
  wanted: "int" | "long",
): ValueProblem | undefined {
  const number: Parsed<bigint> = parseInteger(text, wanted);
  if ("fault" in number) return { code: "bad-number", wanted, why: number.fault };
  if (type.choices !== undefined) return judgeChoice(type.choices, String(number.value));
  return inRange(type, number.value, undefined);
}

function judgeNumber(
  type: ValueType,
  number: number | undefined,
  wanted: NumberWanted,
): ValueProblem | undefined {
  if (number === undefined) return { code: "bad-number", wanted, why: "syntax" };
  return inRange(type, number, undefined);
}

function inRange(
  { range }: ValueType,
  value: number | bigint,
  unit: string | undefined,
): ValueProblem | undefined {
  if (range === undefined || isWithin(value, range)) return undefined;
  return { code: "out-of-range", range, unit };
}

function judgeList(
  type: ValueType & { readonly kind: "list" },
  value: string,
): ValueProblem | undefined {
  const { choices, element } = type;
  for (const part of listParts(value)) {
    if (element === "long" && "fault" in parseInteger(part, "long")) {
      return { code: "bad-number", wanted: "long", why: "syntax" };
    }
    const problem = choices === undefined ? undefined : judgeChoice(choices, part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function judgeChoice({ comparison, values }: Choices, text: string): ValueProblem | undefined {
  const compared =
    comparison === "lower"
      ? text.toLowerCase()
      : comparison === "exact"
        ? text
        : text.toUpperCase();
  const matches = (value: string): boolean =>
    comparison === "trimmedAnyCase" ? value.toUpperCase() === compared : value === compared;
  if (values.some(matches)) return undefined;
  return { code: "bad-choice", allowed: values, near: nearestWord(text, values) };
}

function wantedBy(type: ValueType): Wanted {
  if (type.choices !== undefined) return "choice";
  switch (type.kind) {
    case "bytes":
      return "size";
    case "list":
    case "regex":
    case "string":
      return "text";
    case "boolean":
    case "int":
    case "long":
    case "double":
    case "decimal":
    case "time":
      return type.kind;
    default:
      return assertNever(type);
  }
}
