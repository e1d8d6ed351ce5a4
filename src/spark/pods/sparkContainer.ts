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
  const named = (name: string | undefined) =>
    pod.containers.find((container) => container.name === name);
  return (
    (preferred === undefined ? undefined : named(preferred)) ??
    pod.containers.find(
      ({ firstArgument }) => firstArgument !== undefined && firstArgument === role,
    ) ??
    named(isDriverRole(role) ? driverContainerName : executorContainerName) ??
    // The name that an older operator gives.
    named("executor") ??
    pod.containers[0]
  );
}

/** The rules by which the pod's own version of Spark judges it, as far as the pod tells. */
export function rulesOf(pod: PodRecord): SparkStateRules {
  return {
    checkAllContainers: Number.parseInt(pod.labels[sparkVersionLabel] ?? "", 10) >= 4,
    containerName: sparkContainerOf(pod)?.name ?? executorContainerName,
  };
}
