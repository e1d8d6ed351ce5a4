import { err, ok, type Result } from "../base/result.ts";

/** A JSON object whose fields are not known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The text is left out of the error: what does not parse may hold a secret. */
export function parseJson(text: string): Result<unknown, "notJson"> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return err("notJson");
    throw error;
  }
}

export const fieldOf = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** A text that says something: an empty one counts as absent, as it does in Go's JSON. */
export function textOf(value: unknown, key: string): string | undefined {
  const text = fieldOf(value, key);
  return typeof text === "string" && text !== "" ? text : undefined;
}

export function numberOf(value: unknown, key: string): number | undefined {
  const number = fieldOf(value, key);
  return typeof number === "number" ? number : undefined;
}

export function listOf(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key);
  return Array.isArray(list) ? list : [];
}
