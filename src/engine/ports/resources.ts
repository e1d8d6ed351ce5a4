// Lists and watches of custom resources.
import type { Result } from "../../base/result.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import type { ClusterError } from "../clusterError.ts";
import type { WatchItem } from "./watch.ts";

export interface ResourceKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ResourceList {
  readonly resources: readonly OperatorResource[];
  readonly resourceVersion: string;
}

export interface ResourceEvent {
  readonly kind: "changed" | "deleted";
  readonly resource: OperatorResource;
}

export interface ResourceSource {
  /** Lists the resources of a kind. Returns the error `notFound` if the cluster does not serve the kind. */
  listResources(
    kind: ResourceKind,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<ResourceList, ClusterError>>;
  watchResources(
    kind: ResourceKind,
    namespace: string | undefined,
    resourceVersion: string,
    signal: AbortSignal,
  ): AsyncIterable<WatchItem<ResourceEvent>>;
}
