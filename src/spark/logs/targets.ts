import { hasEndedPod, type SparkPod } from "../pods/application.ts";
import type { ContainerRecord, PodRecord } from "../pods/podRecord.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";

/** A container of a pod whose log is followed. */
export interface LogTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  /** Undefined for a pod without containers, which only a faulty API server returns. */
  readonly container: string | undefined;
}

/** Returns the container that runs Spark. `preferred`: its name in the conf, if known. */
export function logTargetOf({ pod }: SparkPod, preferred?: string): LogTarget {
  const { namespace, name, uid } = pod;
  return { namespace, pod: name, uid, container: sparkContainerOf(pod, preferred)?.name };
}

/** True if the log is complete. `pod`: the current version; undefined if it was deleted. */
export function hasTargetEnded(pod: PodRecord | undefined, target: LogTarget): boolean {
  if (pod === undefined || pod.uid !== target.uid) return true;
  if (pod.phase === "Succeeded" || pod.phase === "Failed") return true;
  const container = containerNamed(pod, target.container);
  if (container?.state?.kind !== "terminated") return false;
  const isInitialized = container.state.exitCode === 0 && pod.initContainers.includes(container);
  // Other restart policies may restart the container and continue its log.
  return isInitialized || pod.restartPolicy === "Never";
}

/** Returns a container or init container by name. */
export const containerNamed = (
  { containers, initContainers }: PodRecord,
  name: string | undefined,
): ContainerRecord | undefined =>
  containers.find((container) => container.name === name) ??
  initContainers.find((container) => container.name === name);

/** Returns the containers with a log, Spark's first, including init containers and sidecars. */
export function containersWithLog({ pod, state }: SparkPod): readonly ContainerRecord[] {
  const spark = sparkContainerOf(pod);
  const others = [...pod.initContainers, ...pod.containers].filter((one) => one !== spark);
  return [...(spark ? [spark] : []), ...others].filter((one) => hasLog({ pod, state }, one));
}

/** True if the container has a log. A pod without a started container has none. */
export const hasLog = (
  { pod, state }: SparkPod,
  container: ContainerRecord | undefined,
): boolean =>
  hasEndedPod({ pod, state }) || container?.state === undefined
    ? pod.phase !== "Pending"
    : hasBegun(container);

/** Returns the start of a container's current log, in epoch ms of the cluster's clock; NaN if unknown. */
export function logBegan(pod: PodRecord, container: ContainerRecord | undefined): number {
  const { state, lastState } = container ?? {};
  const run = state?.kind === "waiting" ? lastState : state;
  const startedAt = run && run.kind !== "waiting" ? run.startedAt : undefined;
  return Date.parse(startedAt ?? pod.startTime ?? pod.creationTimestamp);
}

/** Returns the started init containers that block Spark's container, because they are running or have failed. */
export function blockingInitContainers(pod: PodRecord): readonly ContainerRecord[] {
  const spark = sparkContainerOf(pod);
  if (spark && hasBegun(spark)) return [];
  // A running sidecar does not block: it is ready at this point, and thus excluded.
  return pod.initContainers.filter((container) => !container.ready && hasBegun(container));
}

const hasBegun = ({ state, lastState }: ContainerRecord): boolean =>
  lastState !== undefined || (state !== undefined && state.kind !== "waiting");
