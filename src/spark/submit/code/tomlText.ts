import { parse } from "smol-toml";
import { isRecord } from "../../../base/json.ts";

/** Limit for parsing: 256 KiB take about 10 ms. */
export const maxCharacters = 256 * 1024;

/** Parses a TOML text. Undefined if the text is invalid or too long. */
export function readToml(text: string): unknown {
  if (text.length > maxCharacters) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value under an own key of a table. Undefined if there is none. */
export const fieldIn = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
