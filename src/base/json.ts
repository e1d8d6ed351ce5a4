// JSON types and accessors. JSON from outside is untrusted: a field of an unexpected type is treated as absent.
import { err, ok, type Result } from "./result.ts";

export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** A JSON object with unchecked values. */
export type Fields = Readonly<Record<string, unknown>>;

export const noFields: Fields = Object.freeze({});

/** Parses JSON. The error omits the text, because invalid JSON may contain a secret. */
export function parseJson(text: string): Result<unknown, "notJson"> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return err("notJson");
    throw error;
  }
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

// A type guard, because `Array.isArray` alone does not narrow read-only arrays.
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : noFields);

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Returns the string members of an object. `fromEntries` defines own properties, so a key `__proto__` is safe. */
export const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** Returns the value of an own property; undefined if it is missing or `value` is not an object. */
export const fieldAt = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Returns the object under `key`, or an empty one. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const child = parent[key];
  return isJsonObject(child) ? child : {};
}

/** Returns the list under `key`, or an empty one. */
export function listAt(parent: JsonObject, key: string): readonly Json[];
export function listAt(parent: unknown, key: string): readonly unknown[];
export function listAt(parent: unknown, key: string): readonly unknown[] {
  return itemsOf(fieldAt(parent, key));
}

export const textAt = (parent: unknown, key: string): string | undefined =>
  textOf(fieldAt(parent, key));

/** Like `textAt`, but returns undefined for an empty string, as with `omitempty` in Go. */
export const nonEmptyTextAt = (parent: unknown, key: string): string | undefined =>
  textAt(parent, key) || undefined;

export const numberAt = (parent: unknown, key: string): number | undefined =>
  numberOf(fieldAt(parent, key));

/** Returns a copy of `parent` with the edited object under `key`. Does not add `key` if the edited object is empty. */
export function editObject(
  parent: JsonObject,
  key: string,
  edit: (child: JsonObject) => JsonObject,
): JsonObject {
  const edited = edit(objectAt(parent, key));
  return Object.keys(edited).length === 0 && !(key in parent)
    ? parent
    : { ...parent, [key]: edited };
}

/**
 * Returns a copy of `parent` with `items` at the end of the list under `key`; `parent` itself if there are no items.
 */
export function append(parent: JsonObject, key: string, items: readonly Json[]): JsonObject {
  return items.length === 0 ? parent : { ...parent, [key]: [...listAt(parent, key), ...items] };
}

/** Returns a copy without undefined members, because JSON has no undefined value. */
export const definedMembers = <T>(
  members: Readonly<Record<string, T | undefined>>,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, T] => member[1] !== undefined),
  );
