import type { Catalogue } from "../catalogue/catalogue.ts";
import type { KeyFacts } from "../catalogue/keyFacts.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import type { ValueType } from "./valueType.ts";
import { javaTrim, listParts } from "./javaText.ts";
import { parseDecimal, parseDouble, parseInteger } from "./numbers.ts";
import { readSize } from "./sizes.ts";
import { readTime } from "./times.ts";

/** A value as Spark parses it. Times and sizes are numbers in the unit of the entry. */
export type ReadValue = boolean | bigint | number | string | readonly string[];

/**
 * Parses the value of a key. Converts a deprecated key's value for the key that replaced it. Undefined if the text is
 * invalid, or if no entry reads the key.
 */
export function readKeyValue(
  catalogue: Catalogue,
  { entry, oldName }: KeyFacts,
  text: string,
  version: SparkVersion,
): ReadValue | undefined {
  if (entry !== undefined) return readValue(entry.type, text, version);
  const reader = oldName && catalogue.find(oldName.of, version)?.entry;
  if (oldName === undefined || reader === undefined) return undefined;
  const translated = translate(text, oldName.takes);
  return translated === undefined ? undefined : readValue(reader.type, translated, version);
}

/** Parses a value as the type of its entry. Undefined if the text is invalid. Does not check ranges and choices. */
export function readValue(
  type: ValueType,
  value: string,
  version: SparkVersion,
): ReadValue | undefined {
  const text = type.trims ? javaTrim(value) : value;
  switch (type.kind) {
    case "boolean":
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
    case "int":
    case "long":
      return valueIn(parseInteger(text, type.kind));
    case "double":
      return parseDouble(text);
    case "decimal":
      return parseDecimal(text)?.value;
    case "time":
      return valueIn(readTime(value, type.unit));
    case "bytes":
      return valueIn(readSize(value, type.unit, version));
    case "list":
      return listParts(value);
    case "string":
    case "regex":
      return text;
  }
}

const valueIn = (
  read: { readonly value: bigint } | { readonly fault: string },
): bigint | undefined => ("value" in read ? read.value : undefined);

// Converts the number of a deprecated name as Spark does. A size in megabytes becomes 1,000 KiB per megabyte, and a
// retry count becomes 10 s per retry.
function translate(text: string, takes: "int" | "double" | undefined): string | undefined {
  if (takes === undefined) return text;
  if (takes === "double") {
    const number = parseDouble(javaTrim(text));
    return number === undefined ? undefined : `${Math.trunc(number * 1000)}k`;
  }
  const tries = valueIn(parseInteger(text, "int"));
  return tries === undefined ? undefined : `${BigInt.asIntN(32, tries * 10n)}s`;
}
