import type { PodRecord } from "../../spark/pods/podRecord.ts";

/** Where a forwarded port leads. */
export interface ForwardPlace {
  readonly context: string | undefined;
  readonly namespace: string;
  /** `orders-daily driver`. */
  readonly name: string;
  /** The pod as it is now, and the key of its application; undefined: there is none at the moment. */
  readonly found: () => FoundPod | undefined;
}

export interface FoundPod {
  readonly key: string;
  readonly pod: PodRecord;
}

/**
 * Whether both lead to the same pod now, as a forward goes from one pod of its application to the next. Names say
 * nothing: other namespaces and clusters have them too, and clusters from one backup share uids.
 */
export function isSamePlace(one: ForwardPlace, other: ForwardPlace): boolean {
  if (one.context !== other.context || one.namespace !== other.namespace) return false;
  const [uid, otherUid] = [one.found()?.pod.uid, other.found()?.pod.uid];
  return uid === undefined && otherUid === undefined ? one.name === other.name : uid === otherUid;
}
