import assert from "node:assert/strict";
import { test } from "node:test";
import { DisposableStore, type Disposable } from "../../../../src/base/disposable.ts";
import { PodStore } from "../../../../src/engine/watch/podStore.ts";
import type {
  Freshness,
  PodDelivery,
  PodSubscriber,
} from "../../../../src/engine/watch/podSubscription.ts";
import { podFixture } from "../../pods/podFixture.ts";
import { unreachable } from "../fakePodServer.ts";
import { VirtualClock } from "../virtualClock.ts";

const intervalMs = 100;
const live: Freshness = { kind: "live", polled: undefined };

function rig(
  onError: (error: unknown) => void = unexpected,
  onWarning: (line: string) => void = unexpected,
) {
  const clock = new VirtualClock();
  const log = { debug: () => undefined, warn: onWarning, error: onError };
  const store = new PodStore({ clock, log });
  return { clock, store };
}

function unexpected(error: unknown): void {
  throw error;
}

const subscribe = (store: PodStore, subscriber: PodSubscriber): Disposable =>
  store.subscribe(subscriber, { intervalMs });

const addedBy = ({ changes }: PodDelivery): string[] =>
  [...changes()].flatMap(({ added }) => added.map(({ uid }) => uid)).sort();

let version = 0;
const nextVersion = (): string => String((version += 1));

const put = (store: PodStore, uid: string): void => {
  const pod = podFixture({ uid, resourceVersion: nextVersion() });
  store.apply([{ kind: "modified", pod }]);
};

const remove = (store: PodStore, uid: string): void => {
  const pod = podFixture({ uid, resourceVersion: nextVersion() });
  store.apply([{ kind: "deleted", pod }]);
};

test("the first delivery is asynchronous and contains the current snapshot", async () => {
  const { clock, store } = rig();
  const got: PodDelivery[] = [];
  subscribe(store, (delivery) => void got.push(delivery));
  assert.equal(got.length, 0, "never inside the call");
  put(store, "a");
  await clock.advance(0);
  const [first] = got;
  assert.equal(first?.snapshot, store.snapshot);
  assert.equal(first.isWhole, true);
  assert.deepEqual(addedBy(first), ["a"]);
  assert.deepEqual([got.length, first.freshness.kind], [1, "connecting"]);
  store.dispose();
});

test("delivers a burst once, and again an interval later at the earliest", async () => {
  const { clock, store } = rig();
  const at: number[] = [];
  const began = clock.now();
  subscribe(store, () => void at.push(clock.now() - began));
  await clock.advance(1_000);
  for (let index = 0; index < 500; index += 1) put(store, `u${index}`);
  await clock.advance(10);
  for (let index = 0; index < 500; index += 1) put(store, `u${index}`);
  await clock.advance(1_000);
  assert.deepEqual(at, [0, 1_000, 1_100]);
  store.dispose();
});

test("delivers nothing without changes", async () => {
  const { clock, store } = rig();
  let count = 0;
  store.setFreshness(live);
  subscribe(store, () => void (count += 1));
  await clock.advance(1_000);
  store.setFreshness(live);
  store.replace([], { resourceVersion: "1", mayLag: false });
  await clock.advance(1_000);
  assert.equal(count, 1);
  store.dispose();
});

test("a new subscriber causes no delivery to others", async () => {
  const { clock, store } = rig();
  const told: string[] = [];
  subscribe(store, () => void told.push("early"));
  await clock.advance(500);
  subscribe(store, () => void told.push("late"));
  await clock.advance(500);
  assert.deepEqual(told, ["early", "late"]);
  store.dispose();
});

test("reports a pod that was added and deleted between two deliveries once", async () => {
  const { clock, store } = rig();
  const removed: string[] = [];
  subscribe(store, ({ changes }) => {
    for (const slice of changes()) for (const { last } of slice.removed) removed.push(last.uid);
  });
  await clock.advance(500);
  put(store, "brief");
  remove(store, "brief");
  await clock.advance(500);
  put(store, "other");
  await clock.advance(500);
  assert.deepEqual(removed, ["brief"]);
  store.dispose();
});

test("delivers a change of freshness without a change of pods", async () => {
  const { clock, store } = rig();
  const kinds: string[] = [];
  subscribe(store, ({ freshness }) => void kinds.push(freshness.kind));
  await clock.advance(500);
  store.setFreshness(live);
  await clock.advance(500);
  store.setFreshness({ kind: "stale", since: 1, error: unreachable });
  await clock.advance(500);
  assert.deepEqual(kinds, ["connecting", "live", "stale"]);
  store.dispose();
});

test("logs a failing subscriber, offers it the same changes with newer ones, and does not affect others", async () => {
  const errors: unknown[] = [];
  const { clock, store } = rig((error) => errors.push(error));
  const offered: string[][] = [];
  let other = 0;
  const mistake = new Error("mistake");
  subscribe(store, (delivery) => {
    offered.push(addedBy(delivery));
    if (offered.length === 2) throw mistake;
  });
  subscribe(store, () => void (other += 1));
  for (const uid of ["a", "b", "c", "d"]) {
    put(store, uid);
    await clock.advance(uid === "b" ? intervalMs / 2 : intervalMs);
  }
  assert.deepEqual(offered, [["a"], ["b"], ["b", "c"], ["d"]]);
  assert.equal(other, 4);
  assert.deepEqual(errors, [mistake]);
  store.dispose();
});

test("delivers everything to a subscriber that failed twice on the same pods", async () => {
  const warnings: string[] = [];
  const { clock, store } = rig(
    () => undefined,
    (line) => warnings.push(line),
  );
  const offered: [string[], boolean][] = [];
  subscribe(store, (delivery) => {
    offered.push([addedBy(delivery), delivery.isWhole]);
    if (offered.length === 2 || offered.length === 3) throw new Error("mistake");
  });
  put(store, "a");
  await clock.advance(intervalMs);
  put(store, "b");
  await clock.advance(5 * intervalMs);
  assert.equal(offered.length, 3, "nothing is offered for ever");
  put(store, "c");
  await clock.advance(5 * intervalMs);
  assert.deepEqual(offered, [
    [["a"], true],
    [["b"], false],
    [["b"], false],
    [["a", "b", "c"], true],
  ]);
  assert.equal(warnings.length, 1);
  store.dispose();
});

test("a slow subscriber gets no further delivery until it is done, and does not delay others", async () => {
  const { clock, store } = rig();
  const slow: [number, string[]][] = [];
  let quick = 0;
  const began = clock.now();
  subscribe(store, async (delivery) => {
    slow.push([clock.now() - began, addedBy(delivery)]);
    await clock.sleep(1_000, new AbortController().signal);
  });
  subscribe(store, () => void (quick += 1));
  for (let index = 0; index < 10; index += 1) {
    put(store, `u${index}`);
    await clock.advance(intervalMs);
  }
  assert.equal(quick, 10);
  await clock.advance(1_000);
  assert.deepEqual(slow, [
    [0, ["u0"]],
    [1_100, ["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"]],
  ]);
  await clock.advance(1_000);
  store.dispose();
});

test("each subscriber has its own interval, and ticks are delivered without changes", async () => {
  const { clock, store } = rig();
  const told: string[] = [];
  const began = clock.now();
  const note = (name: string) => (): void => {
    told.push(`${name} ${clock.now() - began}`);
  };
  store.subscribe(note("quick"), { intervalMs: 10 });
  store.subscribe(note("ticking"), { intervalMs: 400, ticks: true });
  for (let index = 0; index < 4; index += 1) {
    await clock.advance(200);
    if (index === 1) put(store, "a");
  }
  assert.deepEqual(told, ["quick 0", "ticking 0", "ticking 400", "quick 400", "ticking 800"]);
  store.dispose();
});

test("notify does not wait for the interval and does not move it", async () => {
  const { clock, store } = rig();
  const at: number[] = [];
  const began = clock.now();
  store.subscribe(() => void at.push(clock.now() - began), { intervalMs: 1_000, ticks: true });
  await clock.advance(300);
  store.notify();
  store.notify();
  assert.deepEqual(at, [0], "never inside the call");
  await clock.advance(2_000);
  assert.deepEqual(at, [0, 300, 300, 1_000, 2_000], "who ticks is told as often as was asked for");
  store.dispose();
});

test("stop flushes pending deliveries, and waits for busy subscribers up to the grace period", async () => {
  const { clock, store } = rig();
  const told: string[] = [];
  subscribe(store, async (delivery) => {
    told.push(...addedBy(delivery));
    await clock.sleep(500, new AbortController().signal);
    told.push("done");
  });
  store.subscribe(() => new Promise(() => undefined), { intervalMs });
  put(store, "a");
  await clock.advance(10);
  put(store, "b");
  const stopped = store.stop().then(() => void told.push("stopped"));
  put(store, "too late");
  await clock.advance(19_000);
  assert.deepEqual(told, ["a", "done", "b", "done"]);
  await clock.advance(1_001);
  await stopped;
  assert.deepEqual(told, ["a", "done", "b", "done", "stopped"]);
  await store.stop();
  assert.equal(clock.pending, 0);
});

test("a change made by a subscriber reaches all, including itself, in the next delivery", async () => {
  const { clock, store } = rig();
  const sizes: [string, number][] = [];
  subscribe(store, ({ snapshot }) => {
    sizes.push(["first", snapshot.size]);
    if (snapshot.size === 0) put(store, "a");
  });
  subscribe(store, ({ snapshot }) => void sizes.push(["second", snapshot.size]));
  await clock.advance(500);
  assert.deepEqual(sizes, [
    ["first", 0],
    ["second", 1],
    ["first", 1],
  ]);
  store.dispose();
});

test("a subscriber may dispose its own or another subscription during a delivery", async () => {
  const { clock, store } = rig();
  const subscriptions = new DisposableStore();
  let told = 0;
  subscriptions.add(
    subscribe(store, () => {
      told += 1;
      subscriptions.dispose();
    }),
  );
  subscriptions.add(subscribe(store, () => void (told += 100)));
  await clock.advance(500);
  put(store, "a");
  await clock.advance(500);
  assert.equal(told, 1);
  store.dispose();
});

test("delivers nothing after dispose", async () => {
  const { clock, store } = rig();
  let told = 0;
  subscribe(store, () => void (told += 1));
  put(store, "a");
  store.dispose();
  put(store, "b");
  store.setFreshness(live);
  await clock.advance(1_000);
  assert.equal(told, 0);
  assert.equal(clock.pending, 0);
});

test("a clock that is set back delays no delivery", async () => {
  const { clock, store } = rig();
  const got: PodDelivery[] = [];
  subscribe(store, (delivery) => void got.push(delivery));
  await clock.advance(0);
  clock.setBack(600_000);
  put(store, "a");
  await clock.advance(intervalMs);
  assert.deepEqual(got.flatMap(addedBy), ["a"]);
  store.dispose();
});
