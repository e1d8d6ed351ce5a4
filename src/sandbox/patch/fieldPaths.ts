import { leaveOut, type Json, type JsonArray, type JsonObject } from "../kubeObject.ts";
import { asObject, fieldOf, resolve, type Schema } from "../schema/schema.ts";

/**
 * One field as `managedFields` names it: `f:NAME` for a member, `k:{…}` for an item of a list with keys,
 * `v:…` for an item of a set, and "." at the end for the item itself.
 */
export type FieldPath = readonly string[];

/** Paths by their text, so that they can be compared. */
export type FieldSet = ReadonlyMap<string, FieldPath>;

export const textOf = (path: FieldPath): string => path.join("\u0000");

export const setOf = (paths: Iterable<FieldPath>): FieldSet =>
  new Map([...paths].map((path) => [textOf(path), path]));

/** All fields that a value sets. */
export function pathsOf(value: Json, schema: Schema, at: FieldPath = []): readonly FieldPath[] {
  const full = resolve(schema);
  const object = asObject(value);
  if (object !== undefined && full["x-kubernetes-map-type"] !== "atomic") {
    const members = Object.entries(object).filter(([, member]) => member !== undefined);
    if (members.length === 0) return at.length === 0 ? [] : [at];
    return members.flatMap(([name, member]) =>
      pathsOf(member ?? null, fieldOf(full, name) ?? {}, [...at, `f:${name}`]),
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

export const isGranular = (schema: Schema): boolean =>
  ["map", "set"].includes(schema["x-kubernetes-list-type"] ?? "");

/** How a path names an item of a list. */
export function elementOf(item: Json, list: Schema): string {
  const keys = list["x-kubernetes-list-map-keys"];
  const object = asObject(item);
  if (keys === undefined || object === undefined) return `v:${JSON.stringify(item)}`;
  const named = [...keys]
    .sort()
    .map((key): [string, Json | undefined] => [
      key,
      object[key] ?? fieldOf(list.items ?? {}, key)?.default,
    ]);
  return `k:${JSON.stringify(Object.fromEntries(named))}`;
}

/** As `fieldsV1` has them: objects in objects. */
export function toFieldsV1(set: FieldSet): JsonObject {
  interface Tree {
    [name: string]: Tree;
  }
  const tree: Tree = {};
  for (const path of set.values()) {
    path.reduce<Tree>((at, part) => (at[part] ??= {}), tree);
  }
  return tree;
}

export function fromFieldsV1(fields: JsonObject): FieldSet {
  const paths: FieldPath[] = [];
  const visit = (tree: JsonObject, at: FieldPath): void => {
    const members = Object.entries(tree);
    if (members.length === 0 && at.length > 0) paths.push(at);
    for (const [name, below] of members) visit(asObject(below) ?? {}, [...at, name]);
  };
  visit(fields, []);
  return setOf(paths);
}

/** What stands at a path; undefined when there is nothing. */
export function valueAt(
  value: Json | undefined,
  path: FieldPath,
  schema: Schema,
): Json | undefined {
  const [part, ...rest] = path;
  if (part === undefined || part === ".") return value;
  const full = resolve(schema);
  if (part.startsWith("f:")) {
    const name = part.slice(2);
    return valueAt(asObject(value)?.[name], rest, fieldOf(full, name) ?? {});
  }
  const item = Array.isArray(value)
    ? (value as JsonArray).find((one) => elementOf(one, full) === part)
    : undefined;
  return item === undefined ? undefined : valueAt(item, rest, full.items ?? {});
}

/** The value without what stands at a path. */
export function without(value: Json, path: FieldPath, schema: Schema): Json {
  const [part, ...rest] = path;
  const full = resolve(schema);
  if (part === undefined) return value;
  if (part.startsWith("f:")) {
    const name = part.slice(2);
    const object = asObject(value);
    const member = object?.[name];
    if (object === undefined || member === undefined) return value;
    if (rest.length > 0) {
      return { ...object, [name]: without(member, rest, fieldOf(full, name) ?? {}) };
    }
    return leaveOut(object, name);
  }
  if (!Array.isArray(value)) return value;
  return (value as JsonArray).flatMap((item) => {
    if (elementOf(item, full) !== part) return [item];
    return rest.length === 0 || rest[0] === "." ? [] : [without(item, rest, full.items ?? {})];
  });
}

/** `.spec.containers[name="a"].image`, as messages write a path. */
export const pathText = (path: FieldPath): string =>
  path
    .filter((part) => part !== ".")
    .map((part) => {
      if (part.startsWith("f:")) return `.${part.slice(2)}`;
      if (part.startsWith("v:")) return `[=${part.slice(2)}]`;
      const keys = Object.entries(JSON.parse(part.slice(2)) as JsonObject);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
    })
    .join("");
