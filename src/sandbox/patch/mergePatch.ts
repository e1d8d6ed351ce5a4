import type { JsonValue } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";

/** Applies a JSON merge patch (RFC 7386). */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  const changes = asObject(patch);
  if (changes === undefined) return patch;
  const merged: Record<string, JsonValue | undefined> = { ...asObject(target) };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) Reflect.deleteProperty(merged, name);
    else if (value !== undefined) merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}
