import type { KubeObject } from "../kubeObject.ts";
import type { Change, Objects, Resource } from "./objects.ts";
import type { Disposable } from "../../base/disposable.ts";
import { expired } from "./refusal.ts";

// As much as a client needs that was away for a moment; whoever was away for longer lists anew (410).
const kept = 1_000;

/** The last changes, so that a watch can go on from a resource version and a list can be of one. */
export class History implements Disposable {
  readonly #objects: Objects;
  readonly #subscription: Disposable;
  #changes: Change[] = [];
  /** All changes after this one are at hand. */
  #compacted: number;

  constructor(objects: Objects) {
    this.#objects = objects;
    this.#compacted = objects.resourceVersion;
    this.#subscription = objects.onDidChange((change) => {
      this.#changes.push(change);
      // Half at once, so that each change costs nothing.
      if (this.#changes.length >= 2 * kept) this.#drop(this.#changes.length - kept);
    });
  }

  /** Forgets what is older, as etcd does at its compactions. */
  compact(): void {
    this.#drop(this.#changes.length);
  }

  /** Throws a 410 when they are not all at hand any more. */
  after(resource: Resource, resourceVersion: number): readonly Change[] {
    if (resourceVersion < this.#compacted) {
      throw expired(`too old resource version: ${resourceVersion} (${this.#compacted})`);
    }
    return this.#changes.filter(
      (change) => change.resource === resource && change.resourceVersion > resourceVersion,
    );
  }

  /** All objects as they were; throws a 410 when that is too long ago. */
  listAt(resource: Resource, resourceVersion: number): readonly KubeObject[] {
    const present = this.#objects.list(resource);
    if (resourceVersion >= this.#objects.resourceVersion) return present;
    const then = new Map(present.map((object) => [placeOf(object), object]));
    for (const { object, before } of this.after(resource, resourceVersion).toReversed()) {
      if (before === undefined) then.delete(placeOf(object));
      else then.set(placeOf(object), before);
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

/** The order of lists. */
export const placeOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ""}/${metadata.name}`;
