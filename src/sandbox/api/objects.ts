import { randomUUID } from "node:crypto";
import { Emitter, type Event } from "../../base/emitter.ts";
import { timestamp } from "../clock.ts";
import { isObject, type KubeObject } from "../kubeObject.ts";
import { Packer, type Packed } from "./packer.ts";
import { Settler } from "./settle.ts";

/** Which objects: the plural as `kubectl` says it, `pods` or `sparkapplications.sparkoperator.k8s.io`. */
export type Resource = string;

/** Names one object. */
export interface ObjectKey {
  readonly resource: Resource;
  /** "" outside of namespaces. */
  readonly namespace: string;
  readonly name: string;
}

export interface Change {
  readonly kind: "added" | "modified" | "deleted";
  readonly resource: Resource;
  /** As it is now; of a deleted one, its last state under the resource version of the deletion. */
  readonly object: KubeObject;
  /** As it was before; undefined for an added one. */
  readonly before: KubeObject | undefined;
  readonly resourceVersion: number;
}

/**
 * All objects of the sandbox, in memory. The API server writes what clients ask for; the scheduler and
 * the node write the states of pods and their events; both read. Everything is synchronous: a change
 * is heard by all listeners, in the order of the resource versions, before the call returns; a change
 * that a listener makes is heard after the one that it heard.
 *
 * Objects are values: `update` gets the present one and returns the next. Nothing is checked here: that
 * is the API server's part, and what runs inside the sandbox is trusted.
 */
export class Objects {
  readonly #now: () => number;
  readonly #changes: Emitter<Change>;
  readonly #kept = new Map<Resource, Map<string, KubeObject | Packed>>();
  readonly #settler = new Settler();
  readonly #packer = new Packer();
  /** What was kept last. */
  readonly #last = new Map<Resource, KubeObject>();
  readonly #waiting: Change[] = [];
  #telling = false;
  #resourceVersion = 1;

  /** `onError` hears of listeners that throw. */
  constructor(now: () => number, onError: (error: unknown) => void) {
    this.#now = now;
    this.#changes = new Emitter(onError);
  }

  /** Every change from now on. */
  get onDidChange(): Event<Change> {
    return this.#changes.event;
  }

  /** Of the last change. */
  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  get({ resource, namespace, name }: ObjectKey): KubeObject | undefined {
    const kept = this.#kept.get(resource)?.get(`${namespace}/${name}`);
    return kept === undefined ? undefined : this.#unpacked(kept);
  }

  /** In no order that means anything. Undefined: all namespaces. */
  list(resource: Resource, namespace?: string): readonly KubeObject[] {
    const all = [...this.oldestFirst(resource)];
    return namespace === undefined
      ? all
      : all.filter(({ metadata }) => (metadata.namespace ?? "") === namespace);
  }

  /** One after the other, in the order in which they were created. */
  *oldestFirst(resource: Resource): Generator<KubeObject, void> {
    for (const kept of this.#kept.get(resource)?.values() ?? []) yield this.#unpacked(kept);
  }

  /**
   * Keeps a new object under a uid, a time and a resource version of its own; a name that is taken gives
   * undefined and changes nothing.
   */
  create(resource: Resource, object: KubeObject): KubeObject | undefined {
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
   * Keeps what `change` makes of an object. Nothing happens when `change` returns the object that it got, or
   * when there is none (undefined). An object that is to be deleted goes with its last finalizer when its
   * grace period is 0 or it has none.
   */
  update(key: ObjectKey, change: (object: KubeObject) => KubeObject): KubeObject | undefined {
    const before = this.get(key);
    if (before === undefined) return undefined;
    const next = change(before);
    if (next === before) return before;
    return this.#keep(isOver(next) ? "deleted" : "modified", key.resource, before, next);
  }

  /**
   * Deletes without any further grace, as a kubelet does when the last container of a pod has ended: the
   * object goes, or, while it has finalizers, stays and waits for them.
   */
  remove(key: ObjectKey): void {
    this.update(key, (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        deletionTimestamp: object.metadata.deletionTimestamp ?? timestamp(this.#now()),
        deletionGracePeriodSeconds: 0,
      },
    }));
  }

  /** Takes an object away as it is, whatever holds it. */
  drop(key: ObjectKey): void {
    const before = this.get(key);
    if (before !== undefined) this.#keep("deleted", key.resource, before, before);
  }

  #unpacked(kept: KubeObject | Packed): KubeObject {
    return typeof kept === "string" ? this.#packer.unpack(kept) : kept;
  }

  #keep(
    kind: Change["kind"],
    resource: Resource,
    before: KubeObject | undefined,
    next: KubeObject,
  ): KubeObject {
    const resourceVersion = ++this.#resourceVersion;
    const metadata = { ...next.metadata, resourceVersion: String(resourceVersion) };
    const object = this.#settler.settle({ ...next, metadata }, before, this.#last.get(resource));
    this.#last.set(resource, object);
    const kept = this.#kept.get(resource) ?? new Map<string, KubeObject | Packed>();
    this.#kept.set(resource, kept);
    const place = `${next.metadata.namespace ?? ""}/${next.metadata.name}`;
    if (kind === "deleted") kept.delete(place);
    else kept.set(place, packedResources.has(resource) ? this.#packer.pack(object) : object);
    this.#waiting.push({ kind, resource, object, before, resourceVersion });
    this.#tell();
    return object;
  }

  // In order even when a listener writes: its change waits for its turn.
  #tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#changes.fire(next);
    }
    this.#telling = false;
  }
}

/** There are several for each pod, and hardly one of them is ever read. */
const packedResources: ReadonlySet<Resource> = new Set(["events"]);

const isOver = ({ kind, metadata, spec }: KubeObject): boolean => {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = metadata;
  // Namespaces have a second list, by which they are held until they are empty.
  const own = kind === "Namespace" && isObject(spec) ? spec["finalizers"] : undefined;
  return (
    deletionTimestamp !== undefined &&
    (deletionGracePeriodSeconds ?? 0) === 0 &&
    finalizers.length === 0 &&
    !(Array.isArray(own) && own.length > 0)
  );
};
