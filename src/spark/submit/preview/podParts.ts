import { isJsonObject, listAt, type Json, type JsonObject } from "../../../base/json.ts";
import type { Manifest } from "../plan/manifest.ts";

/** A field of a manifest that is an object, or an empty object. */
export function manifestObject(manifest: Manifest, field: string): JsonObject {
  const value = manifest[field];
  return value !== undefined && isObject(value) ? value : {};
}

/** Spark's container, which is the last one in pods that Spark builds. */
export function sparkContainerOf(pod: Manifest): JsonObject {
  return containersOf(pod).at(-1) ?? {};
}

export function containersOf(
  pod: Manifest,
  key: "containers" | "initContainers" = "containers",
): readonly JsonObject[] {
  return listAt(manifestObject(pod, "spec"), key).filter((item) => isJsonObject(item));
}

// The type of metadata has optional fields, so it is not a `Json`.
function isObject(value: Manifest[string]): value is JsonObject {
  return isJsonObject(value as Json);
}
