import {
  driverContainerName,
  isDriverRole,
  executorContainerName,
  roleLabel,
  sparkVersionLabel,
} from "../labels.ts";
import type { SparkStateRules } from "./executorState.ts";
import type { ContainerRecord, PodRecord } from "./podRecord.ts";

/**
 * Returns the container that runs Spark. A template may rename it, so its arguments take precedence over its name.
 * `preferred`: the name from the conf, if it is known. Undefined without containers.
 */
export function sparkContainerOf(pod: PodRecord, preferred?: string): ContainerRecord | undefined {
  const role = pod.labels[roleLabel];
  const { containers } = pod;
  return (
    (preferred === undefined ? undefined : named(containers, preferred)) ??
    running(containers, role) ??
    named(containers, isDriverRole(role) ? driverContainerName : executorContainerName) ??
    // The name that older operators set.
    named(containers, "executor") ??
    containers[0]
  );
}

// Runs several times for each change of a pod. A loop avoids the closure of `find`.
function running(
  containers: readonly ContainerRecord[],
  role: string | undefined,
): ContainerRecord | undefined {
  if (role === undefined) return undefined;
  for (const container of containers) if (container.firstArgument === role) return container;
  return undefined;
}

function named(containers: readonly ContainerRecord[], name: string): ContainerRecord | undefined {
  for (const container of containers) if (container.name === name) return container;
  return undefined;
}

/** Returns the rules of the pod's Spark version. Without a version label, those up to Spark 3.5. */
export function rulesOf(pod: PodRecord): SparkStateRules {
  return {
    checkAllContainers: Number.parseInt(pod.labels[sparkVersionLabel] ?? "", 10) >= 4,
    containerName: sparkContainerOf(pod)?.name ?? executorContainerName,
  };
}
