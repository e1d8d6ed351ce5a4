import { disposable, type Disposable } from "../base/disposable.ts";
import { PodListing, type ListOrigin } from "../spark/pods/podListing.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import {
  applyPodEvents,
  emptySnapshot,
  findPod,
  type PodEvent,
  type PodSnapshot,
  type PodSnapshotStep,
} from "../spark/pods/podSnapshot.ts";
import { isOlder } from "../spark/pods/resourceVersion.ts";
import { EndingLog } from "./endingLog.ts";
import type { Log } from "./log.ts";
import {
  PodSubscription,
  type Freshness,
  type PodMoment,
  type PodSubscriber,
  type Subscribed,
  type SubscriptionOptions,
} from "./podSubscription.ts";
import type { Clock } from "./ports.ts";

export interface PodStoreOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** A list on its way into the store: nothing of it shows before its end, and one that is let go of never was. */
export interface IncomingList {
  take(pod: PodRecord): void;
  /** A pod went while the list came in. */
  drop(pod: PodRecord): void;
  /** False if the list is older than one that the store has, and so was not taken. */
  end(resourceVersion: string): boolean;
}

// As long as Spark's driver waits for those that it tells.
const stopGraceMs = 20_000;

/**
 * Holds the snapshot and tells subscribers of it, each at its own pace and never inside the call that changes
 * it or subscribes. Every change reaches every subscriber once, in order, joined with the others of its pod
 * since the delivery before. A subscriber is told of nothing while it is still busy with a delivery; one that
 * is slow or throws makes nobody wait and loses nothing. What a subscriber costs does not grow with what it
 * has missed. After `dispose` and `stop` nobody is told of anything, and nothing changes any more.
 */
export class PodStore implements Disposable {
  readonly #options: PodStoreOptions;
  readonly #view: Subscribed;
  readonly #subscriptions = new Set<PodSubscription>();
  readonly #endings = new EndingLog();
  #moment: PodMoment = {
    seq: 0,
    snapshot: emptySnapshot,
    freshness: { kind: "connecting" },
    lastList: undefined,
  };
  #listVersion = "";
  #isOver = false;

  constructor(options: PodStoreOptions) {
    this.#options = options;
    this.#view = {
      ...options,
      moment: () => this.#moment,
      endingsAfter: (seq) => this.#endings.after(seq),
      released: () => {
        this.#forget();
      },
    };
  }

  get moment(): PodMoment {
    return this.#moment;
  }

  get snapshot(): PodSnapshot {
    return this.#moment.snapshot;
  }

  get freshness(): Freshness {
    return this.#moment.freshness;
  }

  /** A complete list takes the place of all that was known. */
  replace(pods: Iterable<PodRecord>, { resourceVersion, mayLag }: ListOrigin): boolean {
    const list = this.beginList(mayLag);
    for (const pod of pods) list.take(pod);
    return list.end(resourceVersion);
  }

  /** The same for a list that comes in bit by bit; what else changes meanwhile counts as older than the list. */
  beginList(mayLag: boolean): IncomingList {
    let listing = new PodListing(this.snapshot, mayLag);
    return {
      take: (pod) => {
        listing.take(pod);
      },
      drop: (pod) => {
        listing.drop(pod);
      },
      end: (resourceVersion) => {
        if (this.#isOver || (mayLag && isOlder(resourceVersion, this.#listVersion))) return false;
        if (listing.base !== this.snapshot) {
          const anew = new PodListing(this.snapshot, mayLag);
          for (const pod of listing.pods) anew.take(pod);
          listing = anew;
        }
        this.#listVersion = resourceVersion;
        this.#take(listing.end({ resourceVersion }), true);
        return true;
      },
    };
  }

  apply(events: readonly PodEvent[]): void {
    if (this.#isOver) return;
    const news = events.filter((event) => !this.#isOldNews(event));
    this.#take(applyPodEvents(this.snapshot, news), false);
  }

  /** Of a pod that the last list did not have any more: nobody would ever say again that it has gone. */
  #isOldNews({ pod: { uid, resourceVersion } }: PodEvent): boolean {
    return isOlder(resourceVersion, this.#listVersion) && findPod(this.snapshot, uid) === undefined;
  }

  setFreshness(freshness: Freshness): void {
    const now = this.freshness;
    const isSame =
      now.kind === "live" && freshness.kind === "live" && now.polled === freshness.polled;
    if (isSame || this.#isOver) return;
    this.#moment = { ...this.#moment, seq: this.#moment.seq + 1, freshness };
    this.#tell();
  }

  /** The first delivery comes soon and carries the snapshot of its moment. */
  subscribe(subscriber: PodSubscriber, options: SubscriptionOptions): Disposable {
    if (this.#isOver) return disposable(() => undefined);
    const subscription = new PodSubscription(this.#view, subscriber, options);
    this.#subscriptions.add(subscription);
    return disposable(() => {
      subscription.dispose();
      this.#subscriptions.delete(subscription);
      this.#forget();
    });
  }

  /** Every subscriber is told of what it does not know yet as soon as may be, without waiting for its interval. */
  notify(): void {
    for (const subscription of this.#subscriptions) subscription.notify();
  }

  /** Takes nothing more, tells everybody of the rest, and waits for those that are busy, but not for ever. */
  async stop(): Promise<void> {
    this.#isOver = true;
    const timer = new AbortController();
    const grace = this.#options.clock.sleep(stopGraceMs, timer.signal).catch(() => undefined);
    const stopped = Promise.all([...this.#subscriptions].map((each) => each.stop()));
    await Promise.race([stopped, grace]);
    timer.abort();
    this.dispose();
  }

  dispose(): void {
    this.#isOver = true;
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#subscriptions.clear();
    this.#forget();
  }

  #take({ snapshot, endings }: PodSnapshotStep, isList: boolean): void {
    const before = this.#moment;
    const isNews = snapshot.pods !== before.snapshot.pods;
    const seq = before.seq + (isNews ? 1 : 0);
    const lastList = isList ? { seq, at: this.#options.clock.now() } : before.lastList;
    this.#moment = { ...before, seq, snapshot, lastList };
    if (!isNews) return;
    if (this.#subscriptions.size > 0 && endings.length > 0) this.#endings.add(seq, endings);
    this.#tell();
  }

  #tell(): void {
    for (const subscription of this.#subscriptions) subscription.tell();
  }

  #forget(): void {
    let seen = this.#moment.seq;
    for (const { seenSeq } of this.#subscriptions) seen = Math.min(seen, seenSeq);
    this.#endings.forgetTo(seen);
  }
}
