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
 * The container in which Spark itself runs. A template may give it any name, so what it runs counts for
 * more than what it is called; `preferred` is the name that the application's conf gives, where known.
 */
export function sparkContainerOf(pod: PodRecord, preferred?: string): ContainerRecord | undefined {
  const role = pod.labels[roleLabel];
  const { containers } = pod;
  return (
    (preferred === undefined ? undefined : named(containers, preferred)) ??
    running(containers, role) ??
    named(containers, isDriverRole(role) ? driverContainerName : executorContainerName) ??
    // The name that an older operator gives.
    named(containers, "executor") ??
    containers[0]
  );
}

// Asked several times of each change of a pod: loops make no functions, as `find` does.
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

/** The rules by which the pod's own version of Spark judges it, as far as the pod tells. */
export function rulesOf(pod: PodRecord): SparkStateRules {
  return {
    checkAllContainers: Number.parseInt(pod.labels[sparkVersionLabel] ?? "", 10) >= 4,
    containerName: sparkContainerOf(pod)?.name ?? executorContainerName,
  };
}
