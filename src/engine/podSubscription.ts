import type { PodChanges, PodEnding, PodSnapshot } from "../spark/pods/podSnapshot.ts";
import { changeSlices, emptySnapshot } from "../spark/pods/podSnapshot.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import type { Disposable } from "../base/disposable.ts";
import { steadyTime } from "../base/steadyTime.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Log } from "./log.ts";
import type { Clock } from "./ports.ts";
import { isAbort } from "./running.ts";

/** How far the snapshot can be trusted. `since` is when the stream that fed it broke. */
export type Freshness =
  | { readonly kind: "connecting" }
  /** `polled`: read now and then, some half a minute old at most, as this keeps us from watching. */
  | { readonly kind: "live"; readonly polled: ClusterError | undefined }
  | { readonly kind: "stale"; readonly since: number; readonly error: ClusterError }
  /** Nothing was ever read. */
  | { readonly kind: "failed"; readonly error: ClusterError };

/** What the store holds at one moment: a value. */
export interface PodMoment {
  /** Counts what changed in the store, in the one order in which it did. */
  readonly seq: number;
  readonly snapshot: PodSnapshot;
  readonly freshness: Freshness;
  /** The last complete list; undefined before the first. */
  readonly lastList: { readonly seq: number; readonly at: number } | undefined;
}

export interface PodDelivery extends PodMoment {
  /** All that changed from `fromSeq` to `seq` is in this delivery, and nothing of it in another that was taken. */
  readonly fromSeq: number;
  /**
   * The changes lead from nothing to the snapshot, not from the delivery before: in the first delivery, and
   * after the subscriber has failed twice over the same changes.
   */
  readonly isWhole: boolean;
  /** Ends since the delivery before, in order, also of pods that have changed again or are gone. */
  readonly endings: readonly PodEnding[];
  /**
   * One entry a pod, in slices so small that working through one is no noticeable time; a pod that came and
   * went is told as removed. A subscriber that has much to do for each may wait between two slices.
   */
  readonly changes: () => Iterable<PodChanges>;
}

/** While its promise is not settled, the subscriber is told of nothing; what happens meanwhile is kept for it. */
export type PodSubscriber = (delivery: PodDelivery) => void | Promise<void>;

export interface SubscriptionOptions {
  /** From the end of one delivery to the beginning of the next. */
  readonly intervalMs: number;
  /**
   * Tells at each interval, news or none: for who measures time by it. Otherwise news that come after a
   * quiet interval are told at once.
   */
  readonly ticks?: boolean;
}

/** What a subscription knows of its store. */
export interface Subscribed {
  readonly clock: Clock;
  readonly log: Log;
  readonly moment: () => PodMoment;
  readonly endingsAfter: (seq: number) => readonly PodEnding[];
  /** The subscription has let go of something that the store kept for it. */
  readonly released: () => void;
}

const sliceSize = 200;

/** One subscriber of a store: its place in the order of changes, its pace, and its failures. */
export class PodSubscription implements Disposable {
  readonly #store: Subscribed;
  readonly #subscriber: PodSubscriber;
  readonly #intervalMs: number;
  readonly #ticks: boolean;
  readonly #timers = new AbortController();
  readonly #time: () => number;
  /** Undefined: all is to be told. */
  #seen: PodMoment | undefined;
  #hasFailed = false;
  #nextAt = -Infinity;
  #isScheduled = false;
  #isForced = false;
  #isEnded = false;
  #delivering: Promise<void> | undefined;
  /** Deliveries asked for and not yet made; whoever makes one looks here when it is over. */
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
    // So that the first delivery is one in any case.
    this.#seenSeq = this.#bornAt - 1;
    this.#schedule(0);
  }

  /** The last change of which the store need keep nothing for this subscriber. */
  get seenSeq(): number {
    return this.#seenSeq;
  }

  /** Something has changed in the store. */
  tell(): void {
    if (this.#ticks || this.#isScheduled || this.#delivering !== undefined) return;
    this.#schedule(Math.max(0, this.#nextAt - this.#time()));
  }

  /** Delivers as soon as may be, whatever the interval, and without moving it. */
  notify(): void {
    // Who counts its deliveries gets one for each time that it is asked for; for others a burst is one.
    if (this.#isForced && !this.#ticks) return;
    this.#isForced = true;
    this.#after(0, async () => {
      this.#isForced = false;
      await this.#request();
    });
  }

  /** Tells what there is to tell, waits for the subscriber, and ends. */
  async stop(): Promise<void> {
    this.#timers.abort();
    while (this.#delivering !== undefined) await this.#delivering;
    if (this.#hasNews) await this.#deliver();
    this.#isEnded = true;
  }

  /** Nothing more is told; a delivery under way comes to its own end. */
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
    // Nobody can ask between these lines and the end: who did so before finds the next delivery arranged.
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

  #deliveryOf(now: PodMoment): PodDelivery {
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

  // The same changes are offered once more, together with what is new by then. Who fails over them again
  // begins anew with the next change, so that one bad change is not offered for ever.
  #learnFrom(error: unknown, offered: PodMoment): void {
    const { log } = this.#store;
    if (!this.#hasFailed) {
      this.#hasFailed = true;
      log.error(error);
      return;
    }
    log.warn("a subscriber has failed twice over the same pods and is given all of them anew");
    this.#advance(undefined, offered);
  }

  #advance(seen: PodMoment | undefined, upTo: PodMoment): void {
    this.#hasFailed = false;
    this.#seen = seen;
    this.#seenSeq = upTo.seq;
    this.#store.released();
  }
}
