import { executorContainerName } from "../labels.ts";
import type { ContainerRecord, PodRecord } from "./podRecord.ts";

/** The state in which Spark's driver sees an executor pod (ExecutorPodsSnapshot of Spark 3.1 and later). */
export type SparkState =
  "pending" | "running" | "succeeded" | "failed" | "deleted" | "terminating" | "unknown";

export interface SparkStateRules {
  /** `spark.kubernetes.executor.checkAllContainers`: false up to Spark 3.5, true from 4.0 on. */
  readonly checkAllContainers: boolean;
  /** `spark.kubernetes.executor.podTemplateContainerName`, where it is set. */
  readonly containerName: string;
}

export const sparkStateRules: SparkStateRules = Object.freeze({
  checkAllContainers: true,
  containerName: executorContainerName,
});

/**
 * What Spark says, trap included: it finds its container by name alone, so an executor whose template
 * gives another name is running to Spark although its process has ended.
 */
export function sparkState(pod: PodRecord, rules: SparkStateRules): SparkState {
  const phase = pod.phase?.toLowerCase();
  const leaving = pod.deletionTimestamp !== undefined;
  if (leaving && phase !== "running" && phase !== "terminating") return "deleted";
  switch (phase) {
    case "running":
      return runningState(pod, rules);
    case "pending":
    case "failed":
    case "succeeded":
    case "terminating":
      return phase;
    case undefined:
    default:
      return "unknown";
  }
}

/** The exit code that Spark reports: of its own container, -1 where that has not ended, 0 where it has no code. */
export function sparkExitCode(pod: PodRecord, containerName: string): number {
  for (const { name, state } of pod.containers) {
    if (name === containerName && state?.kind === "terminated") return state.exitCode ?? 0;
  }
  return -1;
}

function runningState(pod: PodRecord, rules: SparkStateRules): SparkState {
  if (
    rules.checkAllContainers &&
    pod.restartPolicy === "Never" &&
    pod.containers.some(hasFailedToSpark)
  ) {
    return "failed";
  }
  const state = pod.containers.find(({ name }) => name === rules.containerName)?.state;
  if (state?.kind !== "terminated" || state.exitCode === undefined) return "running";
  return state.exitCode === 0 ? "succeeded" : "failed";
}

// A container that ended without an exit code counts as failed here, unlike below.
const hasFailedToSpark = ({ state }: ContainerRecord): boolean =>
  state?.kind === "terminated" && state.exitCode !== 0;
