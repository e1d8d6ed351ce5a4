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
} from "./podSnapshot.ts";
import { isOlder } from "./resourceVersion.ts";
import { emptyTrie, hashOf, trieGet, trieRemove, trieSet, trieValues, type Trie } from "./trie.ts";

export interface ListOrigin {
  /** Of the list as a whole. */
  readonly resourceVersion: string;
  /**
   * False for a list that the server vouches for: it is the truth, even if its versions are older, as after
   * a restored backup. True for one out of a cache that may be behind: what is known to be newer stays.
   */
  readonly mayLag: boolean;
}

/**
 * A list on its way to take the place of a snapshot's pods. It is put together pod by pod, as they come in,
 * so that its end costs no more than what has gone meanwhile, however long it is.
 */
export class PodListing {
  readonly base: PodSnapshot;
  readonly #mayLag: boolean;
  #pods: Trie<PodRecord> = emptyTrie;
  /** Those of the base, until the pods listed have got them. */
  #names: PodNames;
  /** Pods of the base that have not been listed so far. */
  #missing: Trie<PodRecord>;
  readonly #endings: PodEnding[] = [];
  /** Pods that went while the list came in, as they went. */
  readonly #gone = new Map<string, PodRecord>();
  #differs = false;

  constructor(base: PodSnapshot, mayLag: boolean) {
    this.base = base;
    this.#missing = base.pods;
    this.#names = base.names;
    this.#mayLag = mayLag;
  }

  /** Those listed so far. */
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
    this.#pods = trieSet(this.#pods, pod.uid, stays ? known : pod, hash);
    if (known) this.#missing = trieRemove(this.#missing, pod.uid);
    if (stays) return;
    this.#differs = true;
    const ending = endingOf(known, pod);
    if (ending) this.#endings.push(ending);
  }

  /** A pod went while the list came in. */
  drop(pod: PodRecord): void {
    this.#pods = trieRemove(this.#pods, pod.uid);
    this.#names = withoutName(this.#names, pod);
    this.#gone.set(pod.uid, pod);
    const known = findPod(this.base, pod.uid);
    if (known) this.#missing = trieSet(this.#missing, pod.uid, known);
  }

  /** The listed pods take the place of all others. */
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

  /** False where a newer pod of that name is listed; an older one is not there any more. */
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

/** The same in one step, for a list that is all there. */
export function replacePods(
  snapshot: PodSnapshot,
  list: Iterable<PodRecord>,
  { resourceVersion, mayLag }: ListOrigin = { resourceVersion: "", mayLag: false },
): PodSnapshotStep {
  const listing = new PodListing(snapshot, mayLag);
  for (const pod of list) listing.take(pod);
  return listing.end({ resourceVersion });
}
