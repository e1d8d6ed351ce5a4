import assert from "node:assert/strict";
import { readText } from "./sources.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export async function readJson(path: string): Promise<JsonObject> {
  const value: unknown = JSON.parse(await readText(path));
  assert.ok(isRecord(value), `${path} is no object`);
  return value;
}

/** Returns the object at a key; throws if there is none. */
export function membersOf(value: unknown, key: string): JsonObject {
  const member = isRecord(value) ? value[key] : undefined;
  assert.ok(isRecord(member), `there is no object under ${key}`);
  return member;
}

/** Returns all strings in a value, at any depth. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
