import { sparkState } from "./executorState.ts";
import { hasEnded } from "./podExit.ts";
import { holderOf, withName, withoutName, type PodNames } from "./podNames.ts";
import type { PodRecord } from "./podRecord.ts";
import { isOlder } from "./resourceVersion.ts";
import { rulesOf, sparkContainerOf } from "./sparkContainer.ts";
import {
  emptyTrie,
  hashOf,
  TrieDifferences,
  trieGet,
  trieRemove,
  trieSet,
  trieValues,
  type TrieDifference,
  type Trie,
} from "./trie.ts";

/**
 * All selected Spark pods at one moment: an immutable value. `applyPodEvents` and `PodListing.end`
 * return the next one, which shares unchanged parts; unchanged pods stay the same objects.
 */
export interface PodSnapshot {
  /** Increases by one with each new snapshot. */
  readonly version: number;
  readonly size: number;
  readonly pods: Trie<PodRecord>;
  readonly names: PodNames;
  /** Resource versions of recent deletions by pod uid, so that older events do not restore deleted pods. */
  readonly deletions: readonly [newer: Trie<string>, older: Trie<string>];
}

/** A watch event of the API server, with the decoded pod. */
export interface PodEvent {
  readonly kind: "added" | "modified" | "deleted";
  readonly pod: PodRecord;
}

/**
 * Reports that a pod reached one of Spark's final states, or was deleted (`gone`). Each is reported once, so a state
 * that lasts only between two snapshots is not lost.
 */
export interface PodEnding {
  readonly kind: "succeeded" | "failed" | "deleted" | "gone";
  /** The pod in its final state. */
  readonly pod: PodRecord;
}

export interface PodSnapshotStep {
  /** The same object if nothing changed. */
  readonly snapshot: PodSnapshot;
  /** In order of arrival. */
  readonly endings: readonly PodEnding[];
}

/** The differences of two snapshots; each pod is in at most one list. */
export interface PodChanges {
  readonly added: readonly PodRecord[];
  readonly modified: readonly PodChange[];
  readonly removed: readonly PodRemoval[];
}

interface PodChange {
  readonly before: PodRecord;
  readonly after: PodRecord;
}

export interface PodRemoval {
  /** Undefined for a pod that was created and deleted between the snapshots. */
  readonly before: PodRecord | undefined;
  /** The pod in its deletion event, or its last known state. */
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
 * Applies watch events in the given order. Ignores events that are not newer than the known pod, so duplicates are
 * harmless. A `deleted` event may have the same resource version as the known pod. A new pod of the same name removes
 * the old pod too.
 */
export function applyPodEvents(
  snapshot: PodSnapshot,
  events: readonly PodEvent[],
): PodSnapshotStep {
  let { pods, names, deletions } = snapshot;
  const endings: PodEnding[] = [];
  for (const { kind, pod: told } of events) {
    const hash = hashOf(told.uid);
    const known = trieGet(pods, told.uid, hash);
    const pod = withOrderOfEnd(known, told);
    const since = known?.resourceVersion ?? deletedAt(deletions, pod.uid);
    const isDeletion = kind === "deleted";
    if (since !== undefined && isOlder(pod.resourceVersion, since)) continue;
    // An API server may delete a pod without changing its resource version.
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

/**
 * Marks a deleted pod if its Spark container was known to have ended before the deletion. The timestamps of the pod do
 * not show the order: Spark deletes a failed executor within a second, and the kubelet completes a deletion as soon as
 * the container has ended.
 */
export function withOrderOfEnd(known: PodRecord | undefined, pod: PodRecord): PodRecord {
  if (pod.deletionTimestamp === undefined || known === undefined) return pod;
  const isFirst = known.hasEndedFirst ?? (known.deletionTimestamp === undefined && isOver(known));
  return isFirst ? { ...pod, hasEndedFirst: true } : pod;
}

function isOver(pod: PodRecord): boolean {
  const spark = sparkContainerOf(pod);
  return spark !== undefined && hasEnded(spark);
}

/** Returns the ending if the pod has newly reached a final state. Undefined otherwise. `known`: the previous pod. */
export function endingOf(known: PodRecord | undefined, pod: PodRecord): PodEnding | undefined {
  const kind = finalStateOf(pod);
  return kind === undefined || (known && finalStateOf(known) === kind) ? undefined : { kind, pod };
}

function finalStateOf(pod: PodRecord): Exclude<PodEnding["kind"], "gone"> | undefined {
  // Fast path: most changes are of running pods.
  const isRunning = pod.phase === "Running" && !pod.containers.some(hasEnded);
  if (isRunning) return undefined;
  const state = sparkState(pod, rulesOf(pod));
  return state === "succeeded" || state === "failed" || state === "deleted" ? state : undefined;
}

const noPods: ReadonlyMap<string, PodRecord> = new Map();

/**
 * Returns the changes between two snapshots. Skips parts that both share, so the time depends on the number of changes.
 * `gone`: last versions of deleted pods by uid, including pods that are in neither snapshot.
 */
export function changesBetween(
  before: PodSnapshot,
  after: PodSnapshot,
  gone: ReadonlyMap<string, PodRecord> = noPods,
): PodChanges {
  return new ChangeWalk(before, after, gone).take(Infinity);
}

/** Like `changesBetween`, lazily in slices of at most `size` pods. */
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

  /** Returns the next changes, at most `size`. Empty at the end. */
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

const isChange = (difference: TrieDifference<PodRecord>): difference is PodChange =>
  difference.before !== undefined && difference.after !== undefined;

export const isEmptyChange = ({ added, modified, removed }: PodChanges): boolean =>
  added.length + modified.length + removed.length === 0;

// Maximum number of deletions per generation. Only two generations are kept, to bound the memory. Older deletions are
// not needed, because a late event arrives soon after the deletion.
const deletionsKept = 4096;

function withDeletion(
  [newer, older]: PodSnapshot["deletions"],
  uid: string,
  resourceVersion: string,
): PodSnapshot["deletions"] {
  const isFull = newer.size >= deletionsKept;
  return [trieSet(isFull ? emptyTrie : newer, uid, resourceVersion), isFull ? newer : older];
}

/**
 * Returns the resource version of a pod's deletion. Undefined if no deletion is recorded, or the record has been
 * dropped.
 */
export const deletedAt = (
  [newer, older]: PodSnapshot["deletions"],
  uid: string,
): string | undefined => trieGet(newer, uid) ?? trieGet(older, uid);
