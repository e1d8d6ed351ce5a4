import { hasEndedPod, type Application, type SparkPod } from "../pods/application.ts";
import type { ContainerRecord, PodRecord } from "../pods/podRecord.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";

/** One container of one pod, to be followed. */
export interface LogTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  /** Undefined for a pod without containers, which only a broken server shows. */
  readonly container: string | undefined;
}

/** The container in which Spark runs; `preferred`: its name in the application's conf, where known. */
export function logTargetOf({ pod }: SparkPod, preferred?: string): LogTarget {
  const { namespace, name, uid } = pod;
  return { namespace, pod: name, uid, container: sparkContainerOf(pod, preferred)?.name };
}

/** An application's own log is its driver's; undefined where there is no driver pod. */
export const driverTargetOf = (application: Application): LogTarget | undefined =>
  application.driver && logTargetOf(application.driver);

/**
 * Whether nothing more will be written to the target's log. `pod` is what the snapshot holds of it now:
 * undefined means that it is gone.
 */
export function hasTargetEnded(pod: PodRecord | undefined, target: LogTarget): boolean {
  if (pod === undefined || pod.uid !== target.uid) return true;
  if (pod.phase === "Succeeded" || pod.phase === "Failed") return true;
  const container = containerNamed(pod, target.container);
  if (container?.state?.kind !== "terminated") return false;
  const isInitialized = container.state.exitCode === 0 && pod.initContainers.includes(container);
  // With another policy the container may be started again, and its log goes on.
  return isInitialized || pod.restartPolicy === "Never";
}

/** One of a pod's containers, or of those that run before them. */
export const containerNamed = (
  { containers, initContainers }: PodRecord,
  name: string | undefined,
): ContainerRecord | undefined =>
  containers.find((container) => container.name === name) ??
  initContainers.find((container) => container.name === name);

/** The containers of a pod that have a log, Spark's own first: those that run before it and beside it, too. */
export function containersWithLog({ pod, state }: SparkPod): readonly ContainerRecord[] {
  const spark = sparkContainerOf(pod);
  const others = [...pod.initContainers, ...pod.containers].filter((one) => one !== spark);
  return [...(spark ? [spark] : []), ...others].filter((one) => hasLog({ pod, state }, one));
}

/** A pod that has not started has no log to ask for. */
export const hasLog = (
  { pod, state }: SparkPod,
  container: ContainerRecord | undefined,
): boolean =>
  hasEndedPod({ pod, state }) || container?.state === undefined
    ? pod.phase !== "Pending"
    : hasBegun(container);

/** When a container's log as it is now began, by the cluster's time; NaN: nothing says. */
export function logBegan(pod: PodRecord, container: ContainerRecord | undefined): number {
  const { state, lastState } = container ?? {};
  const run = state?.kind === "waiting" ? lastState : state;
  const startedAt = run && run.kind !== "waiting" ? run.startedAt : undefined;
  return Date.parse(startedAt ?? pod.startTime ?? pod.creationTimestamp);
}

/** The init containers that have begun and that Spark's container still waits for, or has waited for in vain. */
export function heldUpBy(pod: PodRecord): readonly ContainerRecord[] {
  const spark = sparkContainerOf(pod);
  if (spark && hasBegun(spark)) return [];
  // One that goes on beside the others is ready by then.
  return pod.initContainers.filter((container) => !container.ready && hasBegun(container));
}

const hasBegun = ({ state, lastState }: ContainerRecord): boolean =>
  lastState !== undefined || (state !== undefined && state.kind !== "waiting");
