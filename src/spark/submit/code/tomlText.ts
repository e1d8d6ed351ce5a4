import { parse } from "smol-toml";
import { isRecord } from "../../../base/json.ts";

/** The maximum length of a text to parse. Parsing 256 KiB takes about 10 ms. */
export const maxCharacters = 256 * 1024;

/** Parses TOML. Undefined if the text is invalid or longer than `maxCharacters`. */
export function readToml(text: string): unknown {
  if (text.length > maxCharacters) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value of a key in a table. Undefined if there is none. Ignores inherited properties. */
export const fieldIn = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
