/** The needed fields of a pod; about 30 times smaller than its JSON. */
export interface PodRecord {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion: string;
  /** RFC 3339, as the API server writes it. */
  readonly creationTimestamp: string;
  readonly deletionTimestamp: string | undefined;
  /** True if its Spark container was seen to end before the deletion; absent otherwise. Set by the snapshot. */
  readonly hasEndedFirst?: true;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerUid: string | undefined;
  /** The owner's name if the owner is a pod: an executor's driver. */
  readonly ownerPod: string | undefined;
  readonly nodeName: string | undefined;
  /** Labels that its node must have; absent without one, and once it has a node. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** The node on which the scheduler preempts pods for this one. */
  readonly nominatedNodeName: string | undefined;
  /** Undefined for the default scheduler. */
  readonly schedulerName: string | undefined;
  readonly restartPolicy: string | undefined;
  /** `status.phase`; undefined before the pod has a status. */
  readonly phase: string | undefined;
  /** `status.reason` and `status.message`: set for evictions and rejections. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly podIp: string | undefined;
  readonly startTime: string | undefined;
  /** `SPARK_USER` of its containers. */
  readonly sparkUser: string | undefined;
  /** For drivers only. */
  readonly driving: DriverFacts | undefined;
  readonly conditions: readonly PodCondition[];
  /** Names of the volume claims that it mounts; absent without one. */
  readonly claims?: readonly string[];
  readonly containers: readonly ContainerRecord[];
  readonly initContainers: readonly ContainerRecord[];
}

export interface DriverFacts {
  readonly mainClass: string | undefined;
  /** The container port of the UI and REST API. */
  readonly uiPort: number;
  /** Annotation `spark.exit-exception`, from Spark 4.1 on if enabled. */
  readonly exitException: string | undefined;
  /** The image of Spark's container as the node resolved it, with a digest. Absent before the container is created. */
  readonly imageId?: string;
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** A container of the spec with its status, if any. */
export interface ContainerRecord {
  readonly name: string;
  readonly image: string;
  /** The first argument: `driver` or `executor` in Spark's own containers. */
  readonly firstArgument: string | undefined;
  /** The resource requests as in the spec: `{ cpu: "1", memory: "1408Mi" }`. */
  readonly requests: Readonly<Record<string, string>> | undefined;
  readonly memoryLimit: string | undefined;
  readonly ready: boolean;
  readonly restartCount: number;
  /** Undefined without a status. */
  readonly state: ContainerState | undefined;
  readonly lastState: ContainerState | undefined;
}

export type ContainerState =
  | {
      readonly kind: "waiting";
      readonly reason: string | undefined;
      readonly message: string | undefined;
    }
  | { readonly kind: "running"; readonly startedAt: string | undefined }
  | {
      readonly kind: "terminated";
      readonly exitCode: number | undefined;
      readonly signal: number | undefined;
      readonly reason: string | undefined;
      readonly message: string | undefined;
      readonly startedAt: string | undefined;
      readonly finishedAt: string | undefined;
    };
