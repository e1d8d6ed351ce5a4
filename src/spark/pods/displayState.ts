import { executorInactiveLabel, isDriverRole, roleLabel } from "../labels.ts";
import { requestedEndOf, type RequestedEnd } from "./endMark.ts";
import { disruptionOf, exitOf, hasEnded, hasFailed, lastExitOf, type PodExit } from "./podExit.ts";
import type { ContainerRecord, PodRecord } from "./podRecord.ts";
import { rulesOf, sparkContainerOf } from "./sparkContainer.ts";

/** The state of a driver or executor pod as the user interface shows it. Finer than Spark's own states. */
export type DisplayState =
  /** The API server has the pod, and its status is still empty. */
  | { readonly kind: "requested" }
  /** The pod has no node yet. `held`: a scheduling gate, such as that of a queue, keeps the pod from the scheduler. */
  | { readonly kind: "unscheduled"; readonly held: boolean; readonly message: string | undefined }
  | { readonly kind: "scheduled" }
  | { readonly kind: "initializing"; readonly container: string }
  | { readonly kind: "pulling"; readonly image: string }
  | { readonly kind: "starting" }
  /** A container cannot start; Kubernetes retries. */
  | { readonly kind: "blocked"; readonly problem: StartProblem }
  | {
      readonly kind: "running";
      readonly restarts: number;
      /** The exit of Spark's container before its last restart. */
      readonly lastExit: PodExit | undefined;
      /** Another container of the pod that has failed. */
      readonly failedSidecar: string | undefined;
    }
  /** The pod was deleted or evicted, and is in its grace period. */
  | { readonly kind: "terminating" }
  | {
      readonly kind: "succeeded";
      /** The container that keeps the pod running although Spark has ended. Undefined if there is none. */
      readonly heldBy: string | undefined;
      readonly isDeleting: boolean;
    }
  | { readonly kind: "failed"; readonly exit: PodExit | undefined; readonly isDeleting: boolean }
  /** The pod ended because a user requested it, or because the pod was deleted. This is not a failure. */
  | {
      readonly kind: "stopped";
      readonly by: RequestedEnd | "deleted";
      readonly isDeleting: boolean;
    }
  /** The pod was deleted before a container started. */
  | { readonly kind: "deleted" }
  | { readonly kind: "unknown"; readonly phase: string; readonly isDeleting: boolean };

/** True for a running pod in its grace period, and for a pod that ended because it was deleted. */
export const isDeletion = (state: DisplayState): boolean =>
  state.kind === "terminating" || (state.kind === "stopped" && state.by === "deleted");

export interface StartProblem {
  readonly container: string;
  readonly image: string;
  readonly reason: string;
  readonly message: string | undefined;
}

/** The reasons of a waiting container whose image the node cannot pull. */
export const pullReasons: readonly string[] = ["ErrImagePull", "ImagePullBackOff"];

export function displayState(pod: PodRecord): DisplayState {
  const isDeleting = pod.deletionTimestamp !== undefined;
  switch (pod.phase?.toLowerCase()) {
    case undefined:
      return isDeleting ? { kind: "deleted" } : { kind: "requested" };
    case "pending":
      return isDeleting ? { kind: "deleted" } : pendingState(pod);
    case "running":
      return runningState(pod, isDeleting);
    case "terminating":
      return { kind: "terminating" };
    case "succeeded":
      return { kind: "succeeded", heldBy: undefined, isDeleting };
    case "failed":
      return failedState(pod, isDeleting);
    default:
      return { kind: "unknown", phase: pod.phase ?? "", isDeleting };
  }
}

function failedState(pod: PodRecord, isDeleting: boolean): DisplayState {
  const exit = exitOf(pod);
  const by = endCauseOf(pod, exit, isDeleting);
  return by === undefined
    ? { kind: "failed", exit, isDeleting }
    : { kind: "stopped", by, isDeleting };
}

/**
 * Returns the reason why the pod ended without a failure. Undefined for a failure. A container that exceeded its memory
 * limit has failed, even if a user ended its pod.
 */
function endCauseOf(
  pod: PodRecord,
  exit: PodExit | undefined,
  isDeleting: boolean,
): RequestedEnd | "deleted" | undefined {
  if (exit?.reason === "OOMKilled") return undefined;
  const requested = requestedEndOf(pod.labels);
  if (requested !== undefined) return requested;
  if (!isDeleting || pod.hasEndedFirst || exit?.isSpark !== true) return undefined;
  // If the kubelet loses track of a container after the deletion, Kubernetes reports exit code 137 as a placeholder.
  if (exit.reason === "ContainerStatusUnknown") return "deleted";
  // 143 is 128 plus SIGTERM, which the kubelet sends when the pod is deleted.
  return exit.exitCode === 143 && !pod.reason && !disruptionOf(pod) ? "deleted" : undefined;
}

function pendingState(pod: PodRecord): DisplayState {
  if (!pod.nodeName) {
    const condition = pod.conditions.find(({ type }) => type === "PodScheduled");
    return {
      kind: "unscheduled",
      held: condition?.reason === "SchedulingGated",
      message: condition?.message,
    };
  }
  const problem = findProblem([...pod.initContainers, ...pod.containers]);
  if (problem) return { kind: "blocked", problem };
  const main = pod.containers.find(({ state }) => state !== undefined);
  if (isInitializing(pod)) {
    const running = pod.initContainers.find((container) => !hasEnded(container));
    return running?.state?.kind === "running"
      ? { kind: "initializing", container: running.name }
      : { kind: "scheduled" };
  }
  if (main?.state === undefined) return { kind: "scheduled" };
  if (main.state.kind !== "waiting") return { kind: "starting" };
  // Once the pod sandbox and its network are ready, the pod waits for its image.
  const image = (sparkContainerOf(pod) ?? main).image;
  return isTrue(pod, "PodReadyToStartContainers")
    ? { kind: "pulling", image }
    : { kind: "starting" };
}

// Checks the containers, because a sidecar among the init containers keeps running after initialization.
const isInitializing = (pod: PodRecord): boolean =>
  pod.initContainers.length > 0 &&
  pod.containers.every(
    ({ state }) =>
      state === undefined || (state.kind === "waiting" && state.reason === "PodInitializing"),
  );

function runningState(pod: PodRecord, isDeleting: boolean): DisplayState {
  const spark = sparkContainerOf(pod);
  if (spark && hasFailed(spark)) return failedState(pod, isDeleting);
  if (spark && hasEnded(spark)) {
    const heldBy = pod.containers.find(
      (one) => one !== spark && one.state?.kind === "running",
    )?.name;
    return { kind: "succeeded", heldBy, isDeleting };
  }
  const failed = failedSidecarOf(pod, spark);
  if (failed && isGivenUp(pod)) return failedState(pod, isDeleting);
  if (isDeleting) return { kind: "terminating" };
  const problem = spark && findProblem([spark]);
  if (problem) return { kind: "blocked", problem };
  if (spark?.state?.kind === "waiting") return { kind: "starting" };
  return {
    kind: "running",
    restarts: spark?.restartCount ?? 0,
    lastExit: spark && lastExitOf(spark),
    failedSidecar: (failed ?? crashedSidecar(pod))?.name,
  };
}

/** Returns the first failed container other than Spark's. Undefined if there is none. */
export function failedSidecarOf(
  { containers }: PodRecord,
  spark: ContainerRecord | undefined,
): ContainerRecord | undefined {
  for (const one of containers) if (one !== spark && hasFailed(one)) return one;
  return undefined;
}

/**
 * Returns the crashed restartable init container (sidecar) of a running pod. Undefined if there is none. In a running
 * pod, all other init containers have succeeded. Spark does not check sidecars of this kind.
 */
export function crashedSidecar({ initContainers }: PodRecord): ContainerRecord | undefined {
  for (const one of initContainers) {
    const isLooping = one.state?.kind === "waiting" && one.state.reason === "CrashLoopBackOff";
    if (isLooping || hasFailed(one)) return one;
  }
  return undefined;
}

/**
 * True if Spark has removed the executor because one of its containers failed. Spark does so if
 * `spark.kubernetes.executor.checkAllContainers` is true, which the pod does not show. Within seconds the driver
 * deletes the pod or labels it inactive. For drivers, Spark checks no other container, so this is false.
 */
const isGivenUp = (pod: PodRecord): boolean =>
  !isDriverRole(pod.labels[roleLabel]) &&
  pod.restartPolicy === "Never" &&
  (pod.labels[executorInactiveLabel] === "true" ||
    (pod.deletionTimestamp !== undefined && rulesOf(pod).checkAllContainers));

// Reasons for waiting that occur in every normal start.
const ordinaryWaits: readonly string[] = ["ContainerCreating", "PodInitializing"];

function findProblem(containers: readonly ContainerRecord[]): StartProblem | undefined {
  for (const { name, image, state } of containers) {
    if (state?.kind !== "waiting" || !state.reason || ordinaryWaits.includes(state.reason))
      continue;
    return { container: name, image, reason: state.reason, message: state.message };
  }
  return undefined;
}

const isTrue = (pod: PodRecord, type: string): boolean =>
  pod.conditions.some((condition) => condition.type === type && condition.status === "True");
