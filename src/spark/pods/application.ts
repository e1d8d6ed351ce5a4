import type { DisplayState } from "./displayState.ts";
import type { OperatorResource, ResourceName } from "./operatorResource.ts";
import type { Ordered } from "./ordered.ts";
import type { PodRecord } from "./podRecord.ts";

/** One run of a Spark application, however it came to be. */
export interface Application {
  /** `namespace/id`, which tells it apart within a cluster; with `@uid` of its driver for a run whose id was used again. */
  readonly key: string;
  readonly namespace: string;
  /** Label `spark-app-selector`; the pod's or the custom resource's name where there is none. */
  readonly id: string;
  readonly name: string;
  /** When its driver was created, or the first of its pods that was seen. */
  readonly createdAt: string;
  readonly origin: Origin;
  readonly driver: SparkPod | undefined;
  /** Executors that have not ended, by executor id; those without one last. */
  readonly live: Ordered<ExecutorPod>;
  /** Executors whose pods are still there although they have ended; in the same order. */
  readonly ended: Ordered<ExecutorPod>;
  /** Of the executor pods that are there. */
  readonly counts: ExecutorCounts;
  /**
   * Ids that executors had before, the oldest first, by the uids of their pods: where a set of the cluster starts
   * a container anew in its pod, it is another executor to Spark.
   */
  readonly formerIds: ReadonlyMap<string, readonly number[]>;
  /** By resource profile, the default one (0) first; one entry where all executors are alike. */
  readonly profiles: readonly ProfileCounts[];
  /** What was seen of pods that are gone. */
  readonly past: Past;
  readonly state: ApplicationState;
  /** The custom resource by which an operator runs it, once that is known. */
  readonly resource: OperatorResource | undefined;
  /** Keys of older runs that had the same id. */
  readonly formerKeys: readonly string[];
}

/** How an application came to be. */
export interface Origin {
  /** The operator's object that it was made from, as its labels name it. */
  readonly operator: ResourceName | undefined;
  /** True for a Spark Connect server: it runs until it is stopped. */
  readonly isConnect: boolean;
  /** The driver's user, as Spark knows it; undefined where no pod tells. */
  readonly user: string | undefined;
}

export type ApplicationState =
  /** The driver's. */
  | DisplayState
  /**
   * Executors are alive and no driver pod is seen: it runs outside the cluster, or in the pod `owner`, which
   * has no label of Spark. Inferred: executors end themselves when their driver is gone.
   */
  | { readonly kind: "driverElsewhere"; readonly owner: string | undefined }
  /** Executors without a driver: its pod was deleted or is not where it would be, or all that is left of them has ended. */
  | { readonly kind: "orphaned" }
  /** No pods: what the operator says of its custom resource. */
  | { readonly kind: "operated"; readonly resource: OperatorResource };

export interface SparkPod {
  readonly pod: PodRecord;
  readonly state: DisplayState;
}

export interface ExecutorPod extends SparkPod {
  /** Undefined until the pod has a usable `spark-exec-id`. */
  readonly executorId: number | undefined;
}

export interface ExecutorCounts {
  readonly pending: number;
  readonly running: number;
  readonly failed: number;
  readonly finished: number;
  /** Of which their nodes tell nothing. */
  readonly unknown: number;
}

export interface ProfileCounts {
  /** Label `spark-exec-resourceprofile-id`; 0 where there is none. */
  readonly profile: string;
  readonly counts: ExecutorCounts;
}

/** What is remembered of pods that are gone: only as far back as the watch reaches. */
export interface Past {
  /** When the first pod that was seen was created. */
  readonly firstSeen: string;
  /** The highest executor id ever seen: as many executors the driver has asked for at least, where it makes their pods itself. */
  readonly highestId: number;
  /** Executors whose pods are gone: those that had failed, and those that ended well or were deleted. */
  readonly failed: number;
  readonly finished: number;
  /** Of those that had failed the one that ended last, as its pod was when it went. */
  readonly lastFailed: SparkPod | undefined;
  /** When the last one that did not fail left, as its pod told. */
  readonly lastFinishedAt: string | undefined;
  /** The driver, once its pod is gone. */
  readonly driver: SparkPod | undefined;
  /** Resource profiles whose executors a set of the cluster was seen to make: it is there, too, while it is to make none. */
  readonly setProfiles: readonly string[];
}

export const noExecutors: ExecutorCounts = Object.freeze({
  pending: 0,
  running: 0,
  failed: 0,
  finished: 0,
  unknown: 0,
});

/** True for an executor or a driver of which no more is to be expected. */
export const hasEndedPod = ({ state }: SparkPod): boolean =>
  state.kind === "succeeded" || state.kind === "deleted" || state.kind === "failed";

/** True while there is something to stop. */
export function isAlive({ driver, live, state }: Application): boolean {
  if (live.size > 0 || (driver !== undefined && !hasEndedPod(driver))) return true;
  return state.kind === "operated" && !state.resource.hasEnded;
}
