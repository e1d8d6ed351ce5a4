import { randomUUID } from "node:crypto";
import { Emitter, type Event } from "../../base/emitter.ts";
import { timestamp } from "../clock.ts";
import { isObject, type KubeObject } from "../kubeObject.ts";
import { Packer, type Packed } from "./packer.ts";
import { Interner } from "./interner.ts";

/**
 * Key of a kind in the store, as in `kubectl get`: the plural, with the group if there is one. Examples: `pods`,
 * `sparkapplications.sparkoperator.k8s.io`.
 */
export type StoredResource = string;

/** The key of an object in the store. */
export interface ObjectKey {
  readonly resource: StoredResource;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export interface Change {
  readonly kind: "added" | "modified" | "deleted";
  readonly resource: StoredResource;
  /** The current object. After a deletion: its last state, with the resource version of the deletion. */
  readonly object: KubeObject;
  /** The previous object; undefined if it was added. */
  readonly before: KubeObject | undefined;
  readonly resourceVersion: number;
}

/**
 * All objects of the sandbox, in memory. The API server stores the clients' changes. The scheduler and the node
 * store pod states and events. All calls are synchronous, and call the listeners before they return. A change that a
 * listener makes is an exception: it is queued, so that all listeners see the changes in the order of their versions.
 *
 * Objects are immutable: `update` receives the current one and returns the next. The store validates nothing:
 * the API server does, and code inside the sandbox is trusted.
 */
export class Objects {
  readonly #now: () => number;
  readonly #changes: Emitter<Change>;
  readonly #kept = new Map<StoredResource, Map<string, KubeObject | Packed>>();
  readonly #interner = new Interner();
  readonly #packer = new Packer();
  /** The object of each resource that was stored last; the interner shares values with it. */
  readonly #last = new Map<StoredResource, KubeObject>();
  readonly #pending: Change[] = [];
  #isDelivering = false;
  #resourceVersion = 1;

  /** `onError` receives errors thrown by listeners. */
  constructor(now: () => number, onError: (error: unknown) => void) {
    this.#now = now;
    this.#changes = new Emitter(onError);
  }

  get onDidChange(): Event<Change> {
    return this.#changes.event;
  }

  /** Returns the resource version of the last change. */
  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  get({ resource, namespace, name }: ObjectKey): KubeObject | undefined {
    const kept = this.#kept.get(resource)?.get(`${namespace}/${name}`);
    return kept === undefined ? undefined : this.#unpacked(kept);
  }

  /** Lists objects in creation order; without `namespace`, those of all namespaces. */
  list(resource: StoredResource, namespace?: string): readonly KubeObject[] {
    const all = [...this.oldestFirst(resource)];
    return namespace === undefined
      ? all
      : all.filter(({ metadata }) => (metadata.namespace ?? "") === namespace);
  }

  /** Yields objects in creation order, unpacking one at a time. */
  *oldestFirst(resource: StoredResource): Generator<KubeObject, void> {
    for (const kept of this.#kept.get(resource)?.values() ?? []) yield this.#unpacked(kept);
  }

  /**
   * Stores a new object and sets its creation time, its resource version and, if it has none, its uid. Returns
   * undefined, and changes nothing, if the name is taken.
   */
  create(resource: StoredResource, object: KubeObject): KubeObject | undefined {
    const { name, namespace = "" } = object.metadata;
    if (this.get({ resource, namespace, name }) !== undefined) return undefined;
    return this.#keep("added", resource, undefined, {
      ...object,
      metadata: {
        ...object.metadata,
        uid: object.metadata.uid ?? randomUUID(),
        creationTimestamp: timestamp(this.#now()),
      },
    });
  }

  /**
   * Stores and returns the result of `change`. Does nothing if `change` returns its argument. Returns undefined if
   * there is no object. An object marked for deletion is removed when it has no grace period and no finalizers left.
   */
  update(key: ObjectKey, change: (object: KubeObject) => KubeObject): KubeObject | undefined {
    const before = this.get(key);
    if (before === undefined) return undefined;
    const next = change(before);
    if (next === before) return before;
    return this.#keep(isOver(next) ? "deleted" : "modified", key.resource, before, next);
  }

  /**
   * Deletes an object without a grace period, as a kubelet does after the last container of a pod ended.
   * The object stays while it has finalizers; a repeated call changes nothing.
   */
  remove(key: ObjectKey): void {
    this.update(key, (object) => {
      const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
      if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0) return object;
      return {
        ...object,
        metadata: {
          ...object.metadata,
          deletionTimestamp: deletionTimestamp ?? timestamp(this.#now()),
          deletionGracePeriodSeconds: 0,
        },
      };
    });
  }

  /** Removes an object, ignoring finalizers and grace period. */
  drop(key: ObjectKey): void {
    const before = this.get(key);
    if (before !== undefined) this.#keep("deleted", key.resource, before, before);
  }

  #unpacked(kept: KubeObject | Packed): KubeObject {
    return typeof kept === "string" ? this.#packer.unpack(kept) : kept;
  }

  #keep(
    kind: Change["kind"],
    resource: StoredResource,
    before: KubeObject | undefined,
    next: KubeObject,
  ): KubeObject {
    const resourceVersion = ++this.#resourceVersion;
    const metadata = { ...next.metadata, resourceVersion: String(resourceVersion) };
    const object = this.#interner.intern({ ...next, metadata }, before, this.#last.get(resource));
    this.#last.set(resource, object);
    const kept = this.#kept.get(resource) ?? new Map<string, KubeObject | Packed>();
    this.#kept.set(resource, kept);
    const place = `${next.metadata.namespace ?? ""}/${next.metadata.name}`;
    if (kind === "deleted") kept.delete(place);
    else kept.set(place, packedResources.has(resource) ? this.#packer.pack(object) : object);
    this.#pending.push({ kind, resource, object, before, resourceVersion });
    this.#deliver();
    return object;
  }

  // Not reentrant: a change made by a listener is delivered after the current one.
  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      this.#changes.fire(next);
    }
    this.#isDelivering = false;
  }
}

/** Resources that the store packs. Each pod has several events, and clients rarely read them. */
const packedResources: ReadonlySet<StoredResource> = new Set(["events"]);

const isOver = ({ kind, metadata, spec }: KubeObject): boolean => {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = metadata;
  // `spec.finalizers` delays the removal of a namespace until it contains no objects.
  const own = kind === "Namespace" && isObject(spec) ? spec["finalizers"] : undefined;
  return (
    deletionTimestamp !== undefined &&
    (deletionGracePeriodSeconds ?? 0) === 0 &&
    finalizers.length === 0 &&
    !(Array.isArray(own) && own.length > 0)
  );
};
