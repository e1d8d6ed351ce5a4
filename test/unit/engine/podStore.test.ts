import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DisposableStore, type Disposable } from "../../../src/base/disposable.ts";
import { PodStore, type PodDelivery } from "../../../src/engine/podStore.ts";
import { podsOf } from "../../../src/spark/pods/podSnapshot.ts";
import { podFixture } from "../pods/podFixture.ts";
import { unreachable } from "./fakePodServer.ts";
import { VirtualClock } from "./virtualClock.ts";

const intervalMs = 100;

function rig(onError: (error: unknown) => void = unexpected) {
  const clock = new VirtualClock();
  const log = { debug: () => undefined, warn: () => undefined, error: onError };
  const store = new PodStore({ clock, log, intervalMs });
  return { clock, store };
}

function unexpected(error: unknown): void {
  throw error;
}

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

test("the first delivery comes after subscribing, and carries what there is then", async () => {
  const { clock, store } = rig();
  const got: PodDelivery[] = [];
  store.subscribe((delivery) => got.push(delivery));
  assert.equal(got.length, 0, "never inside the call");
  put(store, "a");
  await clock.advance(0);
  assert.deepEqual(got, [
    { snapshot: store.snapshot, changes: undefined, freshness: { kind: "connecting" } },
  ]);
  assert.equal(store.snapshot.size, 1);
  store.dispose();
});

test("a burst is one delivery, and the next comes no sooner than an interval later", async () => {
  const { clock, store } = rig();
  const at: number[] = [];
  const began = clock.now();
  store.subscribe(() => at.push(clock.now() - began));
  await clock.advance(1_000);
  for (let index = 0; index < 500; index += 1) put(store, `u${index}`);
  await clock.advance(10);
  for (let index = 0; index < 500; index += 1) put(store, `u${index}`);
  await clock.advance(1_000);
  assert.deepEqual(at, [0, 1_000, 1_100]);
  store.dispose();
});

test("nothing is delivered when nothing has changed", async () => {
  const { clock, store } = rig();
  let count = 0;
  store.setFreshness({ kind: "live" });
  store.subscribe(() => (count += 1));
  await clock.advance(1_000);
  store.setFreshness({ kind: "live" });
  store.replace([]);
  await clock.advance(1_000);
  assert.equal(count, 1);
  store.dispose();
});

test("a later subscriber is no news to those that were there", async () => {
  const { clock, store } = rig();
  const told: string[] = [];
  store.subscribe(() => told.push("early"));
  await clock.advance(500);
  store.subscribe(() => told.push("late"));
  await clock.advance(500);
  assert.deepEqual(told, ["early", "late"]);
  store.dispose();
});

test("a pod that came and went between two deliveries is told once", async () => {
  const { clock, store } = rig();
  const removed: string[] = [];
  store.subscribe(({ changes }) => {
    for (const { last } of changes?.removed ?? []) removed.push(last.uid);
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

test("freshness is delivered although no pod changed", async () => {
  const { clock, store } = rig();
  const kinds: string[] = [];
  store.subscribe(({ freshness }) => kinds.push(freshness.kind));
  await clock.advance(500);
  store.setFreshness({ kind: "live" });
  await clock.advance(500);
  store.setFreshness({ kind: "stale", since: 1, error: unreachable });
  await clock.advance(500);
  assert.deepEqual(kinds, ["connecting", "live", "stale"]);
  store.dispose();
});

test("a subscriber that throws harms nobody, is heard of, and gets all anew", async () => {
  const errors: unknown[] = [];
  const { clock, store } = rig((error) => errors.push(error));
  const all: boolean[] = [];
  let other = 0;
  const mistake = new Error("mistake");
  store.subscribe(({ changes }) => {
    all.push(changes === undefined);
    if (all.length === 2) throw mistake;
  });
  store.subscribe(() => (other += 1));
  for (const uid of ["a", "b", "c", "d"]) {
    put(store, uid);
    await clock.advance(intervalMs);
  }
  assert.deepEqual(all, [true, false, true, false]);
  assert.equal(other, 4);
  assert.deepEqual(errors, [mistake]);
  store.dispose();
});

test("what a subscriber changes in the store reaches all in the next delivery", async () => {
  const { clock, store } = rig();
  const sizes: [string, number][] = [];
  store.subscribe(({ snapshot }) => {
    sizes.push(["first", snapshot.size]);
    if (snapshot.size === 0) put(store, "a");
  });
  store.subscribe(({ snapshot }) => sizes.push(["second", snapshot.size]));
  await clock.advance(500);
  assert.deepEqual(sizes, [
    ["first", 0],
    ["second", 0],
    ["first", 1],
    ["second", 1],
  ]);
  store.dispose();
});

test("a subscriber may end its own subscription, or another's, while it is told", async () => {
  const { clock, store } = rig();
  const subscriptions = new DisposableStore();
  let told = 0;
  subscriptions.add(
    store.subscribe(() => {
      told += 1;
      subscriptions.dispose();
    }),
  );
  subscriptions.add(store.subscribe(() => (told += 100)));
  await clock.advance(500);
  put(store, "a");
  await clock.advance(500);
  assert.equal(told, 1);
  store.dispose();
});

test("after dispose nobody is told of anything", async () => {
  const { clock, store } = rig();
  let told = 0;
  store.subscribe(() => (told += 1));
  put(store, "a");
  store.dispose();
  put(store, "b");
  store.setFreshness({ kind: "live" });
  await clock.advance(1_000);
  assert.equal(told, 0);
  assert.equal(clock.pending, 0);
});

const uids = fc.integer({ min: 0, max: 4 }).map((number) => `uid-${number}`);
const operations = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom("put", "remove"), uid: uids }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("advance"), ms: fc.constantFrom(0, 1, 40, 100, 300) }),
  },
  fc.record({ do: fc.constantFrom("subscribe", "unsubscribe", "fail", "replace") }),
);

const asAsked = new Error("as asked");

/** Folds what it is told; throws when it is told to. */
class Mirror {
  readonly pods = new Map<string, string>();
  deliveries = 0;
  fails = false;
  #isFirst = true;
  #lastAt = -Infinity;

  take({ snapshot, changes }: PodDelivery, now: number): void {
    assert.ok(now - this.#lastAt >= intervalMs, "at most one delivery an interval");
    this.#lastAt = now;
    this.deliveries += 1;
    if (this.fails) {
      this.fails = false;
      this.#isFirst = true;
      throw asAsked;
    }
    assert.equal(changes === undefined, this.#isFirst);
    this.#isFirst = false;
    if (changes === undefined) {
      this.pods.clear();
      for (const { uid, resourceVersion } of podsOf(snapshot)) this.pods.set(uid, resourceVersion);
      return;
    }
    for (const { uid, resourceVersion } of changes.added) {
      assert.ok(!this.pods.has(uid));
      this.pods.set(uid, resourceVersion);
    }
    for (const { before, after } of changes.modified) {
      assert.equal(this.pods.get(before.uid), before.resourceVersion);
      this.pods.set(after.uid, after.resourceVersion);
    }
    for (const { before, last } of changes.removed) {
      assert.equal(this.pods.get(last.uid), before?.resourceVersion);
      this.pods.delete(last.uid);
    }
    assert.equal(this.pods.size, snapshot.size, "the changes lead to the snapshot");
  }
}

test("on any schedule every subscriber ends with what the store holds, and each change comes once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operations, { maxLength: 40 }), async (script) => {
      const { clock, store } = rig((error) => {
        if (error !== asAsked) failures.push(error);
      });
      const failures: unknown[] = [];
      const mirrors: { readonly mirror: Mirror; readonly subscription: Disposable }[] = [];
      for (const operation of script) {
        if ("uid" in operation) (operation.do === "put" ? put : remove)(store, operation.uid);
        else if ("ms" in operation) await clock.advance(operation.ms);
        else if (operation.do === "subscribe") {
          const mirror = new Mirror();
          const subscription = store.subscribe((delivery) => {
            mirror.take(delivery, clock.now());
          });
          mirrors.push({ mirror, subscription });
        } else if (operation.do === "unsubscribe") mirrors.shift()?.subscription.dispose();
        else if (operation.do === "replace") {
          store.replace([podFixture({ uid: "uid-1", resourceVersion: nextVersion() })]);
        } else for (const { mirror } of mirrors) mirror.fails = mirror.deliveries > 0;
      }
      // A subscriber that failed last hears again with the next news.
      put(store, "last");
      await clock.advance(1_000);
      put(store, "very last");
      await clock.advance(1_000);
      assert.deepEqual(failures, []);
      for (const { mirror } of mirrors) {
        assert.deepEqual(
          [...mirror.pods].sort(),
          Array.from(podsOf(store.snapshot), (pod) => [pod.uid, pod.resourceVersion]).sort(),
        );
      }
      store.dispose();
    }),
    { numRuns: 300 },
  );
});
