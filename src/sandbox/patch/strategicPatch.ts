import { isList, type JsonValue, type JsonArray, type JsonMembers } from "../kubeObject.ts";
import { asObject, schemaFieldOf, resolve, type OpenApiSchema } from "../schema/schema.ts";
import { badRequest } from "../api/refusal.ts";

/**
 * Applies Kubernetes' strategic merge patch: lists whose items have a merge key are merged item by item, with the
 * directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList` and `$setElementOrder`.
 */
export function strategicPatch(
  target: JsonMembers,
  patch: JsonMembers,
  schema: OpenApiSchema,
): JsonMembers {
  return mergeObjects(target, patch, resolve(schema));
}

function mergeObjects(target: JsonMembers, patch: JsonMembers, schema: OpenApiSchema): JsonMembers {
  const { $patch: directive, $retainKeys: retained, ...changes } = patch;
  if (directive === "delete") return {};
  if (directive === "replace") return withoutDirectives(changes);
  const merged: Record<string, JsonValue | undefined> = { ...target };
  if (Array.isArray(retained)) {
    for (const name of Object.keys(merged)) {
      if (!(retained as JsonArray).includes(name)) Reflect.deleteProperty(merged, name);
    }
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || name.startsWith("$")) continue;
    const field = schemaFieldOf(schema, name);
    if (value === null) Reflect.deleteProperty(merged, name);
    else merged[name] = mergeValues(merged[name], value, field === undefined ? {} : field);
  }
  for (const [name, value] of Object.entries(changes)) {
    if (name.startsWith("$deleteFromPrimitiveList/")) dropFrom(merged, name, value);
    if (name.startsWith("$setElementOrder/")) order(merged, name, value, schema);
  }
  return merged;
}

function mergeValues(
  target: JsonValue | undefined,
  patch: JsonValue,
  field: OpenApiSchema,
): JsonValue {
  const object = asObject(patch);
  if (object !== undefined) return mergeObjects(asObject(target) ?? {}, object, resolve(field));
  if (!isList(patch)) return patch;
  const strategy = field["x-kubernetes-patch-strategy"] ?? "";
  if (!strategy.includes("merge")) return patch;
  const mergeKey = field["x-kubernetes-patch-merge-key"];
  const list = Array.isArray(target) ? (target as JsonArray) : [];
  if (mergeKey === undefined) return [...new Set([...list, ...patch])];
  return mergeLists(list, patch, mergeKey, field.items ?? {});
}

function mergeLists(
  target: JsonArray,
  patch: JsonArray,
  mergeKey: string,
  item: OpenApiSchema,
): JsonArray {
  const changes = patch.map((one) => asObject(one) ?? {});
  if (changes.some((one) => one["$patch"] === "replace")) {
    return changes.filter((one) => one["$patch"] !== "replace");
  }
  const merged = [...target];
  for (const change of changes) {
    const key = change[mergeKey];
    if (key === undefined)
      throw badRequest(
        `map: ${JSON.stringify(change)} does not contain declared merge key: ${mergeKey}`,
      );
    const at = merged.findIndex((one) => asObject(one)?.[mergeKey] === key);
    if (change["$patch"] === "delete") {
      if (at !== -1) merged.splice(at, 1);
    } else if (at === -1) {
      merged.push(mergeObjects({}, change, resolve(item)));
    } else {
      merged[at] = mergeObjects(asObject(merged[at]) ?? {}, change, resolve(item));
    }
  }
  return merged;
}

function dropFrom(
  merged: Record<string, JsonValue | undefined>,
  name: string,
  value: JsonValue | undefined,
): void {
  const field = name.slice("$deleteFromPrimitiveList/".length);
  const list = merged[field];
  if (!Array.isArray(list) || !Array.isArray(value)) return;
  merged[field] = (list as JsonArray).filter((one) => !(value as JsonArray).includes(one));
}

// Items that `$setElementOrder` does not list keep their index.
function order(
  merged: Record<string, JsonValue | undefined>,
  name: string,
  value: JsonValue | undefined,
  schema: OpenApiSchema,
): void {
  const field = name.slice("$setElementOrder/".length);
  const list = merged[field];
  if (!Array.isArray(list) || !Array.isArray(value)) return;
  const mergeKey = schemaFieldOf(schema, field)?.["x-kubernetes-patch-merge-key"];
  const keyOf = (one: JsonValue): JsonValue | undefined =>
    mergeKey === undefined ? one : asObject(one)?.[mergeKey];
  const wanted = (value as JsonArray).map(keyOf);
  const named = (list as JsonArray)
    .filter((one) => wanted.includes(keyOf(one)))
    .sort((a, b) => wanted.indexOf(keyOf(a)) - wanted.indexOf(keyOf(b)));
  const next = [...named];
  (list as JsonArray).forEach((one, index) => {
    if (!wanted.includes(keyOf(one))) next.splice(Math.min(index, next.length), 0, one);
  });
  merged[field] = next;
}

function withoutDirectives(patch: JsonMembers): JsonMembers {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !name.startsWith("$")));
}
