import { inEnglish, type Message } from "../src/base/message.ts";

/** Returns a copy of a value in which each message is replaced by its English text. */
export function plainEnglish(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isMessage(value)) return inEnglish(value);
  if (Array.isArray(value)) return value.map(plainEnglish);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainEnglish(one)]));
}

const isMessage = (value: object): value is Message =>
  "strings" in value && "values" in value && Object.keys(value).length === 2;
