import { isJsonObject, listAt, type Json, type JsonObject } from "../../../base/json.ts";
import type { Manifest } from "../plan/manifest.ts";

/** Returns a field of a manifest if it is an object, else an empty object. */
export function manifestObject(manifest: Manifest, field: string): JsonObject {
  const value = manifest[field];
  return value !== undefined && isObject(value) ? value : {};
}

/** Returns Spark's container, the last one in pods that Spark builds. Empty object if there is none. */
export function lastContainerOf(pod: Manifest): JsonObject {
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
