import { requestOf } from "../diagnosis/amounts.ts";
import type { SparkPod } from "../pods/application.ts";
import { requestedEndOf } from "../pods/endMark.ts";
import { epochOf, timesOf } from "../pods/podTimes.ts";
import { pendingReasonOf, type PendingReason } from "./pendingReason.ts";
import type { PodPhase, StateChange } from "./stateChange.ts";
import type { SpentResources, TimelineMark } from "./timeline.ts";

/** The phase of a pod, and the reason if it is pending. */
export interface PodSituation {
  readonly phase: PodPhase;
  readonly reason: PendingReason | undefined;
}

export function podSituationOf({ pod, state }: SparkPod): PodSituation {
  const reason = pendingReasonOf(state);
  if (reason !== undefined) return { phase: "pending", reason };
  return { phase: phaseOf({ pod, state }), reason: undefined };
}

function phaseOf({ pod, state: { kind } }: SparkPod): PodPhase {
  if (kind === "running") return requestedEndOf(pod.labels) === undefined ? "running" : "leaving";
  if (kind === "terminating") return "leaving";
  return kind === "failed" || kind === "unknown" ? kind : "finished";
}

export const hasEndedPhase = (phase: PodPhase): boolean =>
  phase === "failed" || phase === "finished";

interface ChangeFacts {
  readonly name: string;
  readonly now: number;
  readonly changedAt?: number | undefined;
}

/**
 * Returns the changes of a pod since `before`, in order of time. If `before` is undefined, the first change is the
 * creation of the pod. The times of start and end come from the container status. Other changes get the time `now`
 * (epoch ms). `name`: the pod in the timeline. `changedAt`: the time of the pod's last change in epoch ms. No change
 * gets an earlier time: timestamps of containers are truncated to seconds, so a pod could seem to end before its
 * deletion.
 */
export function changesSince(
  before: PodSituation | undefined,
  spark: SparkPod,
  { name, now, changedAt = -Infinity }: ChangeFacts,
): readonly StateChange[] {
  const after = podSituationOf(spark);
  if (before?.phase === after.phase && before.reason === after.reason) return [];
  const times = timesOf(spark);
  const [created, started, ended] = [
    spark.pod.creationTimestamp,
    times.startedAt,
    times.endedAt,
  ].map(epochOf);
  const changes: StateChange[] = [];
  let last = before;
  let lastAt = changedAt;
  const move = (to: PodSituation, at: number): void => {
    lastAt = Math.max(lastAt, Math.min(at, now));
    const { phase, reason } = to;
    changes.push({
      ...{ at: lastAt, pod: name, from: last?.phase, fromReason: last?.reason },
      ...{ to: phase, reason },
    });
    last = to;
  };
  if (before === undefined) {
    const isWaiting = after.phase === "pending";
    move(isWaiting ? after : { phase: "pending", reason: "starting" }, created ?? now);
    if (isWaiting) return changes;
  }
  const wasPending = last?.phase === "pending";
  if (wasPending && after.phase !== "pending" && after.phase !== "running" && started !== undefined)
    move({ phase: "running", reason: undefined }, started);
  move(after, (hasEndedPhase(after.phase) ? ended : wasPending ? started : undefined) ?? now);
  return changes;
}

/** Returns the change of a pod that has disappeared; undefined if the pod had ended before. */
export const removalOf = (
  { phase, reason }: PodSituation,
  pod: string,
  at: number,
): StateChange | undefined =>
  hasEndedPhase(phase)
    ? undefined
    : { ...{ at, pod, from: phase, fromReason: reason }, to: "finished", reason: undefined };

/** Returns the mark of a pod that a user has ended, that was deleted, or that has failed. Undefined for other pods. */
export function timelineMarkOf(
  spark: SparkPod,
  pod: string,
  now: number,
): TimelineMark | undefined {
  const { state } = spark;
  const requested = requestedEndOf(spark.pod.labels);
  const at = Math.min(now, epochOf(timesOf(spark).endedAt) ?? now);
  if (requested !== undefined) return { at, kind: requested, pod, exit: "" };
  if (state.kind === "stopped") return { at, kind: "deleted", pod, exit: "" };
  if (state.kind !== "failed") return undefined;
  const { exitCode, reason } = state.exit ?? {};
  return { at, kind: "failed", pod, exit: [exitCode, reason].filter(isKnown).join(" ") };
}

const isKnown = (part: unknown): boolean => part !== undefined && part !== "";

/**
 * Returns the requested resources of a pod, multiplied by the time from its start to its end, or to `now` (epoch ms). 0
 * if it has not started.
 */
export function spentBy(spark: SparkPod, now: number): SpentResources {
  const start = epochOf(spark.pod.startTime);
  if (start === undefined) return { coreMs: 0, byteMs: 0 };
  const ms = Math.max(0, (epochOf(timesOf(spark).endedAt) ?? now) - start);
  return {
    coreMs: ms * requestOf(spark.pod, "cpu"),
    byteMs: ms * requestOf(spark.pod, "memory"),
  };
}
