import type { Json } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";

/** RFC 7386: members replace those of their name, null takes one away. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  const changes = asObject(patch);
  if (changes === undefined) return patch;
  const merged: Record<string, Json | undefined> = { ...asObject(target) };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) Reflect.deleteProperty(merged, name);
    else if (value !== undefined) merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}
