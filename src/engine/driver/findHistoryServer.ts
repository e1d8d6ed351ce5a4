import { fieldAt, textOf } from "../../base/json.ts";
import { ok, type Result } from "../../base/result.ts";
import { readyPod, type ClusterService, type ServicePod } from "../../spark/ui/historyService.ts";
import type { ClusterError } from "../clusterError.ts";
import type { ObjectApi } from "../ports/objects.ts";

const slices = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" };
const serviceName = "kubernetes.io/service-name";
/** An EndpointSlice has the labels of its Service. Helm charts of history servers set `app.kubernetes.io/name`. */
const selectors = [
  "app.kubernetes.io/name=spark-history-server",
  `${serviceName}=spark-history-server`,
];

/** Finds a ready pod of a Service; undefined if no pod is ready. Needs permission to list EndpointSlices. */
export async function podOfService(
  objects: Pick<ObjectApi, "list">,
  { namespace, name }: ClusterService,
  signal: AbortSignal,
): Promise<Result<ServicePod | undefined, ClusterError>> {
  const listed = await objects.list(slices, namespace, `${serviceName}=${name}`, signal);
  return listed.ok ? ok(readyPod(listed.value.map(({ body }) => body))) : listed;
}

/**
 * Finds the Service of a history server in a namespace by the labels of its EndpointSlices. Undefined if no such
 * Service has a ready pod, or if a list request fails.
 */
export async function findHistoryServer(
  objects: Pick<ObjectApi, "list">,
  namespace: string,
  signal: AbortSignal,
): Promise<ClusterService | undefined> {
  for (const selector of selectors) {
    const listed = await objects.list(slices, namespace, selector, signal);
    if (!listed.ok) return undefined;
    for (const { body } of listed.value) {
      const name = serviceOf(body);
      if (name !== undefined && readyPod([body]) !== undefined) return { namespace, name };
    }
  }
  return undefined;
}

const serviceOf = (slice: unknown): string | undefined =>
  textOf(fieldAt(fieldAt(fieldAt(slice, "metadata"), "labels"), serviceName));
