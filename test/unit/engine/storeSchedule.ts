// Generates and runs random schedules on a store: changes, subscribers, notify calls and failures.
import fc from "fast-check";
import type { Disposable } from "../../../src/base/disposable.ts";
import { PodStore } from "../../../src/engine/watch/podStore.ts";
import type { PodDelivery, StoreState } from "../../../src/engine/watch/podSubscription.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { podsOf, type PodChanges, type PodEnding } from "../../../src/spark/pods/podSnapshot.ts";
import { podFixture } from "../pods/podFixture.ts";
import { VirtualClock } from "./virtualClock.ts";

export type Step =
  | { readonly do: "put"; readonly uid: string; readonly phase: string }
  | { readonly do: "remove"; readonly uid: string }
  | { readonly do: "list"; readonly uids: readonly string[] }
  | { readonly do: "advance" | "slow"; readonly ms: number }
  | { readonly do: "subscribe"; readonly intervalMs: number; readonly ticks: boolean }
  | { readonly do: "unsubscribe" | "notify" | "fail" };

export interface Told {
  readonly start: number;
  end: number;
  threw: boolean;
  readonly delivery: PodDelivery;
  readonly changes: readonly PodChanges[];
  /** Number of `notify` calls since the previous delivery. */
  readonly notified: number;
}

export interface Subscriber {
  readonly intervalMs: number;
  readonly ticks: boolean;
  readonly since: StoreState;
  readonly sinceTime: number;
  readonly told: Told[];
  until: number;
  fails: boolean;
  slowMs: number;
  notified: number;
  readonly subscription: Disposable;
}

export interface Outcome {
  readonly store: PodStore;
  readonly clock: VirtualClock;
  readonly subscribers: readonly Subscriber[];
  /** The content of the store after each change, by sequence number. */
  readonly moments: ReadonlyMap<number, StoreState>;
  /**
   * The expected endings of pods, each with the sequence number of its change. Computed by comparing all pods after
   * each change.
   */
  readonly ends: readonly { readonly seq: number; readonly ending: PodEnding }[];
  readonly errors: readonly unknown[];
}

const uids = fc.integer({ min: 0, max: 5 }).map((number) => `uid-${number}`);
const phases = fc.constantFrom("Pending", "Running", "Running", "Succeeded", "Failed");
const change: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("put" as const), uid: uids, phase: phases }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), uid: uids }) },
  fc.record({ do: fc.constant("list" as const), uids: fc.uniqueArray(uids, { maxLength: 4 }) }),
);
const pause: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("advance" as const),
  ms: fc.constantFrom(0, 1, 50, 100, 350),
});
const subscribe: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("subscribe" as const),
  intervalMs: fc.constantFrom(10, 100, 250),
  ticks: fc.boolean(),
});
const trouble: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("slow" as const), ms: fc.constantFrom(20, 300) }),
  fc.record({ do: fc.constantFrom("unsubscribe" as const, "notify" as const, "fail" as const) }),
);

/** Generates changes and pauses. `hasTrouble` adds failures, slow subscribers, notify calls and unsubscribing. */
export const schedules = (hasTrouble: boolean): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: change },
      { weight: 4, arbitrary: pause },
      { weight: 1, arbitrary: subscribe },
      ...(hasTrouble ? [{ weight: 2, arbitrary: trouble }] : []),
    ),
    { maxLength: 22 },
  );

export const mistake = new Error("as asked");

/** Runs the schedule, waits until all subscribers are idle, then ends all of them. */
export async function play(script: readonly Step[]): Promise<Outcome> {
  const clock = new VirtualClock();
  const errors: unknown[] = [];
  const log = {
    debug: () => undefined,
    warn: () => undefined,
    error: (error: unknown) => void errors.push(error),
  };
  const store = new PodStore({ clock, log });
  const subscribers: Subscriber[] = [];
  const moments = new Map<number, StoreState>([[0, store.moment]]);
  const ends: { seq: number; ending: PodEnding }[] = [];
  let version = 0;

  const noteEnds = (before: StoreState): void => {
    const { seq, snapshot } = store.moment;
    if (seq === before.seq) return;
    moments.set(seq, store.moment);
    const old = new Map(Array.from(podsOf(before.snapshot), (pod) => [pod.uid, pod]));
    for (const pod of podsOf(snapshot)) {
      const kind = pod.phase?.toLowerCase();
      const isEnd = kind === "succeeded" || kind === "failed";
      if (isEnd && old.get(pod.uid)?.phase !== pod.phase) ends.push({ seq, ending: { kind, pod } });
      old.delete(pod.uid);
    }
    for (const pod of old.values()) ends.push({ seq, ending: { kind: "gone", pod } });
  };
  const podOf = (uid: string, phase = "Running"): PodRecord =>
    podFixture({ uid, phase, resourceVersion: String((version += 1)) });

  const take = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "put":
        store.apply([{ kind: "modified", pod: podOf(step.uid, step.phase) }]);
        return;
      case "remove":
        store.apply([{ kind: "deleted", pod: podOf(step.uid) }]);
        return;
      case "list":
        store.replace(
          step.uids.map((uid) => podOf(uid)),
          { resourceVersion: String((version += 1)), mayLag: false },
        );
        return;
      case "advance":
        await clock.advance(step.ms);
        return;
      case "subscribe":
        subscribers.push(subscribeTo(store, clock, step.intervalMs, step.ticks));
        return;
      case "unsubscribe": {
        const leaving = subscribers.find(({ until }) => until === Infinity);
        if (leaving) leaving.until = clock.now();
        leaving?.subscription.dispose();
        return;
      }
      case "notify":
        for (const subscriber of subscribers) subscriber.notified += 1;
        store.notify();
        return;
      case "fail":
        for (const subscriber of subscribers.slice(0, 1)) subscriber.fails = true;
        return;
      case "slow":
        for (const subscriber of subscribers.slice(0, 1)) subscriber.slowMs = step.ms;
    }
  };
  for (const step of script) {
    const before = store.moment;
    await take(step);
    noteEnds(before);
  }
  await clock.advance(2_000);
  store.dispose();
  await clock.advance(1_000);
  return { store, clock, subscribers, moments, ends, errors };
}

function subscribeTo(
  store: PodStore,
  clock: VirtualClock,
  intervalMs: number,
  ticks: boolean,
): Subscriber {
  const subscriber: Subscriber = {
    intervalMs,
    ticks,
    since: store.moment,
    sinceTime: clock.now(),
    told: [],
    until: Infinity,
    fails: false,
    slowMs: 0,
    notified: 0,
    subscription: store.subscribe(hear, { intervalMs, ticks }),
  };
  return subscriber;

  async function hear(delivery: PodDelivery): Promise<void> {
    const told: Told = {
      start: clock.now(),
      end: Infinity,
      threw: false,
      delivery,
      changes: [...delivery.changes()],
      notified: subscriber.notified,
    };
    subscriber.notified = 0;
    subscriber.told.push(told);
    const { slowMs, fails } = subscriber;
    subscriber.slowMs = 0;
    subscriber.fails = false;
    try {
      if (slowMs > 0) await clock.sleep(slowMs, new AbortController().signal);
      if (fails) throw mistake;
    } catch (error) {
      told.threw = true;
      throw error;
    } finally {
      told.end = clock.now();
    }
  }
}
