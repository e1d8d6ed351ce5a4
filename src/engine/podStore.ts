import { disposable, type Disposable } from "../base/disposable.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import {
  applyPodEvents,
  changesBetween,
  emptySnapshot,
  isEmptyChange,
  replacePods,
  type PodChanges,
  type PodEvent,
  type PodSnapshot,
  type PodSnapshotStep,
} from "../spark/pods/podSnapshot.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Log } from "./log.ts";
import type { Clock } from "./ports.ts";
import { start, type Running } from "./running.ts";

/** How far the snapshot can be trusted. `since` is when the stream that fed it broke. */
export type Freshness =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "stale"; readonly since: number; readonly error: ClusterError }
  /** Nothing was ever read. */
  | { readonly kind: "failed"; readonly error: ClusterError };

export interface PodDelivery {
  readonly snapshot: PodSnapshot;
  /**
   * Since the delivery before, one entry a pod; a pod that came and went in between is told as removed.
   * Undefined in the first delivery and in the one after the subscriber threw: anything may have changed.
   */
  readonly changes: PodChanges | undefined;
  readonly freshness: Freshness;
}

export type PodSubscriber = (delivery: PodDelivery) => void;

export interface PodStoreOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Least time between two deliveries. */
  readonly intervalMs: number;
}

/**
 * Holds the snapshot and tells subscribers of it, never inside the call that changes it or subscribes, at
 * most once an interval, and only of what changed. Each change reaches each subscriber once, in order; one
 * that throws harms no other. After `dispose` nobody is told of anything.
 */
export class PodStore implements Disposable {
  readonly #options: PodStoreOptions;
  readonly #subscribers = new Set<Subscription>();
  #snapshot = emptySnapshot;
  #freshness: Freshness = { kind: "connecting" };
  #delivered: Pick<PodDelivery, "snapshot" | "freshness">;
  /** Pods changed since the last delivery, as last seen. */
  #touched = new Map<string, PodRecord>();
  #nextDeliveryAt = -Infinity;
  #delivering: Running | undefined;
  #disposed = false;

  constructor(options: PodStoreOptions) {
    this.#options = options;
    this.#delivered = { snapshot: this.#snapshot, freshness: this.#freshness };
  }

  get snapshot(): PodSnapshot {
    return this.#snapshot;
  }

  get freshness(): Freshness {
    return this.#freshness;
  }

  /** A complete list takes the place of all that was known. */
  replace(list: Iterable<PodRecord>): void {
    this.#take(replacePods(this.#snapshot, list));
  }

  apply(events: readonly PodEvent[]): void {
    this.#take(applyPodEvents(this.#snapshot, events));
  }

  setFreshness(freshness: Freshness): void {
    if (freshness.kind === "live" && this.#freshness.kind === "live") return;
    this.#freshness = freshness;
    this.#requestDelivery();
  }

  /** The first delivery comes soon and carries the snapshot of its moment. */
  subscribe(subscriber: PodSubscriber): Disposable {
    const subscription: Subscription = { subscriber, needsAll: true };
    this.#subscribers.add(subscription);
    this.#requestDelivery();
    return disposable(() => {
      this.#subscribers.delete(subscription);
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#delivering?.dispose();
    this.#subscribers.clear();
    this.#touched.clear();
  }

  #take({ snapshot, changes }: PodSnapshotStep): void {
    this.#snapshot = snapshot;
    if (isEmptyChange(changes)) return;
    for (const pod of changes.added) this.#touched.set(pod.uid, pod);
    for (const { after } of changes.modified) this.#touched.set(after.uid, after);
    for (const { last } of changes.removed) this.#touched.set(last.uid, last);
    this.#requestDelivery();
  }

  #requestDelivery(): void {
    if (this.#disposed || this.#delivering !== undefined) return;
    const delivering = start((signal) => this.#deliverWhenDue(signal));
    this.#delivering = delivering;
    delivering.done.catch(this.#options.log.error);
  }

  async #deliverWhenDue(signal: AbortSignal): Promise<void> {
    const { clock, intervalMs } = this.#options;
    await clock.sleep(Math.max(0, this.#nextDeliveryAt - clock.now()), signal);
    this.#nextDeliveryAt = clock.now() + intervalMs;
    // What a subscriber changes in the store is for the next delivery, so that is allowed from here on.
    this.#delivering = undefined;
    this.#deliver();
  }

  #deliver(): void {
    const before = this.#delivered;
    const now = { snapshot: this.#snapshot, freshness: this.#freshness };
    const changes = changesBetween(before.snapshot, now.snapshot, this.#touched);
    const isNews = !isEmptyChange(changes) || before.freshness !== now.freshness;
    this.#delivered = now;
    this.#touched = new Map();
    for (const subscription of [...this.#subscribers]) {
      // An earlier subscriber may have ended this one's subscription.
      if (!this.#subscribers.has(subscription)) continue;
      if (!isNews && !subscription.needsAll) continue;
      const delivery = { ...now, changes: subscription.needsAll ? undefined : changes };
      subscription.needsAll = false;
      try {
        subscription.subscriber(delivery);
      } catch (error) {
        subscription.needsAll = true;
        this.#options.log.error(error);
      }
    }
  }
}

interface Subscription {
  readonly subscriber: PodSubscriber;
  needsAll: boolean;
}
