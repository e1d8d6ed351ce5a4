import { isDriverRole, roleLabel } from "../labels.ts";
import { exitOf, hasEnded, hasFailed, lastExitOf, type PodExit } from "./podExit.ts";
import type { ContainerRecord, PodRecord } from "./podRecord.ts";
import { rulesOf, sparkContainerOf } from "./sparkContainer.ts";

/** What people are told of a driver or an executor; finer than Spark's own states, and kept after the end. */
export type DisplayState =
  /** The server has the pod; nobody has reported on it yet. */
  | { readonly kind: "requested" }
  /** No node yet; `held`: a queue keeps it from the scheduler. */
  | { readonly kind: "unscheduled"; readonly held: boolean; readonly message: string | undefined }
  | { readonly kind: "scheduled" }
  | { readonly kind: "initializing"; readonly container: string }
  | { readonly kind: "pulling"; readonly image: string }
  | { readonly kind: "starting" }
  /** A container cannot start; Kubernetes tries on. */
  | { readonly kind: "blocked"; readonly problem: StartProblem }
  | {
      readonly kind: "running";
      readonly restarts: number;
      /** How Spark's container ended before it was started again. */
      readonly lastExit: PodExit | undefined;
      /** A container beside Spark's that has failed. */
      readonly failedSidecar: string | undefined;
    }
  /** Asked to leave, and still there. */
  | { readonly kind: "terminating" }
  | {
      readonly kind: "succeeded";
      /** A container that keeps the pod alive although Spark has ended. */
      readonly heldBy: string | undefined;
      readonly isDeleting: boolean;
    }
  | { readonly kind: "failed"; readonly exit: PodExit | undefined; readonly isDeleting: boolean }
  /** Deleted before anything in it ran. */
  | { readonly kind: "deleted" }
  | { readonly kind: "unknown"; readonly phase: string; readonly isDeleting: boolean };

export interface StartProblem {
  readonly container: string;
  readonly image: string;
  readonly reason: string;
  readonly message: string | undefined;
}

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
      return { kind: "failed", exit: exitOf(pod), isDeleting };
    default:
      return { kind: "unknown", phase: pod.phase ?? "", isDeleting };
  }
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
  // Once its network is up, what a pod waits for is its image.
  const image = (sparkContainerOf(pod) ?? main).image;
  return isTrue(pod, "PodReadyToStartContainers")
    ? { kind: "pulling", image }
    : { kind: "starting" };
}

// The containers say that they wait for the init containers; a sidecar among these goes on running after.
const isInitializing = (pod: PodRecord): boolean =>
  pod.initContainers.length > 0 &&
  pod.containers.every(
    ({ state }) =>
      state === undefined || (state.kind === "waiting" && state.reason === "PodInitializing"),
  );

function runningState(pod: PodRecord, isDeleting: boolean): DisplayState {
  const spark = sparkContainerOf(pod);
  if (spark && hasFailed(spark)) return { kind: "failed", exit: exitOf(pod), isDeleting };
  if (spark && hasEnded(spark)) {
    const heldBy = pod.containers.find(
      (one) => one !== spark && one.state?.kind === "running",
    )?.name;
    return { kind: "succeeded", heldBy, isDeleting };
  }
  const failed = failedBeside(pod, spark);
  if (failed && endsWithAnyContainer(pod)) return { kind: "failed", exit: exitOf(pod), isDeleting };
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

/** The first container beside Spark's own that has failed. */
export function failedBeside(
  { containers }: PodRecord,
  spark: ContainerRecord | undefined,
): ContainerRecord | undefined {
  for (const one of containers) if (one !== spark && hasFailed(one)) return one;
  return undefined;
}

/**
 * A container for the pod's whole life, among the init containers of a pod that runs, that is down: the others
 * have all ended well by then. Spark does not look at these.
 */
export function crashedSidecar({ initContainers }: PodRecord): ContainerRecord | undefined {
  for (const one of initContainers) {
    const isLooping = one.state?.kind === "waiting" && one.state.reason === "CrashLoopBackOff";
    if (isLooping || hasFailed(one)) return one;
  }
  return undefined;
}

// From 4.0 on Spark gives an executor up when any of its containers fails; of a driver nobody judges so.
const endsWithAnyContainer = (pod: PodRecord): boolean =>
  !isDriverRole(pod.labels[roleLabel]) &&
  pod.restartPolicy === "Never" &&
  rulesOf(pod).checkAllContainers;

// Reasons to wait that pass by themselves.
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
