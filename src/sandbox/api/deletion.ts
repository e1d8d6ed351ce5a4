import { timestamp } from "../clock.ts";
import { type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import type { ApiContext } from "./context.ts";
import type { Kind } from "./kinds.ts";
import { notSupported } from "../rules/names.ts";
import { conflict, invalid } from "./refusal.ts";

interface DeletionRequest {
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly dryRun: boolean;
}

const policies = ["Foreground", "Background", "Orphan"];

export function deleteOptions(body: JsonMembers, query: URLSearchParams): DeletionRequest {
  const preconditions = asObject(body["preconditions"]) ?? {};
  const text = (name: string): string | undefined => {
    const value = body[name] ?? query.get(name) ?? undefined;
    return value === undefined ? undefined : plainTextOf(value);
  };
  const grace = text("gracePeriodSeconds");
  const orphans = text("orphanDependents");
  const propagationPolicy =
    text("propagationPolicy") ??
    (orphans === undefined ? undefined : orphans === "true" ? "Orphan" : "Background");
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    throw invalid({ kind: "DeleteOptions", group: "meta.k8s.io" }, "", [
      notSupported("propagationPolicy", propagationPolicy, [...policies, "nil"]),
    ]);
  }
  const own = (name: string): string | undefined =>
    preconditions[name] === undefined ? undefined : plainTextOf(preconditions[name]);
  return {
    gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
    propagationPolicy,
    uid: own("uid"),
    resourceVersion: own("resourceVersion"),
    dryRun: plainTextOf(body["dryRun"] ?? query.get("dryRun") ?? "") !== "",
  };
}

interface Deleted {
  readonly object: KubeObject;
  /** False if containers, finalizers or, for a namespace, its remaining objects still delay the removal. */
  readonly isRemoved: boolean;
}

/** Removes an object, or marks it for deletion if `isRemoved` is false. Throws a 409 if a precondition fails. */
export function remove(
  { objects, clock }: Pick<ApiContext, "objects" | "clock">,
  kind: Kind,
  before: KubeObject,
  options: DeletionRequest,
): Deleted {
  const { name, namespace = "", uid = "", resourceVersion = "" } = before.metadata;
  if (options.uid !== undefined && options.uid !== uid) {
    // Precondition conflicts name the kind; all other conflicts name the plural.
    throw conflict(
      { plural: kind.kind, group: kind.group },
      name,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    throw conflict(
      { plural: kind.kind, group: kind.group },
      name,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
  const grace = graceOf(kind, before, options);
  const policyFinalizer =
    options.propagationPolicy === "Foreground"
      ? ["foregroundDeletion"]
      : options.propagationPolicy === "Orphan"
        ? ["orphan"]
        : [];
  const kept = (before.metadata.finalizers ?? []).filter(
    (one) => policyFinalizer.length === 0 || !["foregroundDeletion", "orphan"].includes(one),
  );
  const finalizers = [...kept, ...policyFinalizer];
  const isNamespace = kind.resource === "namespaces";
  const isRemoved = grace === 0 && finalizers.length === 0 && !isNamespace;
  const { deletionTimestamp, deletionGracePeriodSeconds } = before.metadata;
  const isShorter = deletionTimestamp === undefined || grace < (deletionGracePeriodSeconds ?? 0);
  if (!isShorter && policyFinalizer.length === 0) return { object: before, isRemoved: false };
  const next = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: {
      ...object.metadata,
      ...(finalizers.length > 0 ? { finalizers } : {}),
      ...(isShorter
        ? {
            deletionTimestamp: timestamp(clock.now() + grace * 1000),
            ...(isNamespace ? {} : { deletionGracePeriodSeconds: grace }),
          }
        : {}),
      ...(object.metadata.generation === undefined
        ? {}
        : { generation: object.metadata.generation + (deletionTimestamp === undefined ? 1 : 0) }),
    },
    ...(isNamespace ? { status: { ...asObject(object["status"]), phase: "Terminating" } } : {}),
  });
  const isPod = kind.resource === "pods";
  if (options.dryRun) return { object: isRemoved && !isPod ? before : next(before), isRemoved };
  const key = { resource: kind.resource, namespace, name };
  if (isRemoved && !isPod) {
    objects.drop(key);
    return { object: before, isRemoved };
  }
  return { object: objects.update(key, next) ?? before, isRemoved };
}

function graceOf(kind: Kind, pod: KubeObject, { gracePeriodSeconds }: DeletionRequest): number {
  if (kind.resource !== "pods") return 0;
  const spec = asObject(pod["spec"]) ?? {};
  const phase = asObject(pod["status"])?.["phase"];
  const hasNoContainers =
    spec["nodeName"] === undefined || phase === "Succeeded" || phase === "Failed";
  if (hasNoContainers) return 0;
  const own = Number(spec["terminationGracePeriodSeconds"] ?? 30);
  return Math.max(0, gracePeriodSeconds ?? own);
}
