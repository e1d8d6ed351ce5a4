import type { DisplayState } from "./displayState.ts";
import type { OperatorResource, ResourceName } from "./operatorResource.ts";
import type { Ordered } from "./ordered.ts";
import type { PodRecord } from "./podRecord.ts";

/** One run of a Spark application, from spark-submit, an operator or any other tool. */
export interface Application {
  /** `namespace/id`, unique within a cluster. If the id was reused, `@` and the uid of the run's driver follow. */
  readonly key: string;
  readonly namespace: string;
  /**
   * Label `spark-app-selector`. For a Connect server of the Kubeflow operator, the name of its resource. Fallback: the
   * name of the pod or custom resource.
   */
  readonly id: string;
  readonly name: string;
  /** Creation time of the driver pod, or else of the oldest pod seen. Without pods, that of the custom resource. */
  readonly createdAt: string;
  readonly origin: Origin;
  readonly driver: SparkPod | undefined;
  /** Executors that have not ended, sorted by executor id. Executors without an id come last. */
  readonly live: Ordered<ExecutorPod>;
  /** Executors that have ended and whose pods still exist, in the same order. */
  readonly ended: Ordered<ExecutorPod>;
  /** Counts of the existing executor pods. */
  readonly counts: ExecutorCounts;
  /**
   * Former executor ids by pod uid, oldest first. For Spark, a restarted container of a StatefulSet or Deployment is a
   * new executor.
   */
  readonly formerIds: ReadonlyMap<string, readonly number[]>;
  /**
   * Counts by resource profile; the default profile (0) comes first. One entry if all executors have the same profile.
   */
  readonly profiles: readonly ProfileCounts[];
  readonly past: DeletedPodFacts;
  readonly state: ApplicationState;
  /** The custom resource of the operator. Undefined without an operator, and until the resource is known. */
  readonly resource: OperatorResource | undefined;
  /** Keys of earlier runs with the same id. */
  readonly formerKeys: readonly string[];
}

/** The creator and the type of an application. */
export interface Origin {
  /** The custom resource that created the application, according to the labels of its pods. */
  readonly operator: ResourceName | undefined;
  /** True for a Spark Connect server, which runs until it is stopped. */
  readonly isConnect: boolean;
  /** `SPARK_USER` of the driver pod, or of an executor if no driver pod is known. Undefined if that pod has none. */
  readonly user: string | undefined;
}

export type ApplicationState =
  /** The state of the driver pod. */
  | DisplayState
  /**
   * Executors are alive without a driver pod: the driver runs outside the cluster, or in the pod `owner`, which has no
   * Spark labels. This is inferred, because executors end without their driver.
   */
  | { readonly kind: "driverElsewhere"; readonly owner: string | undefined }
  /**
   * There is no driver, and no sign of an external one: its pod was deleted or is missing, or all remaining executors
   * have ended.
   */
  | { readonly kind: "orphaned" }
  /** There are no pods. The state is that of the custom resource. */
  | { readonly kind: "operated"; readonly resource: OperatorResource };

export interface SparkPod {
  readonly pod: PodRecord;
  readonly state: DisplayState;
}

export interface ExecutorPod extends SparkPod {
  /** Undefined while the pod's label `spark-exec-id` is missing or invalid. */
  readonly executorId: number | undefined;
}

export interface ExecutorCounts {
  readonly pending: number;
  readonly running: number;
  readonly failed: number;
  readonly finished: number;
  /** Executors on unreachable nodes. */
  readonly unknown: number;
}

export interface ProfileCounts {
  /** Label `spark-exec-resourceprofile-id`; 0 if absent. */
  readonly profile: string;
  readonly counts: ExecutorCounts;
}

/** A summary of the application's pods that were deleted since the watch began. */
export interface DeletedPodFacts {
  /** Creation time of the oldest pod seen. */
  readonly firstSeen: string;
  /** The highest executor id seen. If the driver creates the pods, at least this many executors were requested. */
  readonly highestId: number;
  /** Deleted executor pods. `failed`: failed ones. `finished`: those that succeeded, were stopped or were deleted. */
  readonly failed: number;
  readonly finished: number;
  /** The last known state of the deleted executor that failed most recently. */
  readonly lastFailed: SparkPod | undefined;
  /** The executor whose pod was deleted last while it ran, by Spark or by someone else. */
  readonly lastDeleted: SparkPod | undefined;
  /** The end of the last executor that ended without a failure. */
  readonly lastFinishedAt: string | undefined;
  /** The last known state of the driver. Undefined until its pod is deleted. */
  readonly driver: SparkPod | undefined;
  /** Resource profiles with executors of a StatefulSet or Deployment. Scaling to 0 does not delete these objects. */
  readonly setProfiles: readonly string[];
}

export const noExecutors: ExecutorCounts = Object.freeze({
  pending: 0,
  running: 0,
  failed: 0,
  finished: 0,
  unknown: 0,
});

/** True if the pod is in a final state. */
export const hasEndedPod = ({ state }: SparkPod): boolean =>
  state.kind === "succeeded" ||
  state.kind === "deleted" ||
  state.kind === "failed" ||
  state.kind === "stopped";

/** True while Kubernetes deletes the pod, which takes up to its grace period. */
export const isBeingDeleted = ({ pod }: SparkPod): boolean => pod.deletionTimestamp !== undefined;

/**
 * True if the driver or an executor has not ended. Without pods, true if the custom resource has not ended. Such an
 * application can be stopped.
 */
export function isAlive({ driver, live, state }: Application): boolean {
  if (live.size > 0 || (driver !== undefined && !hasEndedPod(driver))) return true;
  return state.kind === "operated" && !state.resource.hasEnded;
}
