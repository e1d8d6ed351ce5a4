import type { Form } from "../catalogue/catalogueFormat.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import { javaTrim, listParts } from "./javaText.ts";
import { isSerialFilter, isSurelyBadFormat, type FormatArgument } from "./javaForms.ts";
import { parseDecimal } from "./numbers.ts";
import { isSurelyBadRegex } from "./regexes.ts";
import { isClassName, isHiveVersion, isSqlPath, isTimeZone } from "./sqlForms.ts";
import type { FormFault, ValueProblem } from "./valueProblem.ts";

/**
 * Runs a named check on a value, and returns the problem. Undefined if the value passes, or if its validity depends on
 * more than its text.
 */
export function judgeForm(
  form: Form,
  value: string,
  defaultValue: string | undefined,
  version: SparkVersion,
): ValueProblem | undefined {
  switch (form) {
    case "idPattern":
      return unless(isIdPattern(value, ["text", "number"]), "idPattern");
    case "workerIdPattern":
      return unless(isIdPattern(value, ["text", "text", "number"]), "idPattern");
    case "serialFilter":
      return unless(isSerialFilter(value), "serialFilter");
    case "nonEmptyList":
      return listParts(value).length === 0 ? { code: "bad-form", form: "emptyList" } : undefined;
    case "podNamePrefix":
      return isPodNamePrefix(value) ? undefined : { code: "bad-form", form: "podNamePrefix" };
    case "storageLevel":
      return unless(storageLevels.has(value), "storageLevel");
    case "trailingSlash":
      return value.endsWith("/") ? undefined : { code: "bad-form", form: "trailingSlash" };
    case "proxyFreeUrl":
      return value.split("/").some((part) => part === "proxy" || part === "history")
        ? { code: "bad-form", form: "proxyWord" }
        : undefined;
    case "onlyDefault":
      return defaultValue === undefined || value === defaultValue
        ? undefined
        : { code: "bad-form", form: "readOnly" };
    case "socketDirectory":
      return value.length > 61 ? { code: "bad-form", form: "tooLongPath" } : undefined;
    case "noKafkaPrefix":
      return listParts(value).some((part) => part.startsWith("kafka."))
        ? { code: "bad-form", form: "kafkaPrefix" }
        : undefined;
    case "regexOrEmpty":
      return value !== "" && isSurelyBadRegex(value) ? { code: "bad-regex" } : undefined;
    case "regexList":
      return listParts(value).some(isSurelyBadRegex) ? { code: "bad-regex" } : undefined;
    case "nineDecimals":
      return (parseDecimal(javaTrim(value))?.places ?? 0) > 9
        ? { code: "bad-form", form: "decimalPlaces" }
        : undefined;
    case "className":
      return unless(isClassName(value), "className");
    case "hiveVersion":
      return unless(isHiveVersion(value, version), "hiveVersion");
    case "timeZone":
      return unless(isTimeZone(value), "timeZone");
    case "sqlPath":
      return unless(isSqlPath(value), "sqlPath");
  }
}

// The whitespace of Java's `Character.isWhitespace`, without non-breaking blanks.
const javaWhitespace =
  /[\t-\r\u001c-\u0020\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

// `%n` prints a line end, which counts as a blank.
const isIdPattern = (value: string, given: readonly FormatArgument[]): boolean =>
  !javaWhitespace.test(value.replaceAll("%%", "").replaceAll("%n", "\n")) &&
  !isSurelyBadFormat(value, given);

const unless = (isRight: boolean, form: FormFault): ValueProblem | undefined =>
  isRight ? undefined : { code: "bad-form", form };

const storageLevels = new Set([
  "NONE",
  "DISK_ONLY",
  "DISK_ONLY_2",
  "DISK_ONLY_3",
  "MEMORY_ONLY",
  "MEMORY_ONLY_2",
  "MEMORY_ONLY_SER",
  "MEMORY_ONLY_SER_2",
  "MEMORY_AND_DISK",
  "MEMORY_AND_DISK_2",
  "MEMORY_AND_DISK_SER",
  "MEMORY_AND_DISK_SER_2",
  "OFF_HEAP",
]);

// True for a DNS subdomain with room for the suffix that Spark appends.
function isPodNamePrefix(value: string): boolean {
  if (value.length > 237) return false;
  return value
    .split(".")
    .every((label) => /^[a-z0-9-]+$/.test(label) && !label.startsWith("-") && !label.endsWith("-"));
}
