import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { ApiContext } from "../api/context.ts";
import { remove } from "../api/deletion.ts";
import type { Change, ObjectKey } from "../api/objects.ts";
import type { KubeObject, StoredOwnerReference } from "../kubeObject.ts";

const background = {
  gracePeriodSeconds: undefined,
  propagationPolicy: "Background",
  uid: undefined,
  resourceVersion: undefined,
  dryRun: false,
} as const;

// Recheck delay: a dependent may be created just before its owner, or just after the owner was deleted.
const recheckMs = 500;

/**
 * Deletes objects whose owners no longer exist, and finishes pending deletions: foreground deletion waits for
 * the dependents, orphan deletion removes the owner references from them.
 */
export function collectGarbage(context: ApiContext): Disposable {
  const { objects } = context;
  const owned = new DisposableStore();
  const dependents = new Map<string, Map<string, ObjectKey>>();
  const timers = new Set<NodeJS.Timeout>();

  const later = (work: () => void, ms: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timer.unref();
    timers.add(timer);
  };

  const isThere = (
    { apiVersion, kind, name, uid }: StoredOwnerReference,
    namespace: string,
  ): boolean => {
    const found = context.kinds.named(apiVersion, kind);
    // Assume that an owner of an unknown kind exists, so that its dependents are kept.
    if (found === undefined) return true;
    const place = found.namespaced ? namespace : "";
    return objects.get({ resource: found.resource, namespace: place, name })?.metadata.uid === uid;
  };

  const consider = (key: ObjectKey): void => {
    const object = objects.get(key);
    const owners = object?.metadata.ownerReferences ?? [];
    if (object === undefined || owners.length === 0) return;
    if (object.metadata.deletionTimestamp !== undefined) return;
    if (owners.some((owner) => isThere(owner, key.namespace))) return;
    const kind = context.kinds.of(key.resource);
    if (kind !== undefined) remove(context, kind, object, background);
  };

  const dependentsOf = (uid: string): readonly ObjectKey[] => [
    ...(dependents.get(uid)?.values() ?? []),
  ];

  const finish = (key: ObjectKey, finalizer: string): void => {
    objects.update(key, (object) => {
      const { finalizers = [], ...metadata } = object.metadata;
      const rest = finalizers.filter((one) => one !== finalizer);
      if (rest.length === finalizers.length) return object;
      return {
        ...object,
        metadata: { ...metadata, ...(rest.length > 0 ? { finalizers: rest } : {}) },
      };
    });
  };

  const goOn = (key: ObjectKey, object: KubeObject): void => {
    const { uid = "", finalizers = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp === undefined) return;
    if (finalizers.includes("orphan")) {
      for (const dependent of dependentsOf(uid)) {
        objects.update(dependent, (one) => withoutOwner(one, uid));
      }
      finish(key, "orphan");
    }
    if (!finalizers.includes("foregroundDeletion")) return;
    const blocking = dependentsOf(uid).filter((dependent) => {
      const found = objects.get(dependent);
      if (found === undefined) return false;
      const kind = context.kinds.of(dependent.resource);
      if (kind !== undefined && found.metadata.deletionTimestamp === undefined) {
        remove(context, kind, found, { ...background, propagationPolicy: "Foreground" });
      }
      const reference = found.metadata.ownerReferences?.find((one) => one.uid === uid);
      return reference?.blockOwnerDeletion === true && objects.get(dependent) !== undefined;
    });
    if (blocking.length === 0) finish(key, "foregroundDeletion");
  };

  const hear = ({ kind, resource, object, before }: Change): void => {
    const key = {
      resource,
      namespace: object.metadata.namespace ?? "",
      name: object.metadata.name,
    };
    const place = `${resource} ${key.namespace}/${key.name}`;
    const now = kind === "deleted" ? [] : (object.metadata.ownerReferences ?? []);
    for (const { uid } of before?.metadata.ownerReferences ?? [])
      dependents.get(uid)?.delete(place);
    for (const { uid } of now) {
      const known = dependents.get(uid) ?? new Map<string, ObjectKey>();
      dependents.set(uid, known.set(place, key));
    }
    if (kind !== "deleted") {
      goOn(key, object);
      if (now.length > 0)
        later(() => {
          consider(key);
        }, recheckMs);
      return;
    }
    const uid = object.metadata.uid ?? "";
    for (const dependent of dependentsOf(uid))
      later(() => {
        consider(dependent);
      }, 0);
    dependents.delete(uid);
    for (const { uid: owner, apiVersion, kind: ownerKind, name } of before?.metadata
      .ownerReferences ?? []) {
      const found = context.kinds.named(apiVersion, ownerKind);
      if (found === undefined) continue;
      const ownerKey = {
        resource: found.resource,
        namespace: found.namespaced ? key.namespace : "",
        name,
      };
      const present = objects.get(ownerKey);
      if (present?.metadata.uid === owner) goOn(ownerKey, present);
    }
  };

  owned.add(objects.onDidChange(hear));
  owned.add(
    disposable(() => {
      for (const timer of timers) clearTimeout(timer);
    }),
  );
  return owned;
}

function withoutOwner(object: KubeObject, uid: string): KubeObject {
  const { ownerReferences = [], ...metadata } = object.metadata;
  const rest = ownerReferences.filter((one) => one.uid !== uid);
  return {
    ...object,
    metadata: { ...metadata, ...(rest.length > 0 ? { ownerReferences: rest } : {}) },
  };
}
