import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../clock.ts";
import {
  leaveOut,
  type Json,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
  plainText,
} from "../kubeObject.ts";
import { applyTo } from "../patch/apply.ts";
import { afterUpdate, ownedPaths, withOwners, type Writer } from "../patch/managedFields.ts";
import { withDefaults } from "../rules/defaults.ts";
import { wrong } from "../rules/names.ts";
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
import type { Target } from "./request.ts";
import { randomName } from "../rules/randomName.ts";
import { onCreate, onUpdate } from "../rules/lifecycle.ts";

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Hears of fields that were left out. */
  readonly warn: (warning: string) => void;
}

export function create(
  context: ApiContext,
  target: Target,
  body: JsonObject,
  options: WriteOptions,
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
      ...leaveOut(metadata, ...serverOwned),
      name,
      ...(kind.namespaced ? { namespace } : {}),
    },
  };
  const prepared = onCreate(kind, withDefaults(given));
  const admitted = admit(context, kind, prepared);
  check(kind, undefined, admitted);
  if (context.objects.get({ resource: kind.resource, namespace, name }) !== undefined) {
    throw alreadyExists(kind, name);
  }
  const owned = afterUpdate(undefined, admitted, writerOf(context, target, options), kind.schema);
  if (options.dryRun) return asIfKept(context, owned);
  const kept = context.objects.create(kind.resource, stored(kind, owned));
  if (kept === undefined) throw alreadyExists(kind, name);
  return kept;
}

// What a client may say of a new object in vain.
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

/** PUT: the whole object, or its status by its own path. */
export function replace(
  context: ApiContext,
  target: Target,
  body: JsonObject,
  options: WriteOptions,
): KubeObject {
  const { kind, name } = target;
  const next = readBody(body, kind, options);
  const metadata = asObject(next["metadata"]) ?? {};
  namespaceOf(metadata, target);
  if (metadata["name"] !== name) {
    throw badRequest(
      metadata["name"] === undefined
        ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
        : `the name of the object (${plainText(metadata["name"])}) does not match the name on the URL (${name})`,
    );
  }
  const before = demand(context, target);
  return keep(context, target, before, next, options);
}

/** Any patch: `change` makes the next object out of the present one. */
export function patch(
  context: ApiContext,
  target: Target,
  change: (before: KubeObject) => Json,
  options: WriteOptions,
): KubeObject {
  const before = demand(context, target);
  const { kind } = target;
  const next = asObject(change({ ...before, apiVersion: apiVersionOf(kind) }));
  if (next === undefined) throw badRequest("a patch must leave an object");
  const metadata = asObject(next["metadata"]) ?? {};
  if (metadata["name"] !== before.metadata.name) {
    throw badRequest(
      `the name of the object (${plainText(metadata["name"] ?? "")}) does not match the name on the URL (${before.metadata.name})`,
    );
  }
  if (metadata["uid"] !== before.metadata.uid) {
    throw invalid(kind, before.metadata.name, [
      wrong("metadata.uid", metadata["uid"] ?? "", "field is immutable"),
    ]);
  }
  return keep(context, target, before, readBody(next, kind, options), options);
}

/** Server-side apply; creates what is not there. */
export function apply(
  context: ApiContext,
  target: Target,
  wanted: JsonObject,
  options: WriteOptions & { readonly force: boolean },
): { readonly object: KubeObject; readonly isNew: boolean } {
  const { kind, name, namespace } = target;
  const metadata = asObject(wanted["metadata"]) ?? {};
  if (metadata["name"] !== undefined && metadata["name"] !== name) {
    throw badRequest(
      `the name of the object (${plainText(metadata["name"])}) does not match the name on the URL (${name})`,
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
  const read = readDeclared(named, target, plainText(metadata["namespace"] ?? ""), options);
  const writer = writerOf(context, target, options);
  const before = context.objects.get({ resource: kind.resource, namespace, name });
  // Only what was written down: fields that decoding fills in are nobody's wish.
  const fields = { ...named, ...pruned(read, named) };
  if (before !== undefined) {
    const merged = applyTo({ ...before, apiVersion: apiVersionOf(kind) }, fields, {
      writer,
      force: options.force,
      schema: kind.schema,
    });
    return {
      object: keep(context, target, before, readBody(merged, kind, options), options, true),
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

// To apply a field that a kind does not have is an error, however other writes take it.
function readDeclared(
  wanted: JsonObject,
  { kind, name }: Target,
  namespace: string,
  options: WriteOptions,
): JsonObject {
  if (kind.custom !== undefined) return readBody(wanted, kind, options);
  const unknown: string[] = [];
  const warn = (told: string): void => {
    unknown.push(/^unknown field "(.*)"$/.exec(told)?.[1] ?? told);
  };
  const read = readBody(wanted, kind, { ...options, fieldValidation: "Warn", warn });
  if (unknown.length === 0) return read;
  const told = unknown.map((field) => `.${field}: field not declared in schema`);
  const list =
    told.length === 1 ? told.join("") : `errors:\n${told.map((one) => `  ${one}`).join("\n")}`;
  const place = `${namespace}/${name}`;
  throw new Refusal(
    500,
    "",
    `failed to create typed patch object (${place}; ${kind.group}/${kind.version}, Kind=${kind.kind}): ${list}`,
  );
}

function keep(
  context: ApiContext,
  target: Target,
  before: KubeObject,
  next: JsonObject,
  options: WriteOptions,
  isApply = false,
): KubeObject {
  const { kind, subresource, namespace, name } = target;
  const metadata = asObject(next["metadata"]) ?? {};
  const { resourceVersion, uid } = metadata;
  if (uid !== undefined && uid !== "" && uid !== before.metadata.uid) {
    throw conflict(
      kind,
      name,
      `StorageError: invalid object, Code: 4, Key: /registry/${kind.plural}/${namespace === "" ? "" : `${namespace}/`}${name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${plainText(uid)}, UID in object meta: ${before.metadata.uid ?? ""}`,
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
      managedFields: isApply ? metadata["managedFields"] : before.metadata["managedFields"],
    } as ObjectMeta,
  };
  const present = { ...before, apiVersion: apiVersionOf(kind) };
  const prepared = onUpdate(kind, subresource, present, tidy(withDefaults(given)));
  check(kind, present, prepared);
  if (isSame(present, prepared)) return before;
  const owned = isApply
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

/** Apart from who owns what: a write that changes nothing else is none. */
const isSame = (before: KubeObject, after: KubeObject): boolean =>
  isEqual(leaveOut(before, "metadata"), leaveOut(after, "metadata")) &&
  isEqual(leaveOut(before.metadata, "managedFields"), leaveOut(after.metadata, "managedFields")) &&
  ownersText(before) === ownersText(after);

const isEqual = (before: JsonObject, after: JsonObject): boolean =>
  Object.keys({ ...before, ...after }).every(
    (name) =>
      isDeepStrictEqual(before[name], after[name]) ||
      JSON.stringify(sorted(before[name])) === JSON.stringify(sorted(after[name])),
  );

const ownersText = ({ metadata }: KubeObject): string =>
  JSON.stringify(sorted(metadata["managedFields"] ?? null)).replaceAll(/"time":"[^"]*"/g, "");

/** Members that are as they were are the very same ones, so that versions of an object share memory. */
function sharing<T extends JsonObject>(before: JsonObject, after: T): T {
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

/** Members that are undefined are absent. */
export const tidy = (object: KubeObject): KubeObject => ({
  ...(Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as KubeObject),
  metadata: Object.fromEntries(
    Object.entries(object.metadata).filter(([, value]) => value !== undefined),
  ) as ObjectMeta,
});

/** A custom object is kept in one version, whatever version it was written in. */
const stored = (kind: Kind, object: KubeObject): KubeObject =>
  kind.custom === undefined
    ? tidy(object)
    : tidy({ ...object, apiVersion: `${kind.group}/${kind.custom.storageVersion}` });

export function demand({ objects }: ApiContext, { kind, namespace, name }: Target): KubeObject {
  const found = objects.get({ resource: kind.resource, namespace, name });
  if (found === undefined) throw notFound(kind, name);
  return found;
}

function namespaceOf(metadata: JsonObject, { kind, namespace }: Target): string {
  const own = metadata["namespace"];
  if (kind.namespaced && own !== undefined && own !== "" && own !== namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request`,
    );
  }
  return kind.namespaced ? namespace : "";
}

const generated = (prefix: Json | undefined): string | undefined =>
  typeof prefix === "string" && prefix !== "" ? prefix.slice(0, 58) + randomName(5) : undefined;

const writerOf = (
  { clock }: ApiContext,
  { subresource }: Target,
  { fieldManager }: WriteOptions,
): Writer => ({
  manager: fieldManager,
  time: timestamp(clock.now()),
  subresource: subresource === "status" ? subresource : "",
});

const asIfKept = ({ clock }: ApiContext, object: KubeObject): KubeObject =>
  tidy({
    ...object,
    metadata: {
      ...object.metadata,
      uid: randomUUID(),
      creationTimestamp: timestamp(clock.now()),
    },
  });

/** `read` with those members only that stand in `written`. */
function pruned(read: JsonObject, written: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(read).flatMap(([name, value]) => {
      const own = written[name];
      if (own === undefined || value === undefined) return [];
      const [inner, outer] = [asObject(value), asObject(own)];
      return [[name, inner !== undefined && outer !== undefined ? pruned(inner, outer) : value]];
    }),
  );
}
