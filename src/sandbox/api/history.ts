import type { KubeObject } from "../kubeObject.ts";
import type { Change, Objects, StoredResource } from "./objects.ts";
import type { Disposable } from "../../base/disposable.ts";
import { expired } from "./refusal.ts";

// Enough for a short disconnect. A client that missed more gets 410 and relists.
const maxChanges = 1_000;

/** Keeps the latest changes. Watches resume from a past resource version, and lists return the objects as of it. */
export class History implements Disposable {
  readonly #objects: Objects;
  readonly #subscription: Disposable;
  #changes: Change[] = [];
  /** Resource version of the last dropped change; all later changes are kept. */
  #compacted: number;

  constructor(objects: Objects) {
    this.#objects = objects;
    this.#compacted = objects.resourceVersion;
    this.#subscription = objects.onDidChange((change) => {
      this.#changes.push(change);
      // Drop half at once, so that the amortized cost of a change is constant.
      if (this.#changes.length >= 2 * maxChanges) this.#drop(this.#changes.length - maxChanges);
    });
  }

  /** Drops all changes, like a compaction of etcd. */
  compact(): void {
    this.#drop(this.#changes.length);
  }

  /** Returns the changes of a resource after a version, oldest first; throws a 410 if some of them were dropped. */
  after(resource: StoredResource, resourceVersion: number): readonly Change[] {
    if (resourceVersion < this.#compacted) {
      throw expired(`too old resource version: ${resourceVersion} (${this.#compacted})`);
    }
    return this.#changes.filter(
      (change) => change.resource === resource && change.resourceVersion > resourceVersion,
    );
  }

  /** Returns the objects as of a resource version; throws a 410 if that version was compacted. */
  listAt(resource: StoredResource, resourceVersion: number): readonly KubeObject[] {
    const present = this.#objects.list(resource);
    if (resourceVersion >= this.#objects.resourceVersion) return present;
    const then = new Map(present.map((object) => [historyPlaceOf(object), object]));
    for (const { object, before } of this.after(resource, resourceVersion).toReversed()) {
      if (before === undefined) then.delete(historyPlaceOf(object));
      else then.set(historyPlaceOf(object), before);
    }
    return [...then.values()];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes = [];
  }

  #drop(count: number): void {
    const last = this.#changes[count - 1];
    if (last === undefined) return;
    this.#compacted = last.resourceVersion;
    this.#changes = this.#changes.slice(count);
  }
}

/** Returns the sort key of lists, as in etcd: namespace, then name. */
export const historyPlaceOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ""}/${metadata.name}`;
