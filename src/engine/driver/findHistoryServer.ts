import { fieldAt, textOf } from "../../base/json.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { readyPod, type ClusterService, type ServicePod } from "../../spark/ui/historyService.ts";
import type { ClusterError } from "../clusterError.ts";
import type { ObjectApi } from "../ports/objects.ts";

const slices = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" };
/** A slice has the labels of its Service. Helm charts of history servers set this one. */
const usualLabel = "app.kubernetes.io/name=spark-history-server";
const usualNames = "kubernetes.io/service-name in (spark-history-server,spark-history)";

/** A ready pod of a Service. Needs the right to list EndpointSlices. The error `notFound`: no pod is ready. */
export async function podOfService(
  objects: Pick<ObjectApi, "list">,
  { namespace, name }: ClusterService,
  signal: AbortSignal,
): Promise<Result<ServicePod, ClusterError>> {
  const selector = `kubernetes.io/service-name=${name}`;
  const listed = await objects.list(slices, namespace, selector, signal);
  if (!listed.ok) return listed;
  const pod = readyPod(listed.value.map(({ body }) => body));
  if (pod !== undefined) return ok(pod);
  const detail = `service "${name}" in namespace "${namespace}" has no ready pod`;
  return err({ kind: "notFound", resource: "endpointslices", name, detail });
}

/**
 * The Service of a history server in a namespace, found by its usual label or name; undefined if there is none with a
 * ready pod, or if the Services may not be read.
 */
export async function findHistoryServer(
  objects: Pick<ObjectApi, "list">,
  namespace: string,
  signal: AbortSignal,
): Promise<ClusterService | undefined> {
  for (const selector of [usualLabel, usualNames]) {
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
  textOf(fieldAt(fieldAt(fieldAt(slice, "metadata"), "labels"), "kubernetes.io/service-name"));
