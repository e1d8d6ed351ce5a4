/** The fields of a pod that the extension needs, of some 400 that it has: about 30 times smaller. */
export interface PodRecord {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion: string;
  /** RFC 3339 times, as the server writes them. */
  readonly creationTimestamp: string;
  readonly deletionTimestamp: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerUid: string | undefined;
  /** The owner's name, where it is a pod: an executor's driver. */
  readonly ownerPod: string | undefined;
  readonly nodeName: string | undefined;
  /** The node on which the scheduler ends pods of lower priority to make room for this one. */
  readonly nominatedNodeName: string | undefined;
  /** Undefined: the scheduler that every cluster has. */
  readonly schedulerName: string | undefined;
  readonly restartPolicy: string | undefined;
  /** `status.phase` as it stands; undefined before the pod has a status. */
  readonly phase: string | undefined;
  /** `status.reason` and `status.message`: set for evictions and rejections. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly podIp: string | undefined;
  readonly startTime: string | undefined;
  /** `SPARK_USER` of its containers. */
  readonly sparkUser: string | undefined;
  /** What only drivers tell. */
  readonly driving: DriverFacts | undefined;
  readonly conditions: readonly PodCondition[];
  readonly containers: readonly ContainerRecord[];
  readonly initContainers: readonly ContainerRecord[];
}

export interface DriverFacts {
  readonly mainClass: string | undefined;
  /** Where its UI and REST API are served, as its ports say. */
  readonly uiPort: number;
  /** Annotation `spark.exit-exception`: what ended it, from Spark 4.1 on where it was asked for. */
  readonly exitException: string | undefined;
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** A container of the spec, joined with its status where there is one. */
export interface ContainerRecord {
  readonly name: string;
  readonly image: string;
  /** The first argument: `driver` or `executor` in Spark's own containers. */
  readonly firstArgument: string | undefined;
  /** What the container asks of its node, as the spec writes it: `{ cpu: "1", memory: "1408Mi" }`. */
  readonly requests: Readonly<Record<string, string>> | undefined;
  readonly memoryLimit: string | undefined;
  readonly ready: boolean;
  readonly restartCount: number;
  /** Undefined: the pod says nothing of this container's state. */
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
