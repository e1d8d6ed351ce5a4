import { sparkState } from "./executorState.ts";
import { hasEnded } from "./podExit.ts";
import type { PodRecord } from "./podRecord.ts";
import { isOlder } from "./resourceVersion.ts";
import { rulesOf } from "./sparkContainer.ts";
import {
  emptyTrie,
  trieDifferences,
  trieGet,
  trieRemove,
  trieSet,
  trieValues,
  type Trie,
} from "./trie.ts";

/**
 * All Spark pods of a selection at one moment: a value. `applyPodEvents` and a list that has come to its end
 * (`podListing.ts`) give the next one, which shares with this one whatever has not changed; a pod that has
 * not changed stays the same object.
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

/**
 * A pod has come to an end: into one of Spark's final states, or out of the cluster. Told once each, so that
 * an end that was seen for a moment only is not lost between two snapshots.
 */
export interface PodEnding {
  readonly kind: "succeeded" | "failed" | "deleted" | "gone";
  /** As its end showed it. */
  readonly pod: PodRecord;
}

export interface PodSnapshotStep {
  /** The same object where nothing has changed. */
  readonly snapshot: PodSnapshot;
  /** In the order in which they came. */
  readonly endings: readonly PodEnding[];
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

/**
 * Applies what a watch told, in order. An event that is older than what is known of its pod, or as old,
 * changes nothing; so events may come twice. With `deleted` the pod is gone, whatever state it shows.
 */
export function applyPodEvents(
  snapshot: PodSnapshot,
  events: readonly PodEvent[],
): PodSnapshotStep {
  let { pods, deletions } = snapshot;
  const endings: PodEnding[] = [];
  for (const { kind, pod } of events) {
    const known = trieGet(pods, pod.uid);
    const since = known?.resourceVersion ?? deletedAt(deletions, pod.uid);
    const isDeletion = kind === "deleted";
    if (since !== undefined && isOlder(pod.resourceVersion, since)) continue;
    // A server may delete a pod without giving it a new version.
    if (since !== undefined && pod.resourceVersion === since && !(isDeletion && known)) continue;
    const ending = endingOf(known, pod);
    if (isDeletion) {
      pods = trieRemove(pods, pod.uid);
      deletions = withDeletion(deletions, pod);
      if (known && ending) endings.push(ending);
      if (known) endings.push({ kind: "gone", pod });
    } else {
      pods = trieSet(pods, pod.uid, pod);
      if (ending) endings.push(ending);
    }
  }
  if (pods === snapshot.pods && deletions === snapshot.deletions) return { snapshot, endings };
  const next = { version: snapshot.version + 1, size: pods.size, pods, deletions };
  return { snapshot: next, endings };
}

/** The final state that a pod has come into since it was last known. */
export function endingOf(known: PodRecord | undefined, pod: PodRecord): PodEnding | undefined {
  const kind = finalStateOf(pod);
  return kind === undefined || (known && finalStateOf(known) === kind) ? undefined : { kind, pod };
}

function finalStateOf(pod: PodRecord): Exclude<PodEnding["kind"], "gone"> | undefined {
  // Most pods run, all of their containers too, and this is asked of each of their changes.
  const isRunning = pod.phase === "Running" && !pod.containers.some(hasEnded);
  if (isRunning) return undefined;
  const state = sparkState(pod, rulesOf(pod));
  return state === "succeeded" || state === "failed" || state === "deleted" ? state : undefined;
}

const noPods: ReadonlyMap<string, PodRecord> = new Map();

/**
 * What happened to the pods on the way from one snapshot to another, at the price of what changed. `gone`
 * tells how pods looked when they went, those included that are in neither of the two.
 */
export function changesBetween(
  before: PodSnapshot,
  after: PodSnapshot,
  gone: ReadonlyMap<string, PodRecord> = noPods,
): PodChanges {
  const slices = changeSlices(before, after, gone, Infinity);
  return slices.next().value ?? noChanges;
}

/** The same, of at most `size` pods at a time, each found when it is asked for. */
export function* changeSlices(
  before: PodSnapshot,
  after: PodSnapshot,
  gone: ReadonlyMap<string, PodRecord>,
  size: number,
): Generator<PodChanges, void, undefined> {
  let slice = emptySlice();
  let count = 0;
  for (const change of changesOneByOne(before, after, gone)) {
    if (count === size) {
      yield slice;
      slice = emptySlice();
      count = 0;
    }
    count += 1;
    if ("last" in change) slice.removed.push(change);
    else if (change.before === undefined) slice.added.push(change.after);
    else slice.modified.push({ before: change.before, after: change.after });
  }
  if (count > 0) yield slice;
}

const emptySlice = (): { [K in keyof PodChanges]: PodChanges[K][number][] } => ({
  added: [],
  modified: [],
  removed: [],
});

function* changesOneByOne(
  before: PodSnapshot,
  after: PodSnapshot,
  gone: ReadonlyMap<string, PodRecord>,
): Generator<PodRemoval | { before: PodRecord | undefined; after: PodRecord }, void, undefined> {
  for (const { before: old, after: now } of trieDifferences(before.pods, after.pods)) {
    if (now) yield { before: old, after: now };
    else if (old) yield { before: old, last: gone.get(old.uid) ?? old };
  }
  for (const [uid, last] of gone) {
    const isInNeither = findPod(before, uid) === undefined && findPod(after, uid) === undefined;
    if (isInNeither) yield { before: undefined, last };
  }
}

export const isEmptyChange = ({ added, modified, removed }: PodChanges): boolean =>
  added.length + modified.length + removed.length === 0;

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

/** The version with which a pod was deleted, as far as that is remembered. */
export const deletedAt = (
  [newer, older]: PodSnapshot["deletions"],
  uid: string,
): string | undefined => trieGet(newer, uid) ?? trieGet(older, uid);
