import { isJsonObject, listAt } from "../json.ts";
import type { Json, JsonObject, Manifest } from "../manifest.ts";

/** A field of a manifest that holds an object, or an empty one. */
export function fieldOf(manifest: Manifest, field: string): JsonObject {
  const value = manifest[field];
  return value !== undefined && isObject(value) ? value : {};
}

/** The container that Spark runs in: the last one, in pods that Spark makes. */
export function sparkContainerOf(pod: Manifest): JsonObject {
  return containersOf(pod).at(-1) ?? {};
}

export function containersOf(
  pod: Manifest,
  key: "containers" | "initContainers" = "containers",
): readonly JsonObject[] {
  return listAt(fieldOf(pod, "spec"), key).filter((item) => isJsonObject(item));
}

// Metadata is no `Json` to the compiler, as it has optional fields.
function isObject(value: Manifest[string]): value is JsonObject {
  return isJsonObject(value as Json);
}
