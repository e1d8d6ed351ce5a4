import { sparkState } from "./executorState.ts";
import { hasEnded } from "./podExit.ts";
import { holderOf, withName, withoutName, type PodNames } from "./podNames.ts";
import type { PodRecord } from "./podRecord.ts";
import { isOlder } from "./resourceVersion.ts";
import { rulesOf } from "./sparkContainer.ts";
import {
  emptyTrie,
  hashOf,
  TrieDifferences,
  trieGet,
  trieRemove,
  trieSet,
  trieValues,
  type Difference,
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
  readonly names: PodNames;
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
  names: emptyTrie,
  deletions: Object.freeze([emptyTrie, emptyTrie] as const),
});

export const findPod = (snapshot: PodSnapshot, uid: string): PodRecord | undefined =>
  trieGet(snapshot.pods, uid);

export const podsOf = (snapshot: PodSnapshot): Iterable<PodRecord> => trieValues(snapshot.pods);

/**
 * Applies what a watch told, in order. An event that is older than what is known of its pod, or as old,
 * changes nothing; so events may come twice. With `deleted` the pod is gone, whatever state it shows; so is
 * one whose name another pod has got since.
 */
export function applyPodEvents(
  snapshot: PodSnapshot,
  events: readonly PodEvent[],
): PodSnapshotStep {
  let { pods, names, deletions } = snapshot;
  const endings: PodEnding[] = [];
  for (const { kind, pod } of events) {
    const hash = hashOf(pod.uid);
    const known = trieGet(pods, pod.uid, hash);
    const since = known?.resourceVersion ?? deletedAt(deletions, pod.uid);
    const isDeletion = kind === "deleted";
    if (since !== undefined && isOlder(pod.resourceVersion, since)) continue;
    // A server may delete a pod without giving it a new version.
    if (since !== undefined && pod.resourceVersion === since && !(isDeletion && known)) continue;
    const ending = endingOf(known, pod);
    if (isDeletion) {
      deletions = withDeletion(deletions, pod.uid, pod.resourceVersion);
      if (known === undefined) continue;
      pods = trieRemove(pods, pod.uid);
      names = withoutName(names, known);
      if (ending) endings.push(ending);
      endings.push({ kind: "gone", pod });
    } else {
      if (known === undefined) {
        const holder = holderOf(names, pod);
        const namesake = holder === undefined ? undefined : trieGet(pods, holder);
        if (namesake && isOlder(pod.resourceVersion, namesake.resourceVersion)) continue;
        if (namesake) {
          pods = trieRemove(pods, namesake.uid);
          deletions = withDeletion(deletions, namesake.uid, pod.resourceVersion);
          endings.push({ kind: "gone", pod: namesake });
        }
        names = withName(names, pod);
      }
      pods = trieSet(pods, pod.uid, pod, hash);
      if (ending) endings.push(ending);
    }
  }
  if (pods === snapshot.pods && deletions === snapshot.deletions) return { snapshot, endings };
  const next = { version: snapshot.version + 1, size: pods.size, pods, names, deletions };
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
  return new ChangeWalk(before, after, gone).take(Infinity);
}

/** The same, of at most `size` pods at a time, each found when it is asked for. */
export function* changeSlices(
  before: PodSnapshot,
  after: PodSnapshot,
  gone: ReadonlyMap<string, PodRecord>,
  size: number,
): Generator<PodChanges, void, undefined> {
  const walk = new ChangeWalk(before, after, gone);
  for (;;) {
    const slice = walk.take(size);
    if (isEmptyChange(slice)) return;
    yield slice;
  }
}

class ChangeWalk {
  readonly #before: PodSnapshot;
  readonly #after: PodSnapshot;
  readonly #gone: ReadonlyMap<string, PodRecord>;
  readonly #differences: TrieDifferences<PodRecord>;
  readonly #goneLeft: Iterator<PodRecord>;

  constructor(before: PodSnapshot, after: PodSnapshot, gone: ReadonlyMap<string, PodRecord>) {
    this.#before = before;
    this.#after = after;
    this.#gone = gone;
    this.#differences = new TrieDifferences(before.pods, after.pods);
    this.#goneLeft = gone.values();
  }

  /** The next changes, `size` at most; none at the end. */
  take(size: number): PodChanges {
    const added: PodRecord[] = [];
    const modified: PodChange[] = [];
    const removed: PodRemoval[] = [];
    let count = 0;
    for (; count < size; count += 1) {
      const difference = this.#differences.next();
      if (difference === undefined) break;
      const { before, after } = difference;
      if (isChange(difference)) modified.push(difference);
      else if (after !== undefined) added.push(after);
      else if (before !== undefined)
        removed.push({ before, last: this.#gone.get(before.uid) ?? before });
    }
    while (count < size) {
      const next = this.#goneLeft.next();
      if (next.done === true) break;
      const last = next.value;
      if (findPod(this.#before, last.uid) ?? findPod(this.#after, last.uid)) continue;
      removed.push({ before: undefined, last });
      count += 1;
    }
    return { added, modified, removed };
  }
}

const isChange = (difference: Difference<PodRecord>): difference is PodChange =>
  difference.before !== undefined && difference.after !== undefined;

export const isEmptyChange = ({ added, modified, removed }: PodChanges): boolean =>
  added.length + modified.length + removed.length === 0;

// Two generations bound the memory: news of a pod come close to its deletion or not at all.
const deletionsKept = 4096;

function withDeletion(
  [newer, older]: PodSnapshot["deletions"],
  uid: string,
  resourceVersion: string,
): PodSnapshot["deletions"] {
  const isFull = newer.size >= deletionsKept;
  return [trieSet(isFull ? emptyTrie : newer, uid, resourceVersion), isFull ? newer : older];
}

/** The version with which a pod was deleted, as far as that is remembered. */
export const deletedAt = (
  [newer, older]: PodSnapshot["deletions"],
  uid: string,
): string | undefined => trieGet(newer, uid) ?? trieGet(older, uid);
