import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { definedMembers } from "../../base/json.ts";
import { timestamp } from "../clock.ts";
import {
  leaveOut,
  type JsonValue,
  type JsonMembers,
  type KubeObject,
  type ObjectMeta,
  plainTextOf,
} from "../kubeObject.ts";
import { applyTo } from "../patch/apply.ts";
import { afterUpdate, ownedPaths, withOwners, type Writer } from "../patch/managedFields.ts";
import { withSchemaDefaults } from "../rules/defaults.ts";
import { invalidField } from "../rules/names.ts";
import { createProblems, updateProblems } from "../rules/problems.ts";
import { sorted } from "../rules/podRules.ts";
import { asObject } from "../schema/schema.ts";
import { admit } from "../rules/admit.ts";
import { customProblems } from "../schema/customValues.ts";
import { readBody, type FieldValidation } from "./body.ts";
import type { ApiContext } from "./context.ts";
import { apiVersionOf, type Kind } from "./kinds.ts";
import {
  alreadyExists,
  badRequest,
  conflict,
  invalid,
  modifiedMeanwhile,
  notFound,
  Refusal,
} from "./refusal.ts";
import type { RequestTarget } from "./request.ts";
import { randomName } from "../rules/randomName.ts";
import { onCreate, onUpdate } from "../rules/lifecycle.ts";

export interface WriteRequest {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Receives warnings about unknown and duplicate fields. */
  readonly warn: (warning: string) => void;
}

export function create(
  context: ApiContext,
  target: RequestTarget,
  body: JsonMembers,
  options: WriteRequest,
): KubeObject {
  const { kind } = target;
  const read = readBody(body, kind, options);
  const metadata = { ...asObject(read["metadata"]) };
  if (target.name !== "" && metadata["name"] !== undefined && metadata["name"] !== target.name) {
    throw badRequest("the name of the object does not match the name on the URL");
  }
  const namespace = namespaceOf(metadata, target);
  const name = metadata["name"] ?? generated(metadata["generateName"]);
  if (typeof name !== "string" || name === "") {
    throw invalid(kind, "", [
      {
        reason: "FieldValueRequired",
        field: "metadata.name",
        message: "Required value: name or generateName is required",
      },
    ]);
  }
  const { resourceVersion } = metadata;
  if (resourceVersion !== undefined && resourceVersion !== "") {
    throw new Refusal(500, "", "resourceVersion should not be set on objects to be created");
  }
  const given: KubeObject = {
    ...read,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      ...leaveOut(metadata, "namespace", ...serverOwned),
      name,
      ...(kind.namespaced ? { namespace } : {}),
    },
  };
  const prepared = onCreate(kind, withSchemaDefaults(given));
  const admitted = admit(context, kind, prepared);
  check(kind, undefined, admitted);
  if (context.objects.get({ resource: kind.resource, namespace, name }) !== undefined) {
    throw alreadyExists(kind, name);
  }
  const owned = afterUpdate(undefined, admitted, writerOf(context, target, options), kind.schema);
  if (options.dryRun) return asIfStored(context, owned);
  const kept = context.objects.create(kind.resource, stored(kind, owned));
  if (kept === undefined) throw alreadyExists(kind, name);
  return kept;
}

// Fields of a new object that the server sets; values from the client are ignored.
const serverOwned = [
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
  "generation",
];

/** Replaces the whole object (PUT), or only its status if the path names that subresource. */
export function replace(
  context: ApiContext,
  target: RequestTarget,
  body: JsonMembers,
  options: WriteRequest,
): KubeObject {
  const { kind, name } = target;
  const next = readBody(body, kind, options);
  const metadata = asObject(next["metadata"]) ?? {};
  namespaceOf(metadata, target);
  if (metadata["name"] !== name) {
    throw badRequest(
      metadata["name"] === undefined
        ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
        : `the name of the object (${plainTextOf(metadata["name"])}) does not match the name on the URL (${name})`,
    );
  }
  const before = getOrThrow(context, target);
  return store(context, target, before, next, options);
}

/** Patches an object. `change` applies the patch and returns the next object. */
export function patch(
  context: ApiContext,
  target: RequestTarget,
  change: (before: KubeObject) => JsonValue,
  options: WriteRequest,
): KubeObject {
  const before = getOrThrow(context, target);
  const { kind } = target;
  const next = asObject(change({ ...before, apiVersion: apiVersionOf(kind) }));
  if (next === undefined) throw badRequest("the result of a patch must be an object");
  const metadata = asObject(next["metadata"]) ?? {};
  if (metadata["name"] !== before.metadata.name) {
    throw badRequest(
      `the name of the object (${plainTextOf(metadata["name"] ?? "")}) does not match the name on the URL (${before.metadata.name})`,
    );
  }
  if (metadata["uid"] !== before.metadata.uid) {
    throw invalid(kind, before.metadata.name, [
      invalidField("metadata.uid", metadata["uid"] ?? "", "field is immutable"),
    ]);
  }
  return store(context, target, before, readBody(next, kind, options), options);
}

/** Carries out a server-side apply; creates the object if it does not exist. */
export function apply(
  context: ApiContext,
  target: RequestTarget,
  wanted: JsonMembers,
  options: WriteRequest & { readonly force: boolean },
): { readonly object: KubeObject; readonly isNew: boolean } {
  const { kind, name, namespace } = target;
  const metadata = asObject(wanted["metadata"]) ?? {};
  if (metadata["name"] !== undefined && metadata["name"] !== name) {
    throw badRequest(
      `the name of the object (${plainTextOf(metadata["name"])}) does not match the name on the URL (${name})`,
    );
  }
  if (metadata["managedFields"] !== undefined) {
    throw badRequest("metadata.managedFields must be nil");
  }
  const named = {
    ...wanted,
    metadata: {
      ...metadata,
      name,
      ...(kind.namespaced ? { namespace: metadata["namespace"] ?? namespace } : {}),
    },
  };
  const read = readDeclared(named, target, plainTextOf(metadata["namespace"] ?? ""), options);
  const writer = writerOf(context, target, options);
  const before = context.objects.get({ resource: kind.resource, namespace, name });
  // Keep only the fields in the request, because the manager does not own fields that decoding added.
  const fields = { ...named, ...pruned(read, named) };
  if (before !== undefined) {
    const merged = applyTo({ ...before, apiVersion: apiVersionOf(kind) }, fields, {
      writer,
      force: options.force,
      schema: kind.schema,
    });
    return {
      object: store(context, target, before, readBody(merged, kind, options), {
        ...options,
        isApply: true,
      }),
      isNew: false,
    };
  }
  if (metadata["uid"] !== undefined) throw notFound(kind, name);
  const created = create(context, target, named, { ...options, dryRun: true });
  const owned = withOwners(created, [
    {
      ...writer,
      operation: "Apply",
      apiVersion: apiVersionOf(kind),
      fields: ownedPaths(fields, kind.schema),
    },
  ]);
  if (options.dryRun) return { object: owned, isNew: true };
  const metadataToKeep = leaveOut(owned.metadata, "uid");
  const kept = context.objects.create(
    kind.resource,
    stored(kind, { ...owned, metadata: metadataToKeep }),
  );
  if (kept === undefined) throw alreadyExists(kind, name);
  return { object: kept, isNew: true };
}

// Server-side apply refuses unknown fields of built-in kinds, regardless of `fieldValidation`.
function readDeclared(
  wanted: JsonMembers,
  { kind, name }: RequestTarget,
  namespace: string,
  options: WriteRequest,
): JsonMembers {
  if (kind.custom !== undefined) return readBody(wanted, kind, options);
  const unknown: string[] = [];
  const warn = (warning: string): void => {
    unknown.push(/^unknown field "(.*)"$/.exec(warning)?.[1] ?? warning);
  };
  const read = readBody(wanted, kind, { ...options, fieldValidation: "Warn", warn });
  if (unknown.length === 0) return read;
  const errors = unknown.map((field) => `.${field}: field not declared in schema`);
  const list =
    errors.length === 1
      ? errors.join("")
      : `errors:\n${errors.map((one) => `  ${one}`).join("\n")}`;
  const place = `${namespace}/${name}`;
  throw new Refusal(
    500,
    "",
    `failed to create typed patch object (${place}; ${kind.group}/${kind.version}, Kind=${kind.kind}): ${list}`,
  );
}

function store(
  context: ApiContext,
  target: RequestTarget,
  before: KubeObject,
  next: JsonMembers,
  options: WriteRequest & { readonly isApply?: true },
): KubeObject {
  const { kind, subresource, namespace, name } = target;
  const metadata = asObject(next["metadata"]) ?? {};
  const { resourceVersion, uid } = metadata;
  if (uid !== undefined && uid !== "" && uid !== before.metadata.uid) {
    throw conflict(
      kind,
      name,
      `StorageError: invalid object, Code: 4, Key: /registry/${kind.plural}/${namespace === "" ? "" : `${namespace}/`}${name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${plainTextOf(uid)}, UID in object meta: ${before.metadata.uid ?? ""}`,
    );
  }
  const isStale =
    resourceVersion !== undefined &&
    resourceVersion !== "" &&
    resourceVersion !== before.metadata.resourceVersion;
  if (isStale) throw conflict(kind, name, modifiedMeanwhile);
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation } =
    before.metadata;
  const given: KubeObject = {
    ...next,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      ...metadata,
      name,
      namespace: before.metadata.namespace,
      uid: before.metadata.uid,
      resourceVersion: before.metadata.resourceVersion,
      creationTimestamp,
      deletionTimestamp,
      deletionGracePeriodSeconds,
      generation,
      managedFields: options.isApply ? metadata["managedFields"] : before.metadata["managedFields"],
    } as ObjectMeta,
  };
  const present = { ...before, apiVersion: apiVersionOf(kind) };
  const prepared = onUpdate(
    kind,
    subresource,
    present,
    withoutUndefined(withSchemaDefaults(given)),
  );
  check(kind, present, prepared);
  if (isSame(present, prepared)) return before;
  const owned = options.isApply
    ? prepared
    : afterUpdate(present, prepared, writerOf(context, target, options), kind.schema);
  if (options.dryRun) return owned;
  const key = { resource: kind.resource, namespace, name };
  const shared = sharing(before, {
    ...owned,
    metadata: sharing(before.metadata, owned.metadata),
  });
  return context.objects.update(key, () => stored(kind, shared)) ?? shared;
}

/** True if a write changes nothing but the timestamps of `managedFields`. The caller does not store such a write. */
const isSame = (before: KubeObject, after: KubeObject): boolean =>
  isEqual(leaveOut(before, "metadata"), leaveOut(after, "metadata")) &&
  isEqual(leaveOut(before.metadata, "managedFields"), leaveOut(after.metadata, "managedFields")) &&
  ownersText(before) === ownersText(after);

const isEqual = (before: JsonMembers, after: JsonMembers): boolean =>
  Object.keys({ ...before, ...after }).every(
    (name) =>
      isDeepStrictEqual(before[name], after[name]) ||
      JSON.stringify(sorted(before[name])) === JSON.stringify(sorted(after[name])),
  );

const ownersText = ({ metadata }: KubeObject): string =>
  JSON.stringify(sorted(metadata["managedFields"] ?? null)).replaceAll(/"time":"[^"]*"/g, "");

/** Reuses equal members of the previous object, so that versions share memory. */
function sharing<T extends JsonMembers>(before: JsonMembers, after: T): T {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      isDeepStrictEqual(before[name], value) ? before[name] : value,
    ]),
  ) as T;
}

function check(kind: Kind, before: KubeObject | undefined, after: KubeObject): void {
  const problems =
    kind.custom === undefined
      ? before === undefined
        ? createProblems(after)
        : updateProblems(before, after)
      : customProblems(after, kind.schema);
  const added = (after.metadata.finalizers ?? []).filter(
    (one) =>
      before?.metadata.deletionTimestamp !== undefined &&
      before.metadata.finalizers?.includes(one) !== true,
  );
  if (added.length > 0) {
    const list = added.map((one) => JSON.stringify(one)).join(", ");
    throw invalid(kind, after.metadata.name, [
      {
        reason: "FieldValueForbidden",
        field: "metadata.finalizers",
        message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
      },
    ]);
  }
  if (problems.length > 0) throw invalid(kind, after.metadata.name, problems);
}

/** Removes undefined members of the object and of its metadata, but not of deeper objects. */
export const withoutUndefined = (object: KubeObject): KubeObject => ({
  ...(definedMembers(object) as KubeObject),
  metadata: definedMembers(object.metadata) as ObjectMeta,
});

/** Returns the form in which an object is stored: custom objects in their storage version. */
const stored = (kind: Kind, object: KubeObject): KubeObject =>
  kind.custom === undefined
    ? withoutUndefined(object)
    : withoutUndefined({ ...object, apiVersion: `${kind.group}/${kind.custom.storageVersion}` });

export function getOrThrow(
  { objects }: ApiContext,
  { kind, namespace, name }: RequestTarget,
): KubeObject {
  const found = objects.get({ resource: kind.resource, namespace, name });
  if (found === undefined) throw notFound(kind, name);
  return found;
}

function namespaceOf(metadata: JsonMembers, { kind, namespace }: RequestTarget): string {
  const own = metadata["namespace"];
  if (kind.namespaced && own !== undefined && own !== "" && own !== namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request`,
    );
  }
  return kind.namespaced ? namespace : "";
}

const generated = (prefix: JsonValue | undefined): string | undefined =>
  typeof prefix === "string" && prefix !== "" ? prefix.slice(0, 58) + randomName(5) : undefined;

const writerOf = (
  { clock }: ApiContext,
  { subresource }: RequestTarget,
  { fieldManager }: WriteRequest,
): Writer => ({
  manager: fieldManager,
  time: timestamp(clock.now()),
  subresource: subresource === "status" ? subresource : "",
});

const asIfStored = ({ clock }: ApiContext, object: KubeObject): KubeObject =>
  withoutUndefined({
    ...object,
    metadata: {
      ...object.metadata,
      uid: randomUUID(),
      creationTimestamp: timestamp(clock.now()),
    },
  });

/** Returns `read` with only those members that `written` has. */
function pruned(read: JsonMembers, written: JsonMembers): JsonMembers {
  return Object.fromEntries(
    Object.entries(read).flatMap(([name, value]) => {
      const own = written[name];
      if (own === undefined || value === undefined) return [];
      const inner = asObject(value);
      return [[name, inner === undefined ? value : pruned(inner, asObject(own) ?? {})]];
    }),
  );
}
