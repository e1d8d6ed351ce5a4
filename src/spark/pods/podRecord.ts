/** The needed fields of a pod; about 30 times smaller than its JSON. */
export interface PodRecord {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion: string;
  /** RFC 3339, in the format of the API server. */
  readonly creationTimestamp: string;
  readonly deletionTimestamp: string | undefined;
  /** True if the Spark container was known to have ended before the deletion. Absent otherwise. */
  readonly hasEndedFirst?: true;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerUid: string | undefined;
  /** The name of the owner if the owner is a pod, as the driver is for executors. */
  readonly ownerPod: string | undefined;
  readonly nodeName: string | undefined;
  /** Labels that the node must have. Absent if the spec requires none, and once the pod has a node. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** The node on which the scheduler preempts pods for this one. */
  readonly nominatedNodeName: string | undefined;
  /** The scheduler's name. Undefined for the default scheduler. */
  readonly schedulerName: string | undefined;
  readonly restartPolicy: string | undefined;
  /** `status.phase`; undefined before the pod has a status. */
  readonly phase: string | undefined;
  /** `status.reason` and `status.message`, which evictions and rejections set. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly podIp: string | undefined;
  readonly startTime: string | undefined;
  /** `SPARK_USER` of the containers. */
  readonly sparkUser: string | undefined;
  /** The fields that only a driver has. Undefined for executors. */
  readonly driving: DriverFacts | undefined;
  readonly conditions: readonly PodCondition[];
  /** Names of the volume claims that the pod mounts. Absent if it mounts none. */
  readonly claims?: readonly string[];
  readonly containers: readonly ContainerRecord[];
  readonly initContainers: readonly ContainerRecord[];
}

export interface DriverFacts {
  readonly mainClass: string | undefined;
  /** The container port of the UI and REST API. */
  readonly uiPort: number;
  /** Annotation `spark.exit-exception`. Spark 4.1 and later write it if it is enabled. */
  readonly exitException: string | undefined;
  /** The image of Spark's container, with the digest that the node resolved. Absent before the container is created. */
  readonly imageId?: string;
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** A container of the spec and its status, if there is one. */
export interface ContainerRecord {
  readonly name: string;
  readonly image: string;
  /** The first argument: `driver` or `executor` in Spark's own containers. */
  readonly firstArgument: string | undefined;
  /** The resource requests in the format of the spec: `{ cpu: "1", memory: "1408Mi" }`. */
  readonly requests: Readonly<Record<string, string>> | undefined;
  readonly memoryLimit: string | undefined;
  /** True for an init container that runs until the pod ends; absent otherwise. */
  readonly isSidecar?: true;
  readonly ready: boolean;
  readonly restartCount: number;
  /** Undefined if the container has no status. */
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
