// Checks the content of the store after any changes and lists. The numbers refer to the store's contract.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PodStore } from "../../../src/engine/watch/podStore.ts";
import { sparkPodSelector } from "../../../src/spark/labels.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import { sparkState, sparkStateRules } from "../../../src/spark/pods/executorState.ts";
import { PodListing, replacePods } from "../../../src/spark/pods/podListing.ts";
import { holderOf } from "../../../src/spark/pods/podNames.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import {
  applyPodEvents,
  emptySnapshot,
  findPod,
  podsOf,
  type PodEvent,
  type PodSnapshot,
  type PodSnapshotStep,
} from "../../../src/spark/pods/podSnapshot.ts";
import { trieValues } from "../../../src/spark/pods/trie.ts";
import { endedFixture, podFixture } from "../pods/podFixture.ts";
import { runs } from "./manyRuns.ts";
import { VirtualClock } from "./virtualClock.ts";

const numRuns = runs(2_000);
const numbers = fc.integer({ min: 0, max: 5 });
const versions = fc.integer({ min: 1, max: 60 });
const kinds = fc.constantFrom("added" as const, "modified" as const, "deleted" as const);
const phases = fc.constantFrom("Pending", "Running", "Succeeded", "Failed");
const pod = (number: number, version: number, phase = "Running"): PodRecord =>
  podFixture({
    uid: `uid-${number}`,
    name: `p-${number}`,
    resourceVersion: String(version),
    phase,
  });
const events: fc.Arbitrary<PodEvent> = fc
  .tuple(kinds, numbers, versions, phases)
  .map(([kind, number, version, phase]) => ({ kind, pod: pod(number, version, phase) }));
const histories = fc.array(events, { maxLength: 25 });
const lists = fc
  .uniqueArray(fc.tuple(numbers, versions), { selector: ([number]) => number, maxLength: 6 })
  .map((pairs) => pairs.map(([number, version]) => pod(number, version)));

const contents = (snapshot: PodSnapshot): string[] =>
  Array.from(podsOf(snapshot), ({ uid, resourceVersion }) => `${uid}@${resourceVersion}`).sort();
const after = (history: readonly PodEvent[]): PodSnapshot =>
  applyPodEvents(emptySnapshot, history).snapshot;

function rig() {
  const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };
  const clock = new VirtualClock();
  return { clock, store: new PodStore({ clock, log }) };
}

test("P16: a list that may lag keeps newer pods of the store; an exact list replaces all", () => {
  fc.assert(
    fc.property(histories, lists, versions, fc.boolean(), (history, list, version, mayLag) => {
      const before = after(history);
      const step = replacePods(before, list, { resourceVersion: String(version), mayLag });
      const told = contents(step.snapshot);
      if (!mayLag) {
        assert.deepEqual(told, list.map((each) => `${each.uid}@${each.resourceVersion}`).sort());
        return;
      }
      const isOf = (listed: PodRecord): boolean => {
        const known = findPod(before, listed.uid);
        return (
          known === undefined || Number(known.resourceVersion) <= Number(listed.resourceVersion)
        );
      };
      const listed = new Set(list.map(({ uid }) => uid));
      for (const each of podsOf(before)) {
        const stays = listed.has(each.uid) || Number(each.resourceVersion) > version;
        assert.equal(findPod(step.snapshot, each.uid) !== undefined, stays);
      }
      for (const each of list) {
        const now = findPod(step.snapshot, each.uid);
        if (now && isOf(each)) assert.equal(now.resourceVersion, each.resourceVersion);
      }
      const gone = step.endings
        .filter(({ kind }) => kind === "gone")
        .map(({ pod: { uid } }) => uid);
      assert.equal(new Set(gone).size, gone.length);
    }),
    { numRuns },
  );
});

test("P17: rejects a list that may lag if it is older than the last one; accepts one of the same version or without a numeric version", () => {
  fc.assert(
    fc.property(versions, versions, lists, lists, (first, second, one, other) => {
      const { store } = rig();
      store.replace(one, { resourceVersion: String(first), mayLag: false });
      const before = store.moment;
      const isTaken = store.replace(other, { resourceVersion: String(second), mayLag: true });
      assert.equal(isTaken, second >= first);
      if (!isTaken) assert.equal(store.moment, before);
      assert.ok(store.replace(other, { resourceVersion: "none", mayLag: true }));
      store.dispose();
    }),
    { numRuns },
  );
});

test("P18: an abandoned list removes nothing and does not count as the last list", () => {
  fc.assert(
    fc.property(histories, lists, (history, list) => {
      const { store } = rig();
      store.apply(history);
      const before = store.moment;
      const incoming = store.beginList(false);
      for (const each of list) incoming.take(each);
      assert.equal(store.moment, before);
      store.dispose();
    }),
    { numRuns: runs(500) },
  );
});

test("a list has the same result however watch events interleave with it", () => {
  fc.assert(
    fc.property(histories, histories, lists, (history, meanwhile, list) => {
      const { store } = rig();
      store.apply(history);
      const incoming = store.beginList(false);
      for (const [index, each] of list.entries()) {
        incoming.take(each);
        store.apply(meanwhile.slice(index, index + 1));
      }
      incoming.end("100");
      assert.deepEqual(
        contents(store.snapshot),
        list.map((each) => `${each.uid}@${each.resourceVersion}`).sort(),
      );
      store.dispose();
    }),
    { numRuns },
  );
});

test("P20: known states change nothing and cause no delivery", () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { store } = rig();
      store.apply(history);
      const { seq } = store.moment;
      store.apply(history.filter(({ kind }) => kind !== "deleted"));
      store.replace([...podsOf(store.snapshot)], { resourceVersion: "100", mayLag: true });
      assert.equal(store.moment.seq, seq);
      store.dispose();
    }),
    { numRuns },
  );
});

test("P21: a deletion delivers the last state; older events do not restore the pod", () => {
  fc.assert(
    fc.property(histories, numbers, phases, fc.array(events), (history, number, phase, late) => {
      const known = applyPodEvents(after(history), [{ kind: "added", pod: pod(number, 70) }]);
      const last = pod(number, 80, phase);
      const step = applyPodEvents(known.snapshot, [{ kind: "deleted", pod: last }]);
      assert.equal(findPod(step.snapshot, last.uid), undefined);
      const isFinal = phase === "Succeeded" || phase === "Failed";
      const told = [...(isFinal ? [phase.toLowerCase()] : []), "gone"];
      assert.deepEqual(
        step.endings.map(({ kind, pod: each }) => [kind, each]),
        told.map((kind) => [kind, last]),
      );
      const older = late.filter(({ pod: { uid } }) => uid === last.uid);
      assert.equal(applyPodEvents(step.snapshot, older).snapshot.pods, step.snapshot.pods);
    }),
    { numRuns },
  );
});

test("P22: of two pods with one name the older counts as deleted", () => {
  const named = (uid: string, version: number): PodRecord =>
    podFixture({ uid, name: "same", resourceVersion: String(version) });
  const added = (...pods: readonly PodRecord[]): PodEvent[] =>
    pods.map((each) => ({ kind: "added", pod: each }));
  const [old, young] = [named("old", 10), named("young", 20)];
  const elsewhere = { ...old, uid: "elsewhere", namespace: "other" };

  const step = applyPodEvents(emptySnapshot, added(old, elsewhere, young));
  assert.deepEqual(contents(step.snapshot), ["elsewhere@10", "young@20"]);
  assert.deepEqual(step.endings, [{ kind: "gone", pod: old }]);
  const late: PodEvent[] = [
    { kind: "modified", pod: named("old", 11) },
    { kind: "deleted", pod: named("old", 12) },
  ];
  const told = applyPodEvents(step.snapshot, late);
  assert.deepEqual([contents(told.snapshot), told.endings], [contents(step.snapshot), []]);
  assert.deepEqual(contents(after(added(young, old))), ["young@20"], "news of before");

  const known = after(added(old));
  const list = (resourceVersion: string, mayLag: boolean, ...pods: readonly PodRecord[]) =>
    replacePods(known, pods, { resourceVersion, mayLag });
  const replaced = list("30", false, young);
  assert.deepEqual(contents(replaced.snapshot), ["young@20"]);
  assert.deepEqual(replaced.endings, [{ kind: "gone", pod: old }]);
  const lagging = list("9", true, named("older", 5));
  assert.deepEqual([contents(lagging.snapshot), lagging.endings], [["old@10"], []]);
  assert.deepEqual(contents(list("30", false, old, young).snapshot), ["young@20"], "it came");
  assert.deepEqual(contents(list("30", false, young, old).snapshot), ["young@20"], "it went");
});

test("P22: after any changes each name belongs to one pod", () => {
  const named = fc
    .tuple(kinds, numbers, fc.integer({ min: 0, max: 2 }), versions)
    .map(([kind, number, name, version]): PodEvent => {
      return {
        kind,
        pod: { ...pod(number, version), uid: `${name}-${number}`, name: `n-${name}` },
      };
    });
  const step = fc.oneof(
    fc.record({ events: fc.array(named, { maxLength: 4 }) }),
    fc.record({ list: fc.array(named, { maxLength: 5 }), mayLag: fc.boolean(), version: versions }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      let snapshot = emptySnapshot;
      for (const each of steps) {
        const pods = new Map(Array.from(podsOf(snapshot), (one) => [one.uid, one.resourceVersion]));
        let next: PodSnapshotStep;
        if ("events" in each) next = applyPodEvents(snapshot, each.events);
        else {
          const listing = new PodListing(snapshot, each.mayLag);
          for (const { kind, pod: one } of each.list) {
            if (kind === "deleted") listing.drop(one);
            else listing.take(one);
          }
          next = listing.end({ resourceVersion: String(each.version) });
        }
        snapshot = next.snapshot;
        const held = [...podsOf(snapshot)];
        const named = [...trieValues(snapshot.names)].flatMap((there) => [...trieValues(there)]);
        assert.equal(new Set(held.map(({ name }) => name)).size, held.length);
        assert.equal(snapshot.size, held.length);
        for (const one of held) assert.equal(holderOf(snapshot.names, one), one.uid);
        assert.equal(named.length, held.length, "no name is left behind");
        const gone = next.endings.filter(({ kind }) => kind === "gone").map((end) => end.pod.uid);
        for (const uid of pods.keys()) {
          if (!findPod(snapshot, uid)) assert.ok(gone.includes(uid), `${uid} went untold`);
        }
      }
    }),
    { numRuns },
  );
});

test("P23: a pod with a new executor id stays one pod, and its former id is empty", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), (ids) => {
      const history = ids.map((id, index): PodEvent => ({
        kind: "modified",
        pod: podFixture({
          resourceVersion: String(index + 1),
          labels: { "spark-exec-id": `${id}` },
        }),
      }));
      const held = [...podsOf(after(history))].map(({ labels }) => labels["spark-exec-id"]);
      assert.deepEqual(held, [String(ids.at(-1))]);
    }),
    { numRuns: runs(200) },
  );
});

test("P25: events of different pods may come in any order", () => {
  fc.assert(
    fc.property(
      histories.chain((history) =>
        fc.tuple(fc.constant(history), fc.array(fc.nat(), { minLength: 30, maxLength: 30 })),
      ),
      ([history, choices]) => {
        const queues = new Map<string, PodEvent[]>();
        for (const event of history) {
          queues.set(event.pod.uid, [...(queues.get(event.pod.uid) ?? []), event]);
        }
        const mixed: PodEvent[] = [];
        for (const choice of choices) {
          const open = [...queues.values()].filter((queue) => queue.length > 0);
          const next = open[choice % Math.max(1, open.length)]?.shift();
          if (next) mixed.push(next);
        }
        for (const queue of queues.values()) mixed.push(...queue);
        const [one, other] = [history, mixed].map((told) => applyPodEvents(emptySnapshot, told));
        assert.ok(one && other);
        assert.deepEqual(contents(one.snapshot), contents(other.snapshot));
        const ends = (step: typeof one): string[] =>
          step.endings.map(({ kind, pod: { uid } }) => `${kind} ${uid}`).sort();
        assert.deepEqual(ends(one), ends(other));
      },
    ),
    { numRuns },
  );
});

test("P28: includes executors that Spark keeps for debugging", () => {
  assert.doesNotMatch(sparkPodSelector, /inactive/);
});

test("P29: a pod's state does not depend on its history", () => {
  fc.assert(
    fc.property(phases, fc.integer({ min: 0, max: 255 }), fc.boolean(), (phase, code, leaves) => {
      const make = (): PodRecord =>
        podFixture({
          phase,
          containers: [endedFixture(code)],
          deletionTimestamp: leaves ? "2026-01-02T03:04:05Z" : undefined,
        });
      const one = Object.freeze(make());
      assert.deepEqual(displayState(one), displayState(make()));
      assert.equal(sparkState(one, sparkStateRules), sparkState(make(), sparkStateRules));
      assert.deepEqual(one, make());
    }),
    { numRuns: runs(300) },
  );
});

test("a pod that is deleted during a list ends with its state at the deletion", () => {
  const known = after([{ kind: "added", pod: pod(1, 5) }]);
  const listing = new PodListing(known, false);
  listing.take(pod(1, 5));
  listing.drop(pod(1, 8, "Failed"));
  const { snapshot, endings } = listing.end({ resourceVersion: "9" });
  assert.equal(snapshot.size, 0);
  assert.deepEqual(endings, [{ kind: "gone", pod: pod(1, 8, "Failed") }]);
});
