import type { PodRecord } from "./podRecord.ts";
import { emptyTrie, trieGet, trieRemove, trieSet, trieValues, type Trie } from "./trie.ts";

/**
 * All Spark pods of a selection at one moment: a value. `replacePods` and `applyPodEvents` give the next
 * one, which shares with this one whatever has not changed; a pod that has not changed stays the same object.
 */
export interface PodSnapshot {
  /** Grows by one with each snapshot that differs from the one before. */
  readonly version: number;
  readonly size: number;
  readonly pods: Trie<PodRecord>;
  /** Resource versions at which pods were deleted, so that news from before that do not bring them back. */
  readonly deletions: readonly [newer: Trie<string>, older: Trie<string>];
}

/** Structurally what a watch tells of a pod. */
export interface PodEvent {
  readonly kind: "added" | "modified" | "deleted";
  readonly pod: PodRecord;
}

/** What tells two snapshots apart; a pod stands in one of the three at most. */
export interface PodChanges {
  readonly added: readonly PodRecord[];
  readonly modified: readonly PodChange[];
  readonly removed: readonly PodRemoval[];
}

export interface PodChange {
  readonly before: PodRecord;
  readonly after: PodRecord;
}

export interface PodRemoval {
  /** Undefined for a pod that came and went in between. */
  readonly before: PodRecord | undefined;
  /** As its deletion showed it, or as it was known. */
  readonly last: PodRecord;
}

export interface PodSnapshotStep {
  readonly snapshot: PodSnapshot;
  readonly changes: PodChanges;
}

export const emptySnapshot: PodSnapshot = Object.freeze({
  version: 0,
  size: 0,
  pods: emptyTrie,
  deletions: Object.freeze([emptyTrie, emptyTrie] as const),
});

export const noChanges: PodChanges = Object.freeze({ added: [], modified: [], removed: [] });

export const findPod = (snapshot: PodSnapshot, uid: string): PodRecord | undefined =>
  trieGet(snapshot.pods, uid);

export const podsOf = (snapshot: PodSnapshot): Iterable<PodRecord> => trieValues(snapshot.pods);

/** The pods of a complete list take the place of all others. The list is the truth, older or not. */
export function replacePods(snapshot: PodSnapshot, list: Iterable<PodRecord>): PodSnapshotStep {
  let pods: Trie<PodRecord> = emptyTrie;
  const added: PodRecord[] = [];
  const modified: PodChange[] = [];
  for (const listed of list) {
    const before = findPod(snapshot, listed.uid);
    const isSame =
      before !== undefined &&
      before.resourceVersion === listed.resourceVersion &&
      listed.resourceVersion !== "";
    pods = trieSet(pods, listed.uid, isSame ? before : listed);
    if (before === undefined) added.push(listed);
    else if (!isSame) modified.push({ before, after: listed });
  }
  const removed = [...podsOf(snapshot)]
    .filter(({ uid }) => trieGet(pods, uid) === undefined)
    .map((pod) => ({ before: pod, last: pod }));
  if (added.length + modified.length + removed.length === 0) {
    return { snapshot, changes: noChanges };
  }
  return {
    snapshot: {
      version: snapshot.version + 1,
      size: pods.size,
      pods,
      deletions: emptySnapshot.deletions,
    },
    changes: { added, modified, removed },
  };
}

/**
 * Applies what a watch told, in order. An event that is older than what is known of its pod, or as old,
 * changes nothing; so events may come twice. With `deleted` the pod is gone, whatever state it shows.
 */
export function applyPodEvents(
  snapshot: PodSnapshot,
  events: readonly PodEvent[],
): PodSnapshotStep {
  let { pods, deletions } = snapshot;
  const touched = new Map<string, PodRecord>();
  for (const { kind, pod } of events) {
    const known = trieGet(pods, pod.uid);
    const since = known?.resourceVersion ?? deletedAt(deletions, pod.uid);
    const isDeletion = kind === "deleted";
    if (since !== undefined && isOlder(pod.resourceVersion, since)) continue;
    // A server may delete a pod without giving it a new version.
    if (since !== undefined && pod.resourceVersion === since && !(isDeletion && known)) continue;
    if (isDeletion) {
      pods = trieRemove(pods, pod.uid);
      deletions = withDeletion(deletions, pod);
      if (known) touched.set(pod.uid, pod);
    } else {
      pods = trieSet(pods, pod.uid, pod);
      touched.set(pod.uid, pod);
    }
  }
  if (touched.size === 0 && deletions === snapshot.deletions) {
    return { snapshot, changes: noChanges };
  }
  const next = { version: snapshot.version + 1, size: pods.size, pods, deletions };
  return { snapshot: next, changes: changesBetween(snapshot, next, touched) };
}

/**
 * What happened to the pods named by `touched` on the way from one snapshot to another; its values say
 * how a pod was last seen that is in neither of them any more.
 */
export function changesBetween(
  before: PodSnapshot,
  after: PodSnapshot,
  touched: ReadonlyMap<string, PodRecord>,
): PodChanges {
  const added: PodRecord[] = [];
  const modified: PodChange[] = [];
  const removed: PodRemoval[] = [];
  for (const [uid, last] of touched) {
    const old = findPod(before, uid);
    const now = findPod(after, uid);
    if (now === undefined) removed.push({ before: old, last });
    else if (old === undefined) added.push(now);
    else if (old !== now) modified.push({ before: old, after: now });
  }
  return { added, modified, removed };
}

export const isEmptyChange = ({ added, modified, removed }: PodChanges): boolean =>
  added.length + modified.length + removed.length === 0;

const decimal = /^\d+$/;

/** False where the versions are no numbers: then the later one to come is the newer. */
function isOlder(version: string, known: string): boolean {
  if (!decimal.test(version) || !decimal.test(known)) return false;
  return version.length === known.length ? version < known : version.length < known.length;
}

// Two generations bound the memory: news of a pod come close to its deletion or not at all.
const deletionsKept = 4096;

function withDeletion(
  [newer, older]: PodSnapshot["deletions"],
  pod: PodRecord,
): PodSnapshot["deletions"] {
  const isFull = newer.size >= deletionsKept;
  return [
    trieSet(isFull ? emptyTrie : newer, pod.uid, pod.resourceVersion),
    isFull ? newer : older,
  ];
}

const deletedAt = ([newer, older]: PodSnapshot["deletions"], uid: string): string | undefined =>
  trieGet(newer, uid) ?? trieGet(older, uid);
