import { parse } from "smol-toml";
import { isRecord } from "../../../base/json.ts";

/** Parsing 256 KiB takes about 10 ms. */
export const maxCharacters = 256 * 1024;

/** Undefined if the text is invalid or too long. */
export function readToml(text: string): unknown {
  if (text.length > maxCharacters) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The value under an own key of a table. */
export const fieldIn = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
