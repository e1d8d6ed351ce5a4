import { isDeepStrictEqual } from "node:util";
import { leaveOut, type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import { asObject, type OpenApiSchema } from "../schema/schema.ts";
import {
  fromFieldsV1,
  pathsOf,
  pathSetOf,
  toFieldsV1,
  valueAtPath,
  type FieldPath,
  type FieldSet,
} from "./fieldPaths.ts";

/** An entry of `metadata.managedFields`: the fields that a manager owns. */
export interface Owner {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly time: string;
  readonly subresource: string;
  readonly fields: FieldSet;
}

export interface Writer {
  readonly manager: string;
  readonly time: string;
  readonly subresource: string;
}

const unowned = new Set([
  "apiVersion",
  "kind",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "metadata.resourceVersion",
  "metadata.generation",
  "metadata.creationTimestamp",
  "metadata.deletionTimestamp",
  "metadata.deletionGracePeriodSeconds",
  "metadata.managedFields",
  "metadata.selfLink",
]);

/** Returns the paths of the fields of an object that managers can own. */
export const ownedPaths = (object: JsonMembers, schema: OpenApiSchema): FieldSet =>
  pathSetOf(pathsOf(object, schema).filter((path) => !unowned.has(nameOf(path.slice(0, 2)))));

const nameOf = (path: FieldPath): string => path.map((part) => part.slice(2)).join(".");

export function ownersOf({ metadata }: KubeObject): readonly Owner[] {
  const entries = metadata["managedFields"];
  return (Array.isArray(entries) ? (entries as readonly JsonMembers[]) : []).map((entry) => ({
    manager: plainTextOf(entry["manager"] ?? ""),
    operation: entry["operation"] === "Apply" ? "Apply" : "Update",
    apiVersion: plainTextOf(entry["apiVersion"] ?? ""),
    time: plainTextOf(entry["time"] ?? ""),
    subresource: plainTextOf(entry["subresource"] ?? ""),
    fields: fromFieldsV1(asObject(entry["fieldsV1"]) ?? {}),
  }));
}

export function withOwners(object: KubeObject, owners: readonly Owner[]): KubeObject {
  const metadata = leaveOut(object.metadata, "managedFields");
  const entries = owners
    .filter(({ fields }) => fields.size > 0)
    .map(({ manager, operation, apiVersion, time, subresource, fields }) => ({
      manager,
      operation,
      apiVersion,
      time,
      fieldsType: "FieldsV1",
      fieldsV1: toFieldsV1(fields),
      ...(subresource === "" ? {} : { subresource }),
    }));
  return {
    ...object,
    metadata: { ...metadata, ...(entries.length > 0 ? { managedFields: entries } : {}) },
  };
}

/** Updates owners after a write other than apply: the writer owns changed fields, and removed fields have no owner. */
export function afterUpdate(
  before: KubeObject | undefined,
  after: KubeObject,
  writer: Writer,
  schema: OpenApiSchema,
): KubeObject {
  // Compare only changed members: objects have hundreds of fields, and a write changes few.
  const touched = Object.keys({ ...before, ...after }).filter(
    (name) => !isDeepStrictEqual(before?.[name], after[name]),
  );
  const present = ownedPaths(pick(after, touched), schema);
  const changed = pathSetOf(
    [...present.values()].filter((path) => {
      const old = valueAtPath(before, path, schema);
      // Changes inside a list item do not change the owner of the item itself.
      return path.at(-1) === "."
        ? old === undefined
        : !isDeepStrictEqual(old, valueAtPath(after, path, schema));
    }),
  );
  const others = before === undefined ? [] : ownersOf(before);
  const isWriter = (owner: Owner): boolean =>
    owner.manager === writer.manager &&
    owner.operation === "Update" &&
    owner.subresource === writer.subresource;
  const own = others.find(isWriter);
  const kept = (fields: FieldSet): FieldSet =>
    new Map(
      [...fields].filter(
        ([text, path]) => present.has(text) || !touched.includes((path[0] ?? "").slice(2)),
      ),
    );
  const rest = others
    .filter((owner) => !isWriter(owner))
    .map((owner) => ({
      ...owner,
      fields: minus(kept(owner.fields), (text) => changed.has(text)),
    }));
  const mine = new Map([...(own === undefined ? [] : kept(own.fields)), ...changed]);
  const entry: Owner = {
    ...writer,
    operation: "Update",
    apiVersion: after.apiVersion,
    time: changed.size === 0 && own !== undefined ? own.time : writer.time,
    fields: mine,
  };
  return withOwners(after, [...rest, entry]);
}

const pick = (object: JsonMembers, names: readonly string[]): JsonMembers =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));

export const minus = (fields: FieldSet, isGone: (text: string) => boolean): FieldSet =>
  new Map([...fields].filter(([text]) => !isGone(text)));
