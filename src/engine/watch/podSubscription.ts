import type { PodChanges, PodEnding, PodSnapshot } from "../../spark/pods/podSnapshot.ts";
import { changeSlices, emptySnapshot } from "../../spark/pods/podSnapshot.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { Disposable } from "../../base/disposable.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../ports/clock.ts";
import { isAbort } from "../../base/isAbort.ts";

/** How current the snapshot is. `since` is when the watch broke, in epoch ms. */
export type Freshness =
  | { readonly kind: "connecting" }
  /**
   * `polled` is the error that prevents watching. The snapshot is then updated by a list about every 30 s.
   */
  | { readonly kind: "live"; readonly polled: ClusterError | undefined }
  | { readonly kind: "stale"; readonly since: number; readonly error: ClusterError }
  /** The first list failed, so there is no snapshot yet. */
  | { readonly kind: "failed"; readonly error: ClusterError };

/** The immutable content of the store at one moment. */
export interface StoreState {
  /** Number of the last change; increases by one with each change. */
  readonly seq: number;
  readonly snapshot: PodSnapshot;
  readonly freshness: Freshness;
  /** The last complete list; undefined before the first one. `at`: its time in epoch ms. */
  readonly lastList: { readonly seq: number; readonly at: number } | undefined;
}

export interface PodDelivery extends StoreState {
  /**
   * The delivery contains all changes from `fromSeq` to `seq`. Each change is in only one delivery that the subscriber
   * handled successfully.
   */
  readonly fromSeq: number;
  /**
   * `changes` start from an empty snapshot instead of the previous delivery. True for the first
   * delivery, and after the subscriber failed twice on the same changes.
   */
  readonly isWhole: boolean;
  /**
   * Endings of pods since the previous delivery, in the order of the changes. Includes pods that changed again or were
   * deleted.
   */
  readonly endings: readonly PodEnding[];
  /**
   * Returns one entry per pod, in slices of up to 200; a pod that was added and deleted in between is among the removed
   * ones. A subscriber may yield to the event loop between slices.
   */
  readonly changes: () => Iterable<PodChanges>;
}

/** Handles a delivery. While the returned promise is pending, changes accumulate and nothing is delivered. */
export type PodSubscriber = (delivery: PodDelivery) => void | Promise<void>;

export interface SubscriptionOptions {
  /** Milliseconds between the end of a delivery and the start of the next. */
  readonly intervalMs: number;
  /**
   * True to deliver at every interval, even without changes, for subscribers that measure time. Otherwise a change
   * after a quiet interval is delivered at once.
   */
  readonly ticks?: boolean;
}

/** The part of the store that a subscription uses. */
export interface Subscribed {
  readonly clock: Clock;
  readonly log: Log;
  readonly moment: () => StoreState;
  readonly endingsAfter: (seq: number) => readonly PodEnding[];
  /** Called when the subscription no longer needs some of the stored endings. */
  readonly released: () => void;
}

const sliceSize = 200;

/** One subscriber of a store: its position in the order of changes, its pace, and its failures. */
export class PodSubscription implements Disposable {
  readonly #store: Subscribed;
  readonly #subscriber: PodSubscriber;
  readonly #intervalMs: number;
  readonly #ticks: boolean;
  readonly #timers = new AbortController();
  readonly #time: () => number;
  /** The state that was delivered last. If undefined, the next delivery has the whole snapshot. */
  #seen: StoreState | undefined;
  #hasFailed = false;
  #nextAt = -Infinity;
  #isScheduled = false;
  #isForced = false;
  #isEnded = false;
  #delivering: Promise<void> | undefined;
  /** Number of pending delivery requests; the running delivery serves the rest when it ends. */
  #requests = 0;
  #seenSeq: number;
  readonly #bornAt: number;

  constructor(
    store: Subscribed,
    subscriber: PodSubscriber,
    { intervalMs, ticks = false }: SubscriptionOptions,
  ) {
    if (ticks && intervalMs <= 0) throw new RangeError("ticks need an interval");
    this.#store = store;
    this.#time = steadyTime(store.clock);
    this.#subscriber = subscriber;
    this.#intervalMs = intervalMs;
    this.#ticks = ticks;
    this.#bornAt = store.moment().seq;
    // Ensures a first delivery even if nothing changes.
    this.#seenSeq = this.#bornAt - 1;
    this.#schedule(0);
  }

  /** Returns the number of the last delivered change. The store may drop the endings up to it. */
  get seenSeq(): number {
    return this.#seenSeq;
  }

  /** Schedules a delivery, because the store has changed. */
  tell(): void {
    if (this.#ticks || this.#isScheduled || this.#delivering !== undefined) return;
    this.#schedule(Math.max(0, this.#nextAt - this.#time()));
  }

  /** Delivers as soon as possible. Does not shift later intervals. */
  notify(): void {
    // A ticking subscriber gets one delivery per call; for others calls are merged.
    if (this.#isForced && !this.#ticks) return;
    this.#isForced = true;
    this.#after(0, async () => {
      this.#isForced = false;
      await this.#request();
    });
  }

  /** Flushes pending changes, waits for the subscriber, and ends. */
  async stop(): Promise<void> {
    this.#timers.abort();
    while (this.#delivering !== undefined) await this.#delivering;
    if (this.#hasNews) await this.#deliver();
    this.#isEnded = true;
  }

  /** Ends the subscription; a running delivery may finish. */
  dispose(): void {
    this.#timers.abort();
    this.#isEnded = true;
  }

  get #hasNews(): boolean {
    return this.#seenSeq < this.#store.moment().seq;
  }

  #schedule(ms: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#after(ms, async () => {
      this.#isScheduled = false;
      await this.#request();
      if (this.#ticks) this.#schedule(this.#intervalMs);
    });
  }

  #after(ms: number, work: () => Promise<void>): void {
    const { clock, log } = this.#store;
    clock
      .sleep(ms, this.#timers.signal)
      .then(work)
      .catch((error: unknown) => {
        if (!isAbort(error)) log.error(error);
      });
  }

  async #request(): Promise<void> {
    this.#requests += 1;
    await this.#serve();
  }

  async #serve(): Promise<void> {
    if (this.#delivering !== undefined || this.#requests === 0) return;
    if (!this.#ticks) this.#requests = 1;
    this.#delivering = this.#deliver();
    await this.#delivering;
    // No await follows, so no request can arrive before the next delivery is scheduled.
    this.#delivering = undefined;
    this.#requests -= 1;
    if (this.#isEnded) return;
    this.#nextAt = this.#time() + this.#intervalMs;
    if (this.#requests > 0) this.#after(0, () => this.#serve());
    else if (!this.#ticks && this.#hasNews) this.#schedule(this.#intervalMs);
  }

  async #deliver(): Promise<void> {
    if (this.#isEnded || (!this.#ticks && !this.#hasNews)) return;
    const now = this.#store.moment();
    try {
      await this.#subscriber(this.#deliveryOf(now));
      this.#advance(now, now);
    } catch (error) {
      this.#learnFrom(error, now);
    }
  }

  #deliveryOf(now: StoreState): PodDelivery {
    const endings = this.#store.endingsAfter(Math.max(this.#seenSeq, this.#bornAt));
    const before = this.#seen?.snapshot ?? emptySnapshot;
    const gone = new Map<string, PodRecord>();
    for (const { kind, pod } of endings) if (kind === "gone") gone.set(pod.uid, pod);
    return {
      ...now,
      fromSeq: this.#seenSeq + 1,
      isWhole: this.#seen === undefined,
      endings,
      changes: () => changeSlices(before, now.snapshot, gone, sliceSize),
    };
  }

  // After a failure, the next delivery repeats the changes, together with newer ones. After a second failure, it
  // contains the whole snapshot, so that one bad change is not repeated forever.
  #learnFrom(error: unknown, offered: StoreState): void {
    const { log } = this.#store;
    if (!this.#hasFailed) {
      this.#hasFailed = true;
      log.error(error);
      return;
    }
    log.warn("a subscriber failed twice on the same pods; its next delivery contains all pods");
    this.#advance(undefined, offered);
  }

  #advance(seen: StoreState | undefined, upTo: StoreState): void {
    this.#hasFailed = false;
    this.#seen = seen;
    this.#seenSeq = upTo.seq;
    this.#store.released();
  }
}
