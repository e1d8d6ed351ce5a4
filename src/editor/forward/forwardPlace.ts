import type { PodRecord } from "../../spark/pods/podRecord.ts";

/** The target of a forwarded port. */
export interface ForwardPlace {
  readonly context: string | undefined;
  readonly namespace: string;
  /** The display name: `orders-daily driver`. */
  readonly name: string;
  /** Finds the current pod and its application's key; undefined if there is no pod. */
  readonly found: () => FoundPod | undefined;
}

interface FoundPod {
  readonly key: string;
  readonly pod: PodRecord;
}

/**
 * True if both places currently refer to the same pod. Also compares contexts and namespaces, because names are not
 * unique across them, and clusters restored from one backup share uids.
 */
export function isSamePlace(one: ForwardPlace, other: ForwardPlace): boolean {
  if (one.context !== other.context || one.namespace !== other.namespace) return false;
  const [uid, otherUid] = [one.found()?.pod.uid, other.found()?.pod.uid];
  return uid === undefined && otherUid === undefined ? one.name === other.name : uid === otherUid;
}
