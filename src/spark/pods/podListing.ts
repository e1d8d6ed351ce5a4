import { holderOf, withName, withoutName, type PodNames } from "./podNames.ts";
import type { PodRecord } from "./podRecord.ts";
import {
  deletedAt,
  emptySnapshot,
  endingOf,
  findPod,
  type PodEnding,
  type PodSnapshot,
  type PodSnapshotStep,
  withOrderOfEnd,
} from "./podSnapshot.ts";
import { isOlder } from "./resourceVersion.ts";
import { emptyTrie, hashOf, trieGet, trieRemove, trieSet, trieValues, type Trie } from "./trie.ts";

export interface ListOrigin {
  readonly resourceVersion: string;
  /**
   * False for a consistent list. Such a list wins even if its versions are older, for example after a restored backup.
   * True for a list from a cache: pods that are known to be newer stay.
   */
  readonly mayLag: boolean;
}

/**
 * Builds the next snapshot from a list, pod by pod, while the pages of the list arrive. Finishing takes time in
 * proportion to the pods that disappeared, not to the list.
 */
export class PodListing {
  readonly base: PodSnapshot;
  readonly #mayLag: boolean;
  #pods: Trie<PodRecord> = emptyTrie;
  /** The names of the base snapshot, updated by the listed pods. */
  #names: PodNames;
  /** Pods of the base snapshot that are not listed yet. */
  #missing: Trie<PodRecord>;
  readonly #endings: PodEnding[] = [];
  /** Pods deleted while the list was read. */
  readonly #gone = new Map<string, PodRecord>();
  #differs = false;

  constructor(base: PodSnapshot, mayLag: boolean) {
    this.base = base;
    this.#missing = base.pods;
    this.#names = base.names;
    this.#mayLag = mayLag;
  }

  /** The pods listed so far. */
  get pods(): Iterable<PodRecord> {
    return trieValues(this.#pods);
  }

  take(pod: PodRecord): void {
    const { base } = this;
    const hash = hashOf(pod.uid);
    const known = trieGet(base.pods, pod.uid, hash);
    if (known === undefined && this.#mayLag) {
      const wentAt = deletedAt(base.deletions, pod.uid);
      if (wentAt !== undefined && !isOlder(wentAt, pod.resourceVersion)) return;
    }
    if (!this.#takeName(pod)) return;
    const stays = known !== undefined && this.#isKnown(pod, known);
    const next = stays ? known : withOrderOfEnd(known, pod);
    this.#pods = trieSet(this.#pods, pod.uid, next, hash);
    if (known) this.#missing = trieRemove(this.#missing, pod.uid);
    if (stays) return;
    this.#differs = true;
    const ending = endingOf(known, next);
    if (ending) this.#endings.push(ending);
  }

  /** Removes a pod that was deleted while the list was read. */
  drop(pod: PodRecord): void {
    this.#pods = trieRemove(this.#pods, pod.uid);
    this.#names = withoutName(this.#names, pod);
    this.#gone.set(pod.uid, pod);
    const known = findPod(this.base, pod.uid);
    if (known) this.#missing = trieSet(this.#missing, pod.uid, known);
  }

  /** Completes the snapshot, which then contains only the listed pods and, if the list may lag, newer known pods. */
  end({ resourceVersion }: Pick<ListOrigin, "resourceVersion">): PodSnapshotStep {
    const { base } = this;
    const gone: PodEnding[] = [];
    for (const pod of trieValues(this.#missing)) {
      const isNewer = this.#mayLag && isOlder(resourceVersion, pod.resourceVersion);
      if (isNewer && this.#takeName(pod)) this.#pods = trieSet(this.#pods, pod.uid, pod);
      else {
        this.#names = withoutName(this.#names, pod);
        gone.push({ kind: "gone", pod: this.#gone.get(pod.uid) ?? pod });
      }
    }
    if (!this.#differs && gone.length === 0) return { snapshot: base, endings: [] };
    const { deletions } = this.#mayLag ? base : emptySnapshot;
    const [pods, names] = [this.#pods, this.#names];
    const snapshot = { version: base.version + 1, size: pods.size, pods, names, deletions };
    return { snapshot, endings: [...this.#endings, ...gone] };
  }

  /**
   * Assigns the name to the pod, and drops an older listed pod of the same name, which no longer exists. Returns false
   * if a newer pod of this name is listed.
   */
  #takeName(pod: PodRecord): boolean {
    const holder = holderOf(this.#names, pod);
    if (holder === pod.uid) return true;
    const namesake = holder === undefined ? undefined : trieGet(this.#pods, holder);
    if (namesake && isOlder(pod.resourceVersion, namesake.resourceVersion)) return false;
    if (namesake) this.drop(namesake);
    this.#names = withName(this.#names, pod);
    return true;
  }

  #isKnown(pod: PodRecord, known: PodRecord): boolean {
    if (known.resourceVersion === pod.resourceVersion) return pod.resourceVersion !== "";
    return this.#mayLag && isOlder(pod.resourceVersion, known.resourceVersion);
  }
}

/** Returns the next snapshot for a complete list; see `PodListing`. */
export function replacePods(
  snapshot: PodSnapshot,
  list: Iterable<PodRecord>,
  { resourceVersion, mayLag }: ListOrigin = { resourceVersion: "", mayLag: false },
): PodSnapshotStep {
  const listing = new PodListing(snapshot, mayLag);
  for (const pod of list) listing.take(pod);
  return listing.end({ resourceVersion });
}
