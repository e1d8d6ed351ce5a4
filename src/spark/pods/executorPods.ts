import { assertNever } from "../../base/assertNever.ts";
import { resourceProfileIdLabel } from "../labels.ts";
import {
  noExecutors,
  type Application,
  type ExecutorCounts,
  type ExecutorPod,
  type ProfileCounts,
} from "./application.ts";
import { compareText } from "./compareText.ts";
import { displayState } from "./displayState.ts";
import { executorIdOf } from "./executorId.ts";
import { findIn, nextIn } from "./ordered.ts";
import type { PodRecord } from "./podRecord.ts";

export const executorPodOf = (pod: PodRecord): ExecutorPod => ({
  pod,
  state: displayState(pod),
  executorId: executorIdOf(pod),
});

/** Compares by executor id. Pods without an id come last. */
export const byExecutorId = (a: ExecutorPlace, b: ExecutorPlace): number =>
  (a.executorId ?? Infinity) - (b.executorId ?? Infinity) ||
  compareText(a.pod.creationTimestamp, b.pod.creationTimestamp) ||
  compareText(a.pod.uid, b.pod.uid);

/** Returns another executor pod of the application with the same id. Undefined if there is none. */
export function podWithSameId(
  { live, ended }: Pick<Application, "live" | "ended">,
  executor: ExecutorPlace,
): ExecutorPod | undefined {
  for (const list of [live, ended]) {
    const first = findIn<ExecutorPlace, ExecutorPod>(list, executor, byIdAlone);
    if (first === undefined) continue;
    if (first.pod.uid !== executor.pod.uid) return first;
    const next = nextIn(list, first, byExecutorId);
    if (next?.executorId === executor.executorId) return next;
  }
  return undefined;
}

const byIdAlone = (a: ExecutorPlace, b: ExecutorPlace): number =>
  (a.executorId ?? Infinity) - (b.executorId ?? Infinity) || 0;

/** The fields by which executors are sorted. */
type ExecutorPlace = Pick<ExecutorPod, "executorId" | "pod">;

interface Tally {
  readonly counts: ExecutorCounts;
  readonly profiles: readonly ProfileCounts[];
}

export const emptyTally: Tally = Object.freeze({ counts: noExecutors, profiles: [] });

/** Returns the tally after removals and additions; the same object if nothing changes. */
export function recount(
  tally: Tally,
  gone: readonly ExecutorPod[],
  come: readonly ExecutorPod[],
): Tally {
  if (isSameMix(gone, come)) return tally;
  const counts = { ...tally.counts };
  const profiles = new Map(tally.profiles.map((one) => [one.profile, { ...one.counts }]));
  const add = ({ pod, state }: ExecutorPod, by: 1 | -1): void => {
    const as = countedAs(state);
    const profile = profileOf(pod);
    const ofProfile = profiles.get(profile) ?? { ...noExecutors };
    profiles.set(profile, ofProfile);
    counts[as] += by;
    ofProfile[as] += by;
  };
  for (const executor of gone) add(executor, -1);
  for (const executor of come) add(executor, 1);
  return {
    counts,
    profiles: [...profiles]
      .filter(([, ofProfile]) => sumOf(ofProfile) > 0)
      .map(([profile, ofProfile]) => ({ profile, counts: ofProfile }))
      .sort((a, b) => Number(a.profile) - Number(b.profile) || compareText(a.profile, b.profile)),
  };
}

// True if the counts do not change. Fast path: most pod changes keep the counted state and the profile.
function isSameMix(gone: readonly ExecutorPod[], come: readonly ExecutorPod[]): boolean {
  if (gone.length !== come.length) return false;
  return gone.every((before, at) => {
    const after = come[at];
    return (
      after !== undefined &&
      countedAs(before.state) === countedAs(after.state) &&
      profileOf(before.pod) === profileOf(after.pod)
    );
  });
}

export const sumOf = ({ pending, running, failed, finished, unknown }: ExecutorCounts): number =>
  pending + running + failed + finished + unknown;

const defaultProfile = "0";

const profileOf = ({ labels }: PodRecord): string =>
  labels[resourceProfileIdLabel] ?? defaultProfile;

/** Returns the resource profile of a pod. Undefined for the default profile. */
export const ownProfileOf = (pod: PodRecord): string | undefined =>
  profileOf(pod) === defaultProfile ? undefined : profileOf(pod);

function countedAs({ kind }: ExecutorPod["state"]): keyof ExecutorCounts {
  switch (kind) {
    case "requested":
    case "unscheduled":
    case "scheduled":
    case "initializing":
    case "pulling":
    case "starting":
    case "blocked":
      return "pending";
    case "running":
    case "terminating":
      return "running";
    case "failed":
    case "unknown":
      return kind;
    case "succeeded":
    case "stopped":
    case "deleted":
      return "finished";
    default:
      return assertNever(kind);
  }
}
