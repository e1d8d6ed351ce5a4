import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import {
  applyPodEvents,
  changesBetween,
  emptySnapshot,
  findPod,
  podsOf,
  type PodChanges,
  type PodEnding,
  type PodEvent,
  type PodSnapshot,
} from "../../../src/spark/pods/podSnapshot.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import { endedFixture, podFixture } from "./podFixture.ts";

const pod = (uid: string, resourceVersion: string, phase = "Running"): PodRecord =>
  podFixture({ uid, resourceVersion, phase });

const added = (uid: string, version: string): PodEvent => ({
  kind: "added",
  pod: pod(uid, version),
});
const deleted = (uid: string, version: string): PodEvent => ({
  kind: "deleted",
  pod: pod(uid, version),
});

const contents = (snapshot: PodSnapshot): string[] =>
  Array.from(podsOf(snapshot), ({ uid, resourceVersion }) => `${uid}@${resourceVersion}`).sort();

/** Generates watch events in order. Each has the next version, because all pods share one counter. */
const histories = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 })), {
    maxLength: 40,
  })
  .map((choices) => {
    const alive = new Set<string>();
    return choices.map(([number, chance], index): PodEvent => {
      const uid = `uid-${number}`;
      const version = String(95 + index);
      if (chance === 0 && alive.delete(uid)) return deleted(uid, version);
      const kind = alive.has(uid) ? "modified" : "added";
      alive.add(uid);
      return { kind, pod: pod(uid, version) };
    });
  })
  // A uid is never reused after deletion.
  .map((events) => {
    const gone = new Set<string>();
    return events.filter(({ kind, pod: { uid } }) => {
      if (gone.has(uid)) return false;
      if (kind === "deleted") gone.add(uid);
      return true;
    });
  });

const whatIsLeft = (events: readonly PodEvent[]): PodRecord[] => {
  const left = new Map<string, PodRecord>();
  for (const event of events) {
    if (event.kind === "deleted") left.delete(event.pod.uid);
    else left.set(event.pod.uid, event.pod);
  }
  return [...left.values()];
};

test("a fold of events equals a replacement with the remaining pods", () => {
  fc.assert(
    fc.property(histories, (events) => {
      const folded = events.reduce(
        (snapshot, event) => applyPodEvents(snapshot, [event]).snapshot,
        emptySnapshot,
      );
      const replaced = replacePods(emptySnapshot, whatIsLeft(events)).snapshot;
      assert.deepEqual(contents(folded), contents(replaced));
      assert.equal(folded.size, replaced.size);
      assert.equal(replacePods(folded, podsOf(replaced)).snapshot, folded);
    }),
  );
});

test("a batch of events has the same effect as single events", () => {
  fc.assert(
    fc.property(histories, (events) => {
      const single = events.reduce(
        (snapshot, event) => applyPodEvents(snapshot, [event]).snapshot,
        emptySnapshot,
      );
      assert.deepEqual(contents(applyPodEvents(emptySnapshot, events).snapshot), contents(single));
    }),
  );
});

test("applying events again changes nothing", () => {
  fc.assert(
    fc.property(histories, (events) => {
      const { snapshot } = applyPodEvents(emptySnapshot, events);
      const again = applyPodEvents(snapshot, events);
      assert.equal(again.snapshot, snapshot);
    }),
  );
});

test("shuffled and repeated events have the same result", () => {
  fc.assert(
    fc.property(
      histories.chain((events) =>
        fc.tuple(
          fc.constant(events),
          fc.shuffledSubarray([...events, ...events], {
            minLength: events.length * 2,
            maxLength: events.length * 2,
          }),
        ),
      ),
      ([events, shuffled]) => {
        const { snapshot } = applyPodEvents(emptySnapshot, shuffled);
        assert.deepEqual(
          contents(snapshot),
          contents(replacePods(emptySnapshot, whatIsLeft(events)).snapshot),
        );
      },
    ),
  );
});

test("change sets transform each snapshot to the next, and unchanged pods stay the same objects", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), histories), { maxLength: 5 }), (steps) => {
      let snapshot = emptySnapshot;
      const mirror = new Map<string, PodRecord>();
      for (const [replaces, events] of steps) {
        const before = snapshot;
        const step = replaces
          ? replacePods(before, whatIsLeft(events))
          : applyPodEvents(before, events);
        snapshot = step.snapshot;
        const changes = changesBetween(before, snapshot, goneOf(step.endings));
        follow(mirror, changes);
        assert.deepEqual(
          [...mirror.keys()].sort(),
          Array.from(podsOf(snapshot), ({ uid }) => uid).sort(),
        );
        for (const [uid, record] of mirror) assert.equal(findPod(snapshot, uid), record);
        const touched = touchedBy(changes);
        for (const record of podsOf(before)) {
          if (!touched.has(record.uid)) assert.equal(findPod(snapshot, record.uid), record);
        }
        assert.equal(step.snapshot === before, step.snapshot.version === before.version);
      }
    }),
  );
});

const goneOf = (endings: readonly PodEnding[]): ReadonlyMap<string, PodRecord> =>
  new Map(endings.filter(({ kind }) => kind === "gone").map(({ pod }) => [pod.uid, pod]));

function follow(mirror: Map<string, PodRecord>, { added, modified, removed }: PodChanges): void {
  for (const record of added) {
    assert.ok(!mirror.has(record.uid), "added only once");
    mirror.set(record.uid, record);
  }
  for (const { before, after } of modified) {
    assert.equal(mirror.get(before.uid), before);
    mirror.set(after.uid, after);
  }
  for (const { before, last } of removed) {
    assert.equal(mirror.get(last.uid), before);
    mirror.delete(last.uid);
  }
}

const touchedBy = ({ added, modified, removed }: PodChanges): ReadonlySet<string> =>
  new Set(
    [...added, ...modified.map(({ after }) => after), ...removed.map(({ last }) => last)].map(
      ({ uid }) => uid,
    ),
  );

test("compares versions as numbers, and takes the later event if they are not numbers", () => {
  const nine = applyPodEvents(emptySnapshot, [added("u", "9")]).snapshot;
  assert.deepEqual(contents(applyPodEvents(nine, [added("u", "10")]).snapshot), ["u@10"]);
  const ten = applyPodEvents(emptySnapshot, [added("u", "10")]).snapshot;
  assert.deepEqual(contents(applyPodEvents(ten, [added("u", "9")]).snapshot), ["u@10"]);
  assert.deepEqual(contents(applyPodEvents(ten, [added("u", "abc")]).snapshot), ["u@abc"]);
});

test("a deletion counts although it has no new resourceVersion", () => {
  const { snapshot } = applyPodEvents(emptySnapshot, [added("u", "5")]);
  const step = applyPodEvents(snapshot, [deleted("u", "5")]);
  assert.deepEqual(contents(step.snapshot), []);
  assert.equal(changesBetween(snapshot, step.snapshot).removed.length, 1);
});

test("a deleted pod is reported with its last state", () => {
  const { snapshot } = applyPodEvents(emptySnapshot, [added("u", "5")]);
  const last = pod("u", "6", "Failed");
  const step = applyPodEvents(snapshot, [{ kind: "deleted", pod: last }]);
  const changes = changesBetween(snapshot, step.snapshot, goneOf(step.endings));
  assert.deepEqual(changes.removed, [{ before: findPod(snapshot, "u"), last }]);
});

test("a pod added and deleted within one batch is reported as removed", () => {
  const step = applyPodEvents(emptySnapshot, [added("u", "5"), deleted("u", "6")]);
  const changes = changesBetween(emptySnapshot, step.snapshot, goneOf(step.endings));
  assert.deepEqual(changes, {
    added: [],
    modified: [],
    removed: [{ before: undefined, last: pod("u", "6") }],
  });
});

test("a stale event does not restore a deleted pod, even after many other deletions", () => {
  let { snapshot } = applyPodEvents(emptySnapshot, [added("u", "5"), deleted("u", "7")]);
  for (let index = 0; index < 5_000; index += 1) {
    snapshot = applyPodEvents(snapshot, [deleted(`other-${index}`, String(10 + index))]).snapshot;
  }
  assert.deepEqual(contents(applyPodEvents(snapshot, [added("u", "6")]).snapshot), []);
});

test("a list replaces newer versions, as after a restored backup", () => {
  const { snapshot } = applyPodEvents(emptySnapshot, [added("u", "500"), added("v", "501")]);
  const step = replacePods(snapshot, [pod("u", "20")]);
  assert.deepEqual(contents(step.snapshot), ["u@20"]);
});

// Recorded on Kubernetes 1.36: the last versions of a pod that ended before it was deleted, and of one that the
// deletion ended.
test("knows whether a container ended before the deletion of its pod", () => {
  const over = [endedFixture(143)];
  const versions = (...all: readonly Partial<PodRecord>[]): readonly PodRecord[] =>
    all.map((fields, index) => podFixture({ resourceVersion: `${10 + index}`, ...fields }));
  const deletionTimestamp = "2026-11-26T11:38:28Z";
  const itself = versions(
    { phase: "Running", containers: over },
    { phase: "Failed", containers: over },
    { phase: "Failed", containers: over, deletionTimestamp },
  );
  const byDeletion = versions(
    { phase: "Running", deletionTimestamp: "2026-11-26T11:38:58Z" },
    { phase: "Failed", containers: over, deletionTimestamp: "2026-11-26T11:38:58Z" },
    { phase: "Failed", containers: over, deletionTimestamp },
  );
  for (const [all, expected] of [
    [itself, "failed"],
    [byDeletion, "stopped"],
  ] as const) {
    const events = all.map((each): PodEvent => ({ kind: "modified", pod: each }));
    const { snapshot } = applyPodEvents(emptySnapshot, events);
    const last = findPod(snapshot, podFixture().uid);
    assert.ok(last);
    assert.equal(displayState(last).kind, expected);
    const listed = all.reduce((known, each) => replacePods(known, [each]).snapshot, emptySnapshot);
    assert.deepEqual(findPod(listed, last.uid), last);
    const gone = applyPodEvents(snapshot, [
      { kind: "deleted", pod: { ...last, resourceVersion: "20" } },
    ]).endings.find(({ kind }) => kind === "gone");
    assert.ok(gone);
    assert.equal(displayState(gone.pod).kind, expected);
  }
});
