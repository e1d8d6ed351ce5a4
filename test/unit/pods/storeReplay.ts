// Replays recorded operations on our pod store, with the timing and threads of Spark's store.
import { PodStore } from "../../../src/engine/watch/podStore.ts";
import type { PodDelivery, StoreState } from "../../../src/engine/watch/podSubscription.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { findPod } from "../../../src/spark/pods/podSnapshot.ts";
import { isOlder } from "../../../src/spark/pods/resourceVersion.ts";
import { VirtualClock } from "../engine/virtualClock.ts";

export type Operation =
  | {
      readonly op: "subscribe";
      readonly sub: string;
      readonly window: number;
      readonly on?: Readonly<Record<string, readonly Operation[]>>;
    }
  | { readonly op: "update"; readonly pod: unknown }
  | { readonly op: "replace"; readonly pods: readonly unknown[] }
  | { readonly op: "notify" | "stop" }
  | { readonly op: "advance" | "sleep"; readonly ms: number }
  | { readonly op: "throw"; readonly kind: string };

/** One call of a subscriber; times are milliseconds since the start. */
export interface Callback {
  readonly sub: string;
  readonly n: number;
  readonly start: number;
  /** Undefined if the call has not ended. */
  end: number | undefined;
  threw: boolean;
  /** Successive states of the store since the previous delivery. */
  readonly steps: readonly StoreState[];
  readonly lastList: number;
  readonly endings: PodDelivery["endings"];
  readonly isFlush: boolean;
}

export interface Replay {
  readonly callbacks: readonly Callback[];
  readonly moment: StoreState;
  /** Returns true if `pod` was reported later than `other`. */
  readonly isLater: (pod: PodRecord, other: PodRecord) => boolean;
  /** True if a pod was reported with an older version than the known one. */
  readonly wentBack: boolean;
}

export async function replayStore(
  operations: readonly Operation[],
  threads: number,
): Promise<Replay> {
  const replay = new StoreReplay(threads);
  await replay.run(operations);
  const isLater = (pod: PodRecord, other: PodRecord): boolean =>
    replay.orderOf(pod) > replay.orderOf(other);
  const { callbacks, store, wentBack } = replay;
  return { callbacks, moment: store.moment, isLater, wentBack };
}

class StoreReplay {
  readonly callbacks: Callback[] = [];
  wentBack = false;
  readonly #clock = new VirtualClock(inPlace());
  readonly #began = this.#clock.now();
  readonly #pool: ThreadPool;
  readonly store: PodStore;
  readonly #steps = new Map<number, StoreState>();
  readonly #order = new Map<string, number>();
  #stopping = false;

  constructor(threads: number) {
    this.#pool = new ThreadPool(this.#clock, threads);
    const log = { debug: ignore, warn: ignore, error: ignore };
    this.store = new PodStore({ clock: this.#pool, log });
    this.#note();
  }

  get now(): number {
    return this.#clock.now() - this.#began;
  }

  orderOf(pod: PodRecord): number {
    return this.#order.get(keyOf(pod)) ?? -1;
  }

  async run(operations: readonly Operation[]): Promise<void> {
    for (const operation of operations) await this.#do(operation);
  }

  async #do(operation: Operation): Promise<void> {
    switch (operation.op) {
      case "subscribe":
        this.#subscribe(operation);
        return;
      case "update": {
        const pod = decodePod(operation.pod);
        if (pod === undefined) break;
        this.#order.set(keyOf(pod), this.#order.size);
        const known = findPod(this.store.snapshot, pod.uid);
        this.wentBack ||=
          known !== undefined && isOlder(pod.resourceVersion, known.resourceVersion);
        this.store.apply([{ kind: "modified", pod }]);
        break;
      }
      case "replace": {
        const pods = operation.pods
          .map((pod) => decodePod(pod))
          .filter((pod): pod is PodRecord => pod !== undefined);
        for (const pod of pods) this.#order.set(keyOf(pod), this.#order.size);
        this.store.replace(pods, { resourceVersion: "", mayLag: false });
        break;
      }
      case "notify":
        if (!this.#stopping) this.store.notify();
        break;
      case "advance":
        await this.#clock.advance(operation.ms);
        break;
      case "stop": {
        this.#stopping = true;
        await this.#clock.advanceUntil(this.store.stop());
        break;
      }
      case "sleep":
        await this.#clock.sleep(operation.ms, new AbortController().signal);
        break;
      case "throw":
        throw new Error("as asked");
    }
    this.#note();
  }

  #note(): void {
    const { moment } = this.store;
    if (!this.#steps.has(moment.seq)) this.#steps.set(moment.seq, moment);
  }

  #subscribe({ sub, window, on = {} }: Extract<Operation, { op: "subscribe" }>): void {
    let n = 0;
    let told = -1;
    const subscriber = async (delivery: PodDelivery): Promise<void> => {
      n += 1;
      const steps: StoreState[] = [];
      for (let seq = Math.max(told + 1, delivery.fromSeq); seq <= delivery.seq; seq += 1) {
        const step = this.#steps.get(seq);
        if (step) steps.push(step);
      }
      told = delivery.seq;
      const callback: Callback = {
        sub,
        n,
        start: this.now,
        end: undefined,
        threw: false,
        steps,
        lastList: delivery.lastList === undefined ? 0 : delivery.lastList.at - this.#began,
        endings: delivery.endings,
        isFlush: this.#stopping,
      };
      this.callbacks.push(callback);
      this.#pool.enter();
      try {
        await this.run(on[String(n)] ?? []);
      } catch (error) {
        callback.threw = true;
        throw error;
      } finally {
        callback.end = this.now;
        this.#pool.leave();
      }
    };
    try {
      this.store.subscribe(subscriber, { intervalMs: window, ticks: true });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

/** A clock that wakes its sleepers one after another, and only while a thread is free. */
class ThreadPool implements Clock {
  readonly #clock: VirtualClock;
  readonly #threads: number;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];
  #isWaking = false;

  constructor(clock: VirtualClock, threads: number) {
    this.#clock = clock;
    this.#threads = threads;
  }

  now(): number {
    return this.#clock.now();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, signal);
    if (this.#busy < this.#threads && this.#waiting.length === 0 && !this.#isWaking) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    signal.throwIfAborted();
  }

  enter(): void {
    this.#busy += 1;
  }

  leave(): void {
    this.#busy -= 1;
    void this.#wakeOthers();
  }

  async #wakeOthers(): Promise<void> {
    if (this.#isWaking) return;
    this.#isWaking = true;
    await Promise.resolve();
    while (this.#busy < this.#threads) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      next();
      for (let times = 0; times < 8; times += 1) await Promise.resolve();
    }
    this.#isWaking = false;
  }
}

const keyOf = ({ uid, resourceVersion }: PodRecord): string => `${uid}@${resourceVersion}`;

/** Orders timers like Spark's thread pool, where a periodic task keeps the position of its first run. */
function inPlace(): (order: number, ms: number, signal: AbortSignal) => number {
  const places = new Map<AbortSignal, number>();
  return (order, ms, signal) => {
    const first = places.get(signal) ?? order;
    places.set(signal, first);
    return ms > 0 ? first : order;
  };
}
const ignore = (): void => undefined;
