import { disposable, type Disposable } from "../../base/disposable.ts";
import { PodListing, type ListOrigin } from "../../spark/pods/podListing.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import {
  applyPodEvents,
  emptySnapshot,
  findPod,
  type PodEvent,
  type PodSnapshot,
  type PodSnapshotStep,
} from "../../spark/pods/podSnapshot.ts";
import { isOlder } from "../../spark/pods/resourceVersion.ts";
import { PodEndingQueue } from "./podEndingQueue.ts";
import type { Log } from "../log.ts";
import {
  PodSubscription,
  type Freshness,
  type StoreState,
  type PodSubscriber,
  type Subscribed,
  type SubscriptionOptions,
} from "./podSubscription.ts";
import type { Clock } from "../ports/clock.ts";
import type { IncomingList, ListWatchSink } from "./listWatch.ts";

interface PodStoreOptions {
  readonly clock: Clock;
  readonly log: Log;
}

// In ms. Spark's driver waits equally long for its snapshot subscribers.
const stopGraceMs = 20_000;

/**
 * Holds the current snapshot and delivers it to subscribers, each at its own pace. Deliveries are asynchronous: never
 * inside `apply`, `replace` or `subscribe`. Each subscriber gets every change once, in order; changes of one pod are
 * merged between two deliveries. A subscriber gets no delivery while it handles one. A slow or failing subscriber does
 * not delay others and misses no change of the snapshot. Its backlog is bounded: it may miss the oldest pod endings
 * (see `PodEndingQueue`). After `dispose` or `stop` there are no deliveries and no changes.
 */
export class PodStore implements Disposable, ListWatchSink<PodRecord, PodEvent> {
  readonly #options: PodStoreOptions;
  readonly #view: Subscribed;
  readonly #subscriptions = new Set<PodSubscription>();
  readonly #endings = new PodEndingQueue();
  #moment: StoreState = {
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

  get moment(): StoreState {
    return this.#moment;
  }

  get snapshot(): PodSnapshot {
    return this.#moment.snapshot;
  }

  get size(): number {
    return this.snapshot.size;
  }

  get freshness(): Freshness {
    return this.#moment.freshness;
  }

  /**
   * Replaces the content with a complete list. Returns false, and changes nothing, if the store has stopped, or if
   * `mayLag` is true and the list is older than the last one.
   */
  replace(pods: Iterable<PodRecord>, { resourceVersion, mayLag }: ListOrigin): boolean {
    const list = this.beginList(mayLag);
    for (const pod of pods) list.take(pod);
    return list.end(resourceVersion);
  }

  /**
   * As `replace`, for a list that is received in parts. Events applied meanwhile are treated as older than the list.
   */
  beginList(mayLag: boolean): IncomingList<PodRecord> {
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

  /**
   * True if a newer list no longer contained the pod. Without this check the event would add the pod again, and nothing
   * would remove it.
   */
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

  /**
   * Adds a subscriber until disposed. The first delivery is asynchronous and contains the snapshot current at delivery
   * time.
   */
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

  /** Delivers pending changes to every subscriber now, ignoring the intervals. */
  notify(): void {
    for (const subscription of this.#subscriptions) subscription.notify();
  }

  /**
   * Stops accepting events, flushes pending deliveries, and waits up to 20 s for busy subscribers.
   */
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
