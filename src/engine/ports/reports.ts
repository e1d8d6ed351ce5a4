// Data about pods from events, the driver's REST API, metrics-server and nodes.
import type { Result } from "../../base/result.ts";
import type { NodeSize } from "../../spark/diagnosis/diagnosis.ts";
import type { AllocationConf, ReportedExecutors } from "../../spark/diagnosis/driverReport.ts";
import type { PodUsage } from "../../spark/diagnosis/executorUsage.ts";
import type { PodEventRecord } from "../../spark/diagnosis/podEventRecord.ts";
import type { RelatedObject } from "../../spark/diagnosis/relatedObjects.ts";
import type { DriverList } from "../../spark/progress/driverQuery.ts";
import type { ClusterError } from "../clusterError.ts";

export interface PodName {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface PodEventSource {
  /**
   * Reads up to 100 events of the pod with this uid and of related objects, newest first. The cluster keeps events for
   * about an hour.
   */
  eventsOf(
    pod: PodName,
    related: readonly RelatedObject[],
    signal: AbortSignal,
  ): Promise<Result<readonly PodEventRecord[], ClusterError>>;
}

/** The address of a driver's REST API behind the API server's pod proxy. Needs permission to `get pods/proxy`. */
export interface DriverAddress {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  readonly applicationId: string;
}

/**
 * The REST API of a driver. An abort of `signal` ends only the wait. The request continues, because a driver logs an
 * error for each aborted request.
 */
export interface DriverApi {
  executors(
    driver: DriverAddress,
    signal: AbortSignal,
  ): Promise<Result<ReportedExecutors, ClusterError>>;
  /**
   * Reads the conf of dynamic allocation. `known`: the previous result. If it is given, at most the target number of
   * executors is read again.
   */
  allocation(
    driver: DriverAddress,
    known: AllocationConf | undefined,
    signal: AbortSignal,
  ): Promise<Result<AllocationConf, ClusterError>>;
  /** Reads jobs, stages, SQL executions or tasks. Returns at most 2,000 items, but reads the complete response. */
  rows<T>(
    driver: DriverAddress,
    query: DriverList<T>,
    signal: AbortSignal,
  ): Promise<Result<readonly T[], ClusterError>>;
}

/** The resource metrics API of metrics-server. Needs permission to get `pods.metrics.k8s.io`. */
export interface PodMetrics {
  /**
   * Reads the usage of a pod. Returns the error `notFound` if the API is not served, or if the pod has no metrics yet.
   */
  usageOf(
    pod: Pick<PodName, "namespace" | "name">,
    signal: AbortSignal,
  ): Promise<Result<PodUsage | undefined, ClusterError>>;
}

export interface NodeSizes {
  /**
   * Returns the maximum allocatable amount of each resource over all nodes, and up to 20 taints that repel pods.
   * Undefined if there are no nodes, or too many to read. Needs permission to list nodes.
   */
  largest(signal: AbortSignal): Promise<Result<NodeSize | undefined, ClusterError>>;
}
