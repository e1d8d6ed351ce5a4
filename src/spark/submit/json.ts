import type { Json, JsonObject } from "./manifest.ts";

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under `key`, or an empty one. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const child = parent[key];
  return isJsonObject(child) ? child : {};
}

/** The list under `key`, or an empty one. */
export function listAt(parent: JsonObject, key: string): readonly Json[] {
  const child = parent[key];
  return isJsonList(child) ? child : [];
}

export function textAt(parent: JsonObject, key: string): string | undefined {
  const child = parent[key];
  return typeof child === "string" ? child : undefined;
}

/** `parent` with the object under `key` changed; an object that ends up empty is left out. */
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

/** `parent` with `items` at the end of the list under `key`. */
export function append(parent: JsonObject, key: string, items: readonly Json[]): JsonObject {
  return items.length === 0 ? parent : { ...parent, [key]: [...listAt(parent, key), ...items] };
}

// `Array.isArray` alone does not narrow read-only lists.
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
