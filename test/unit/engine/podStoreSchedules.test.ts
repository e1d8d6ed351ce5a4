// Checks the guarantees for subscribers under any schedule. The numbers refer to the store's contract.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DisposableStore } from "../../../src/base/disposable.ts";
import { PodStore } from "../../../src/engine/watch/podStore.ts";
import type { PodDelivery } from "../../../src/engine/watch/podSubscription.ts";
import {
  findPod,
  isEmptyChange,
  podsOf,
  type PodSnapshot,
} from "../../../src/spark/pods/podSnapshot.ts";
import { podFixture } from "../pods/podFixture.ts";
import { runs } from "./manyRuns.ts";
import {
  mistake,
  play,
  schedules,
  type Outcome,
  type Step,
  type Subscriber,
  type Told,
} from "./storeSchedule.ts";
import { settle, VirtualClock } from "./virtualClock.ts";

// A subscriber that fails at many deliveries in a row is rare in random schedules.
const failures: readonly Step[] = [1, 2, 3, 4, 5].flatMap((round): Step[] => [
  { do: "fail" },
  { do: "put", uid: `uid-${round}`, phase: "Running" },
  { do: "advance", ms: 100 },
]);

function holds(
  name: string,
  check: (subscriber: Subscriber, outcome: Outcome) => void,
  hasTrouble = true,
): void {
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(schedules(hasTrouble), async (script) => {
        const outcome = await play([{ do: "subscribe", intervalMs: 100, ticks: false }, ...script]);
        for (const subscriber of outcome.subscribers) check(subscriber, outcome);
        assert.equal(outcome.clock.pending, 0, "no timer outlives the store");
      }),
      { numRuns: runs(1_000), examples: hasTrouble ? [[failures]] : [] },
    );
  });
}

const contents = (snapshot: PodSnapshot): string[] =>
  Array.from(podsOf(snapshot), ({ uid, resourceVersion }) => `${uid}@${resourceVersion}`).sort();

const taken = ({ told }: Subscriber): readonly Told[] => told.filter(({ threw }) => !threw);

holds(
  "P1: the first delivery comes after the turn of subscribing, with what there is then",
  (subscriber) => {
    const [first] = subscriber.told;
    if (first === undefined) return;
    assert.ok(first.delivery.isWhole);
    assert.ok(first.delivery.seq >= subscriber.since.seq);
    assert.equal(first.start, subscriber.sinceTime, "before any interval");
  },
);

holds("P2: deliveries follow one another without a gap", ({ told }) => {
  for (const [index, { delivery }] of told.entries()) {
    const before = told[index - 1];
    if (before === undefined) continue;
    if (!before.threw) assert.equal(delivery.fromSeq, before.delivery.seq + 1);
    else if (!delivery.isWhole) assert.equal(delivery.fromSeq, before.delivery.fromSeq);
    assert.ok(delivery.seq >= before.delivery.seq);
  }
});

holds("P3: the changes told lead to just what the store held", (subscriber, { moments }) => {
  const mirror = new Map<string, string>();
  for (const { delivery, changes } of taken(subscriber)) {
    if (delivery.isWhole) mirror.clear();
    for (const { added, modified, removed } of changes) {
      for (const pod of added) {
        assert.ok(!mirror.has(pod.uid));
        mirror.set(pod.uid, pod.resourceVersion);
      }
      for (const { before, after } of modified) {
        assert.equal(mirror.get(before.uid), before.resourceVersion);
        mirror.set(after.uid, after.resourceVersion);
      }
      for (const { before, last } of removed) {
        assert.equal(mirror.get(last.uid), before?.resourceVersion);
        mirror.delete(last.uid);
      }
    }
    const told = Array.from(mirror, ([uid, version]) => `${uid}@${version}`).sort();
    const held = moments.get(delivery.seq);
    assert.ok(held);
    assert.deepEqual(told, contents(held.snapshot));
  }
});

holds("P4: no change is taken twice", (subscriber) => {
  const seen = new Set<number>();
  for (const { delivery } of taken(subscriber)) {
    for (let seq = delivery.fromSeq; seq <= delivery.seq; seq += 1) {
      assert.ok(!seen.has(seq));
      seen.add(seq);
    }
  }
});

holds(
  "P5: every end is told once, though the pod has changed again or is gone",
  (subscriber, { ends }) => {
    for (const { delivery } of taken(subscriber)) {
      // The first snapshot of a new subscriber comes without endings.
      const from = Math.max(delivery.fromSeq, subscriber.since.seq + 1);
      const expected = ends
        .filter(({ seq }) => seq >= from && seq <= delivery.seq)
        .map(({ ending: { kind, pod } }) => `${kind} ${pod.uid}`);
      const told = delivery.endings.map(({ kind, pod }) => `${kind} ${pod.uid}`);
      assert.deepEqual(told.sort(), expected.sort());
    }
  },
);

holds("P6: one entry a pod and delivery, however often it changed", ({ told }) => {
  for (const { changes } of told) {
    const uids = changes.flatMap(({ added, modified, removed }) => [
      ...added.map(({ uid }) => uid),
      ...modified.map(({ after }) => after.uid),
      ...removed.map(({ last }) => last.uid),
    ]);
    assert.equal(new Set(uids).size, uids.length);
  }
});

holds("P7: a subscriber is never told while it is busy", ({ told }) => {
  for (const [index, { start }] of told.entries()) {
    const before = told[index - 1];
    if (before) assert.ok(start >= before.end);
  }
});

holds(
  "P8: what was there when a delivery was forced is told, and in no more calls than were asked for",
  (subscriber, { store }) => {
    const last = subscriber.told.at(-1);
    if (subscriber.until !== Infinity) return;
    assert.equal(last?.delivery.seq, store.moment.seq);
    if (subscriber.ticks) {
      assert.equal(subscriber.notified, 0, "no wish for a delivery is left unanswered");
      return;
    }
    for (const [index, { start }] of subscriber.told.entries()) {
      const before = subscriber.told[index - 1];
      if (!before || start - before.end >= subscriber.intervalMs) continue;
      const wasAsked = subscriber.told.slice(0, index + 1).some(({ notified }) => notified > 0);
      assert.ok(wasAsked, "sooner than its interval only when forced");
    }
  },
);

holds("P9: nobody is told of nothing who has not asked for ticks", ({ ticks, told }) => {
  if (ticks) return;
  for (const [index, { delivery, changes }] of told.entries()) {
    if (index > 0 && !delivery.isWhole && !told[index - 1]?.threw) {
      // Between two deliveries a pod may return to an earlier state, with a newer version.
      assert.ok(changes.some((slice) => !isEmptyChange(slice)) || delivery.endings.length > 0);
    }
  }
});

test("P10: with ticks each interval without changes has one call", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 3_000 }),
      async (intervalMs, ms) => {
        const { clock, store } = rig();
        let calls = 0;
        store.subscribe(() => void (calls += 1), { intervalMs, ticks: true });
        await clock.advance(0);
        await clock.advance(Math.min(ms, intervalMs * 40));
        assert.equal(calls, 1 + Math.floor(Math.min(ms, intervalMs * 40) / intervalMs));
        store.dispose();
      },
    ),
    { numRuns: runs(150) },
  );
});

holds(
  "P11: an interval begins when the delivery before it is over",
  ({ intervalMs, told }) => {
    for (const [index, { start }] of told.entries()) {
      const before = told[index - 1];
      if (before) assert.ok(start - before.end >= intervalMs);
    }
  },
  false,
);

test("P12: a subscriber that always fails does not affect others", async () => {
  await fc.assert(
    fc.asyncProperty(schedules(false), async (script) => {
      const observed = async (spoiler: boolean): Promise<unknown> => {
        const fail: Step[] = spoiler ? [{ do: "fail" }] : [];
        const all = script.flatMap((step) => [...fail, step]);
        const subscribe: Step = { do: "subscribe", intervalMs: 100, ticks: false };
        const { subscribers, errors } = await play([subscribe, subscribe, ...all]);
        assert.ok(errors.every((error) => error === mistake));
        return subscribers
          .slice(1)
          .map(({ told, sinceTime }) =>
            told.map(({ start, delivery }) => [start - sinceTime, contents(delivery.snapshot)]),
          );
      };
      assert.deepEqual(await observed(true), await observed(false));
    }),
    { numRuns: runs(200) },
  );
});

holds(
  "P13: what failed is offered again with what is new, once; then everything is",
  ({ told }) => {
    let failed = 0;
    for (const [index, { threw, delivery }] of told.entries()) {
      const before = told[index - 1];
      // After the second failure on the same changes the store drops them, so the next failure counts as the first.
      failed = before?.threw ? (failed % 2) + 1 : 0;
      if (!before?.threw) continue;
      if (failed === 2) {
        assert.ok(delivery.isWhole);
        assert.equal(delivery.fromSeq, before.delivery.seq + 1);
      } else assert.equal(delivery.fromSeq, before.delivery.fromSeq);
      assert.ok(delivery.seq >= before.delivery.seq || threw);
    }
  },
);

test("P14: a stuck subscriber blocks no producer, and P15: needs no more memory than the pods", async () => {
  const { clock, store } = rig();
  store.subscribe(() => new Promise(() => undefined), { intervalMs: 10 });
  await clock.advance(0);
  for (let round = 0; round < 2_000; round += 1) {
    for (let index = 0; index < 50; index += 1) put(store, `uid-${index}`, round * 50 + index);
  }
  const got: PodDelivery[] = [];
  store.subscribe((delivery) => void got.push(delivery), { intervalMs: 10 });
  await clock.advance(0);
  assert.equal([...(got[0]?.changes() ?? [])].flatMap(({ added }) => added).length, 50);
  assert.equal(got[0]?.endings.length, 0);
  store.dispose();
});

holds("P19: the time of the last list never goes back", ({ told }) => {
  let last = -Infinity;
  for (const { delivery, start } of told) {
    const at = delivery.lastList?.at ?? -Infinity;
    assert.ok(at >= last && at <= start);
    last = at;
  }
});

holds(
  "P24: pods that have not changed are the same objects from one delivery to the next",
  ({ told }) => {
    for (const [index, { delivery, changes }] of told.entries()) {
      const before = told[index - 1]?.delivery.snapshot;
      if (before === undefined || delivery.isWhole || told[index - 1]?.threw) continue;
      const touched = new Set(
        changes.flatMap(({ modified, removed }) => [
          ...modified.map(({ after }) => after.uid),
          ...removed.map(({ last }) => last.uid),
        ]),
      );
      for (const pod of podsOf(before)) {
        if (!touched.has(pod.uid)) assert.equal(findPod(delivery.snapshot, pod.uid), pod);
      }
    }
  },
);

test("P26: after dispose or stop no call starts and nothing changes", async () => {
  await fc.assert(
    fc.asyncProperty(
      schedules(true),
      schedules(true),
      fc.boolean(),
      async (script, after, stops) => {
        const { clock, store } = rig();
        let isOver = false;
        const hear = async (): Promise<void> => {
          assert.ok(!isOver);
          await clock.sleep(5, new AbortController().signal);
        };
        store.subscribe(hear, { intervalMs: 10 });
        store.subscribe(hear, { intervalMs: 30, ticks: true });
        for (const [index] of script.entries()) {
          put(store, `uid-${index}`, index);
          await clock.advance(index % 3);
        }
        if (stops) await clock.advanceUntil(store.stop());
        else store.dispose();
        isOver = true;
        const { moment } = store;
        for (const [index] of after.entries()) put(store, `late-${index}`, 1_000 + index);
        store.notify();
        store.dispose();
        await store.stop();
        await clock.advance(500);
        assert.equal(store.moment, moment);
        assert.equal(clock.pending, 0);
      },
    ),
    { numRuns: runs(200) },
  );
});

test("P27: a subscriber may unsubscribe in its own call without affecting others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), async (leavesAt) => {
      const { clock, store } = rig();
      const owned = new DisposableStore();
      let [calls, others] = [0, 0];
      const leave = (): void => {
        calls += 1;
        if (calls === leavesAt) owned.dispose();
      };
      owned.add(store.subscribe(leave, { intervalMs: 10 }));
      store.subscribe(() => void (others += 1), { intervalMs: 10 });
      for (let index = 0; index < 8; index += 1) {
        put(store, "u", index);
        await clock.advance(10);
      }
      assert.deepEqual([calls, others], [leavesAt, 8]);
      store.dispose();
    }),
    { numRuns: runs(50) },
  );
});

test("P30: ten thousand changes in one turn are one call per subscriber", async () => {
  const { clock, store } = rig();
  const calls: number[] = [];
  for (const index of [0, 1]) {
    store.subscribe(({ snapshot }) => void calls.push(index * 100_000 + snapshot.size), {
      intervalMs: 100,
    });
  }
  for (let index = 0; index < 10_000; index += 1) put(store, `uid-${index}`, index);
  await settle();
  await clock.advance(1_000);
  assert.deepEqual(calls, [10_000, 110_000]);
  store.dispose();
});

function rig() {
  const clock = new VirtualClock();
  const log = {
    debug: () => undefined,
    warn: () => undefined,
    error: (error: unknown) => {
      throw error;
    },
  };
  return { clock, store: new PodStore({ clock, log }) };
}

function put(store: PodStore, uid: string, version: number): void {
  const pod = podFixture({ uid, resourceVersion: String(version + 1) });
  store.apply([{ kind: "modified", pod }]);
}
