import { executorContainerName } from "../labels.ts";
import type { ContainerRecord, PodRecord } from "./podRecord.ts";

/** The state of an executor pod as Spark's driver computes it (ExecutorPodsSnapshot of Spark 3.1 and later). */
type SparkState =
  "pending" | "running" | "succeeded" | "failed" | "deleted" | "terminating" | "unknown";

export interface SparkStateRules {
  /** `spark.kubernetes.executor.checkAllContainers`; the default is false up to Spark 3.5, and true from 4.0 on. */
  readonly checkAllContainers: boolean;
  /** The name by which Spark finds its container. A pod template may set another name than the default. */
  readonly containerName: string;
}

export const sparkStateRules: SparkStateRules = Object.freeze({
  checkAllContainers: true,
  containerName: executorContainerName,
});

/**
 * Computes the state as Spark's driver does. Spark finds its container only by name. If the pod template uses another
 * name, the executor therefore stays running after its process has ended.
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

/** Returns the exit code that Spark reports. -1 if Spark's container has not ended, 0 if the code is missing. */
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

// Unlike in `sparkExitCode`, a missing exit code counts as a failure.
const hasFailedToSpark = ({ state }: ContainerRecord): boolean =>
  state?.kind === "terminated" && state.exitCode !== 0;
