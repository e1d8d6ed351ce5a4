import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PodListing, replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import {
  applyPodEvents,
  changesBetween,
  changeSlices,
  emptySnapshot,
  findPod,
  podsOf,
  type PodEvent,
  type PodSnapshot,
  type PodSnapshotStep,
} from "../../../src/spark/pods/podSnapshot.ts";
import { isOlder } from "../../../src/spark/pods/resourceVersion.ts";
import { podFixture } from "./podFixture.ts";

/** Returns a pod, which is named like its uid by default. */
const pod = (uid: string, version: number | string, name = uid, fields: Partial<PodRecord> = {}) =>
  podFixture({ uid, name, resourceVersion: String(version), ...fields });

const snapshotOf = (...pods: readonly PodRecord[]): PodSnapshot =>
  replacePods(emptySnapshot, pods).snapshot;

const shown = (snapshot: PodSnapshot): readonly string[] =>
  [...podsOf(snapshot)].map(({ uid, resourceVersion }) => `${uid}@${resourceVersion}`).sort();
const endingsOf = ({ endings }: PodSnapshotStep): readonly string[] =>
  endings.map(({ kind, pod: { uid, resourceVersion } }) => `${kind} ${uid}@${resourceVersion}`);
const list = (base: PodSnapshot, pods: readonly PodRecord[], version: number, mayLag = true) =>
  replacePods(base, pods, { resourceVersion: String(version), mayLag });
const event = (kind: PodEvent["kind"], one: PodRecord): PodEvent => ({ kind, pod: one });

describe("a list that may lag", () => {
  test("keeps known pods that are newer", () => {
    const base = snapshotOf(pod("a", 5), pod("b", 9), pod("c", 3));
    const step = list(base, [pod("a", 4), pod("c", 6)], 8);
    assert.deepEqual(shown(step.snapshot), ["a@5", "b@9", "c@6"]);
    assert.equal(step.snapshot.size, 3);
    assert.equal(step.snapshot.version, base.version + 1);
    assert.deepEqual(endingsOf(step), []);
  });

  test("removes pods that are as old as the list", () => {
    const base = snapshotOf(pod("a", 5), pod("b", 8));
    const step = list(base, [pod("a", 5)], 8);
    assert.deepEqual(shown(step.snapshot), ["a@5"]);
    assert.deepEqual(endingsOf(step), ["gone b@8"]);
  });

  test("does not restore a pod that was deleted later", () => {
    const base = applyPodEvents(snapshotOf(pod("a", 5)), [event("deleted", pod("a", 7))]).snapshot;
    assert.deepEqual(shown(list(base, [pod("a", 6)], 9).snapshot), []);
    assert.deepEqual(shown(list(base, [pod("a", 7)], 9).snapshot), []);
    assert.deepEqual(shown(list(base, [pod("a", 8)], 9).snapshot), ["a@8"]);
    assert.deepEqual(shown(list(base, [pod("a", 6)], 9, false).snapshot), ["a@6"]);
  });

  test("remembers deletions, which a consistent list forgets", () => {
    const base = applyPodEvents(snapshotOf(pod("a", 5), pod("b", 5)), [
      event("deleted", pod("a", 7)),
    ]).snapshot;
    const stale = [event("modified", pod("a", 6))];
    const after = (mayLag: boolean) =>
      applyPodEvents(list(base, [pod("b", 6)], 8, mayLag).snapshot, stale).snapshot;
    assert.deepEqual(shown(after(true)), ["b@6"]);
    assert.deepEqual(shown(after(false)), ["a@6", "b@6"]);
  });
});

describe("a consistent list", () => {
  test("wins over newer pods", () => {
    const base = snapshotOf(pod("a", 5), pod("b", 9));
    const step = list(base, [pod("a", 4)], 8, false);
    assert.deepEqual(shown(step.snapshot), ["a@4"]);
    assert.deepEqual(endingsOf(step), ["gone b@9"]);
  });

  test("of the same pods returns the same snapshot", () => {
    const base = snapshotOf(pod("a", 5), pod("b", 9));
    assert.equal(list(base, [pod("b", 9), pod("a", 5)], 10, false).snapshot, base);
    const unversioned = snapshotOf(pod("a", ""));
    assert.notEqual(list(unversioned, [pod("a", "")], 10, false).snapshot, unversioned);
  });

  test("reports a final state once", () => {
    const failed = { phase: "Failed" };
    const base = snapshotOf(pod("a", 5));
    const step = list(base, [pod("a", 6, "a", failed), pod("b", 6, "b", failed)], 7, false);
    assert.deepEqual(endingsOf(step), ["failed a@6", "failed b@6"]);
    const next = list(step.snapshot, [pod("a", 8, "a", failed)], 9, false);
    assert.deepEqual(endingsOf(next), ["gone b@6"]);
  });
});

describe("two pods of one name in a list", () => {
  test("are the newer one, in any order", () => {
    const [old, young] = [pod("a", 5, "same"), pod("b", 6, "same")];
    for (const pods of [
      [old, young],
      [young, old],
    ])
      assert.deepEqual(shown(list(emptySnapshot, pods, 7).snapshot), ["b@6"]);
    const elsewhere = pod("c", 6, "same", { namespace: "other" });
    assert.deepEqual(shown(list(emptySnapshot, [old, elsewhere], 7).snapshot), ["a@5", "c@6"]);
  });

  test("are the listed one if the older one was known", () => {
    const base = snapshotOf(pod("a", 5, "same"));
    const step = list(base, [pod("b", 6, "same")], 7);
    assert.deepEqual(shown(step.snapshot), ["b@6"]);
    assert.deepEqual(endingsOf(step), ["gone a@5"]);
  });

  test("are the known one if it is newer than the list", () => {
    const base = snapshotOf(pod("a", 9, "same"));
    const step = list(base, [pod("b", 6, "same")], 7);
    assert.deepEqual(shown(step.snapshot), ["a@9"]);
  });
});

test("a pod that is deleted while it is listed ends with its last state", () => {
  const base = snapshotOf(pod("a", 5), pod("b", 5));
  const listing = new PodListing(base, false);
  listing.take(pod("a", 6));
  listing.take(pod("c", 6));
  assert.deepEqual([...listing.pods].map(({ uid }) => uid).sort(), ["a", "c"]);
  listing.drop(pod("a", 7));
  listing.drop(pod("c", 7));
  listing.take(pod("b", 5));
  const step = listing.end({ resourceVersion: "8" });
  assert.deepEqual(shown(step.snapshot), ["b@5"]);
  assert.deepEqual(endingsOf(step), ["gone a@7"]);
});

describe("the events of pods", () => {
  test("of a new pod with a known name remove the old pod", () => {
    const base = snapshotOf(pod("a", 5, "same"));
    const step = applyPodEvents(base, [event("added", pod("b", 6, "same"))]);
    assert.deepEqual(shown(step.snapshot), ["b@6"]);
    assert.deepEqual(endingsOf(step), ["gone a@5"]);
    assert.equal(findPod(step.snapshot, "a"), undefined);
    const stale = applyPodEvents(step.snapshot, [event("modified", pod("a", 6, "same"))]);
    assert.equal(stale.snapshot, step.snapshot);
    const older = applyPodEvents(base, [event("added", pod("b", 4, "same"))]);
    assert.equal(older.snapshot, base);
  });

  test("count once, also a deletion of an unknown pod", () => {
    const base = snapshotOf(pod("a", 5));
    assert.equal(applyPodEvents(base, [event("modified", pod("a", 5))]).snapshot, base);
    assert.equal(applyPodEvents(base, [event("modified", pod("a", 4))]).snapshot, base);
    const unknown = applyPodEvents(base, [event("deleted", pod("x", 6))]);
    assert.deepEqual([shown(unknown.snapshot), unknown.endings], [["a@5"], []]);
    assert.equal(
      applyPodEvents(unknown.snapshot, [event("added", pod("x", 6))]).snapshot,
      unknown.snapshot,
    );
    const deleted = applyPodEvents(base, [event("deleted", pod("a", 5, "a", { phase: "Failed" }))]);
    assert.deepEqual(endingsOf(deleted), ["failed a@5", "gone a@5"]);
  });
});

describe("the changes between snapshots", () => {
  const before = snapshotOf(pod("a", 1), pod("b", 1), pod("c", 1));
  const after = list(before, [pod("a", 1), pod("b", 2), pod("d", 2)], 3, false).snapshot;
  const gone = new Map([
    ["c", pod("c", 2)],
    ["x", pod("x", 2)],
    ["y", pod("y", 2)],
  ]);

  test("are additions, modifications and removals with the last state", () => {
    const { added, modified, removed } = changesBetween(before, after, gone);
    assert.deepEqual(
      added.map(({ uid }) => uid),
      ["d"],
    );
    assert.deepEqual(
      modified.map((one) => `${one.before.resourceVersion} ${one.after.resourceVersion}`),
      ["1 2"],
    );
    assert.deepEqual(
      removed.map(
        (one) =>
          `${one.before?.resourceVersion ?? "none"} ${one.last.uid}@${one.last.resourceVersion}`,
      ),
      ["1 c@2", "none x@2", "none y@2"],
    );
    assert.deepEqual(
      changesBetween(before, after).removed.map(
        ({ last }) => `${last.uid}@${last.resourceVersion}`,
      ),
      ["c@1"],
    );
  });

  test("come in slices of the given size", () => {
    const sizes = (size: number) =>
      [...changeSlices(before, after, gone, size)].map(
        ({ added, modified, removed }) => added.length + modified.length + removed.length,
      );
    assert.deepEqual(sizes(1), [1, 1, 1, 1, 1]);
    assert.deepEqual(sizes(2), [2, 2, 1]);
    assert.deepEqual(sizes(5), [5]);
    assert.deepEqual(sizes(99), [5]);
    assert.deepEqual([...changeSlices(after, after, new Map(), 5)], []);
  });
});

test("a resource version is older as a number, and never if it is no number", () => {
  const rows = [
    ...([
      ["5", "6", true],
      ["6", "5", false],
      ["5", "5", false],
      ["9", "10", true],
    ] as const),
    ...([
      ["10", "9", false],
      ["", "5", false],
      ["5", "", false],
      ["a", "b", false],
    ] as const),
    ...([
      ["1/", "2", false],
      ["1:", "2", false],
      ["09", "1", false],
    ] as const),
  ];
  for (const [version, known, older] of rows)
    assert.equal(isOlder(version, known), older, `${version} ${known}`);
});
