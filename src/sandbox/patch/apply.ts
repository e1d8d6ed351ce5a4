import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../api/refusal.ts";
import {
  type JsonValue,
  type JsonArray,
  type JsonMembers,
  type KubeObject,
  plainTextOf,
} from "../kubeObject.ts";
import { asObject, schemaFieldOf, resolve, type OpenApiSchema } from "../schema/schema.ts";
import {
  elementOf,
  isGranular,
  pathText,
  pathTextOf,
  valueAtPath,
  without,
  type FieldPath,
} from "./fieldPaths.ts";
import {
  minus,
  ownedPaths,
  ownersOf,
  withOwners,
  type Owner,
  type Writer,
} from "./managedFields.ts";

interface ServerApplyOptions {
  readonly writer: Writer;
  readonly force: boolean;
  readonly schema: OpenApiSchema;
}

/**
 * Merges the fields of a manager into the live object (server-side apply). Fields that the manager no longer applies
 * are removed unless another manager owns them. A field that another manager owns with a different value is a
 * conflict; with `force`, this manager takes over the field.
 */
export function applyTo(
  live: KubeObject,
  wanted: JsonMembers,
  options: ServerApplyOptions,
): KubeObject {
  const { writer, force, schema } = options;
  const { manager, subresource } = writer;
  const owners = ownersOf(live);
  const isOwn = (owner: Owner): boolean =>
    owner.manager === manager && owner.operation === "Apply" && owner.subresource === subresource;
  const fields = ownedPaths(wanted, schema);
  const others = owners.filter((owner) => !isOwn(owner));

  const contested = new Set(
    [...fields].flatMap(([text, path]) => {
      const isSame = isDeepStrictEqual(
        valueAtPath(live, path, schema),
        valueAtPath(wanted, path, schema),
      );
      return isSame || path.at(-1) === "." ? [] : [text];
    }),
  );
  const conflicts = others.flatMap((owner) => {
    const paths = [...owner.fields].flatMap(([text, path]) => (contested.has(text) ? [path] : []));
    return paths.length === 0 ? [] : [{ owner, paths }];
  });
  if (conflicts.length > 0 && !force) throw conflictOf(conflicts);

  const before = owners.find(isOwn)?.fields ?? new Map<string, FieldPath>();
  const removed = [...before].filter(
    ([text]) => !fields.has(text) && !others.some((owner) => owner.fields.has(text)),
  );
  // A list item is removed with all its members, even those that another manager has updated.
  const gone = removed.map(([, path]) => (path.at(-1) === "." ? path.slice(0, -1) : path));
  const merged = gone.reduce<JsonValue>(
    (value, path) => without(value, path, schema),
    merge(live, wanted, schema),
  );
  const isGone = (path: FieldPath): boolean =>
    gone.some((one) => pathTextOf(path.slice(0, one.length)) === pathTextOf(one));
  const rest = others.map((owner) => ({
    ...owner,
    fields: minus(
      owner.fields,
      (text) => contested.has(text) || isGone(owner.fields.get(text) ?? []),
    ),
  }));
  const entry: Owner = {
    ...writer,
    operation: "Apply",
    apiVersion: plainTextOf(wanted["apiVersion"]),
    fields,
  };
  return withOwners(merged as KubeObject, [entry, ...rest]);
}

function merge(live: JsonValue | undefined, wanted: JsonValue, schema: OpenApiSchema): JsonValue {
  const full = resolve(schema);
  const object = asObject(wanted);
  if (object !== undefined && full["x-kubernetes-map-type"] !== "atomic") {
    const merged: Record<string, JsonValue | undefined> = { ...asObject(live) };
    for (const [name, value] of Object.entries(object)) {
      if (value !== undefined && value !== null) {
        merged[name] = merge(merged[name], value, schemaFieldOf(full, name) ?? {});
      }
    }
    return merged;
  }
  if (!Array.isArray(wanted) || !isGranular(full) || !Array.isArray(live)) return wanted;
  const there = new Map((live as JsonArray).map((item) => [elementOf(item, full), item]));
  for (const item of wanted as JsonArray) {
    const place = elementOf(item, full);
    there.set(place, merge(there.get(place), item, full.items ?? {}));
  }
  return [...there.values()];
}

interface Conflict {
  readonly owner: Owner;
  readonly paths: readonly FieldPath[];
}

function conflictOf(conflicts: readonly Conflict[]): Refusal {
  const causes = conflicts.flatMap(({ owner, paths }) =>
    paths.map((path) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${ownerText(owner)}`,
      field: pathText(path),
    })),
  );
  const count = causes.length;
  const told = conflicts
    .map(({ owner, paths }) =>
      count === 1
        ? `conflict with ${ownerText(owner)}: ${pathText(paths[0] ?? [])}`
        : `conflicts with ${ownerText(owner)}:\n${paths.map((path) => `- ${pathText(path)}`).join("\n")}`,
    )
    .join("\n");
  const message = `Apply failed with ${count} conflict${count === 1 ? "" : "s"}: ${told}`;
  return new Refusal(409, "Conflict", message, { causes });
}

const ownerText = ({ manager, operation, subresource, apiVersion }: Owner): string =>
  `${JSON.stringify(manager)}${subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
