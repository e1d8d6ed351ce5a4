import { executorContainerName } from "../labels.ts";
import type { ContainerRecord, PodRecord } from "./podRecord.ts";

/** The state in which Spark's driver sees an executor pod (ExecutorPodsSnapshot of Spark 3.1 and later). */
type SparkState =
  "pending" | "running" | "succeeded" | "failed" | "deleted" | "terminating" | "unknown";

export interface SparkStateRules {
  /** `spark.kubernetes.executor.checkAllContainers`: false up to Spark 3.5, true from 4.0 on. */
  readonly checkAllContainers: boolean;
  /** `spark.kubernetes.executor.podTemplateContainerName`, if set. */
  readonly containerName: string;
}

export const sparkStateRules: SparkStateRules = Object.freeze({
  checkAllContainers: true,
  containerName: executorContainerName,
});

/**
 * The state as Spark computes it. Spark finds its container by name only, so an executor whose
 * template uses another name stays running after its process has ended.
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

/**
 * The exit code that Spark reports: -1 if its container has not ended, 0 if the code is missing.
 */
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

// Here a missing exit code counts as a failure, unlike above.
const hasFailedToSpark = ({ state }: ContainerRecord): boolean =>
  state?.kind === "terminated" && state.exitCode !== 0;
