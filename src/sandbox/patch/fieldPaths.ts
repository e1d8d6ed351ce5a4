import { leaveOut, type JsonValue, type JsonArray, type JsonMembers } from "../kubeObject.ts";
import { asObject, schemaFieldOf, resolve, type OpenApiSchema } from "../schema/schema.ts";

/**
 * The path of a field as in `managedFields`: `f:NAME` for a member, `k:{…}` for an item of a list with keys,
 * `v:…` for an item of a set, and "." at the end for the item itself.
 */
export type FieldPath = readonly string[];

/** A set of paths, keyed by `pathTextOf` so that equal paths match. */
export type FieldSet = ReadonlyMap<string, FieldPath>;

export const pathTextOf = (path: FieldPath): string => path.join("\u0000");

export const pathSetOf = (paths: Iterable<FieldPath>): FieldSet =>
  new Map([...paths].map((path) => [pathTextOf(path), path]));

/** Returns the paths of all fields that a value sets. */
export function pathsOf(
  value: JsonValue,
  schema: OpenApiSchema,
  at: FieldPath = [],
): readonly FieldPath[] {
  const full = resolve(schema);
  const object = asObject(value);
  if (object !== undefined && full["x-kubernetes-map-type"] !== "atomic") {
    const members = Object.entries(object).filter(([, member]) => member !== undefined);
    if (members.length === 0) return at.length === 0 ? [] : [at];
    return members.flatMap(([name, member]) =>
      pathsOf(member ?? null, schemaFieldOf(full, name) ?? {}, [...at, `f:${name}`]),
    );
  }
  if (Array.isArray(value) && isGranular(full)) {
    const list = value as JsonArray;
    if (list.length === 0) return [at];
    return list.flatMap((item) => {
      const place = [...at, elementOf(item, full)];
      return full["x-kubernetes-list-type"] === "set"
        ? [place]
        : [[...place, "."], ...pathsOf(item, full.items ?? {}, place)];
    });
  }
  return [at];
}

export const isGranular = (schema: OpenApiSchema): boolean =>
  ["map", "set"].includes(schema["x-kubernetes-list-type"] ?? "");

/** Returns the path element that identifies a list item. */
export function elementOf(item: JsonValue, list: OpenApiSchema): string {
  const keys = list["x-kubernetes-list-map-keys"];
  const object = asObject(item);
  if (keys === undefined || object === undefined) return `v:${JSON.stringify(item)}`;
  const named = [...keys]
    .sort()
    .map((key): [string, JsonValue | undefined] => [
      key,
      object[key] ?? schemaFieldOf(list.items ?? {}, key)?.default,
    ]);
  return `k:${JSON.stringify(Object.fromEntries(named))}`;
}

/** Converts a set to the nested objects of `fieldsV1`. */
export function toFieldsV1(set: FieldSet): JsonMembers {
  interface Tree {
    [name: string]: Tree;
  }
  const tree: Tree = {};
  for (const path of set.values()) {
    path.reduce<Tree>((at, part) => (at[part] ??= {}), tree);
  }
  return tree;
}

export function fromFieldsV1(fields: JsonMembers): FieldSet {
  const paths: FieldPath[] = [];
  const visit = (tree: JsonMembers, at: FieldPath): void => {
    const members = Object.entries(tree);
    if (members.length === 0 && at.length > 0) paths.push(at);
    for (const [name, below] of members) visit(asObject(below) ?? {}, [...at, name]);
  };
  visit(fields, []);
  return pathSetOf(paths);
}

/** Returns the value at a path; undefined if there is none. */
export function valueAtPath(
  value: JsonValue | undefined,
  path: FieldPath,
  schema: OpenApiSchema,
): JsonValue | undefined {
  const [part, ...rest] = path;
  if (part === undefined || part === ".") return value;
  const full = resolve(schema);
  if (part.startsWith("f:")) {
    const name = part.slice(2);
    return valueAtPath(asObject(value)?.[name], rest, schemaFieldOf(full, name) ?? {});
  }
  const item = Array.isArray(value)
    ? (value as JsonArray).find((one) => elementOf(one, full) === part)
    : undefined;
  return item === undefined ? undefined : valueAtPath(item, rest, full.items ?? {});
}

/** Returns a copy without the field at a path. */
export function without(value: JsonValue, path: FieldPath, schema: OpenApiSchema): JsonValue {
  const [part, ...rest] = path;
  const full = resolve(schema);
  if (part === undefined) return value;
  if (part.startsWith("f:")) {
    const name = part.slice(2);
    const object = asObject(value);
    const member = object?.[name];
    if (object === undefined || member === undefined) return value;
    if (rest.length > 0) {
      return { ...object, [name]: without(member, rest, schemaFieldOf(full, name) ?? {}) };
    }
    return leaveOut(object, name);
  }
  if (!Array.isArray(value)) return value;
  return (value as JsonArray).flatMap((item) => {
    if (elementOf(item, full) !== part) return [item];
    return rest.length === 0 || rest[0] === "." ? [] : [without(item, rest, full.items ?? {})];
  });
}

/** Formats a path for messages, such as `.spec.containers[name="a"].image`. */
export const pathText = (path: FieldPath): string =>
  path
    .filter((part) => part !== ".")
    .map((part) => {
      if (part.startsWith("f:")) return `.${part.slice(2)}`;
      if (part.startsWith("v:")) return `[=${part.slice(2)}]`;
      const keys = Object.entries(JSON.parse(part.slice(2)) as JsonMembers);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
    })
    .join("");
