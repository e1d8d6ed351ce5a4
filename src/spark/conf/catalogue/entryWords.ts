import { assertNever } from "../../../base/assertNever.ts";
import type { EntryFacts } from "./keyFacts.ts";
import type { ValueType } from "../values/valueType.ts";

/** An entry in one line: kind, default, since when. */
export function describeEntry(entry: EntryFacts): string {
  const { fallback, since } = entry;
  const parts = [kindWords(entry.type)];
  if (fallback !== undefined) parts.push(`default: value of ${fallback}`);
  else if (entry.default !== undefined && entry.default !== "") {
    parts.push(`default: ${entry.default}`);
  }
  if (since !== undefined) parts.push(`since ${since}`);
  if (!entry.isPublic) parts.push("internal");
  return parts.join(", ");
}

function kindWords(type: ValueType): string {
  if (type.choices !== undefined) return type.kind === "list" ? "list of choices" : "choice";
  switch (type.kind) {
    case "boolean":
      return "true or false";
    case "int":
    case "long":
      return "whole number";
    case "double":
    case "decimal":
      return "number";
    case "string":
      return "text";
    case "regex":
      return "regular expression";
    case "time":
      return `time in ${type.unit}`;
    case "bytes":
      return `size in ${type.unit === "BYTE" ? "bytes" : type.unit}`;
    case "list":
      return "list";
    default:
      return assertNever(type);
  }
}
