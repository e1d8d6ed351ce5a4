import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { PodMetrics, PodName } from "../engine/ports/reports.ts";
import { decodePodUsage, type PodUsage } from "../spark/diagnosis/executorUsage.ts";
import type { ApiClient } from "./apiRequest.ts";
import { findResource, pathOf } from "./resources.ts";

/** Reads the resource metrics API, which metrics-server serves. */
export class ApiPodMetrics implements PodMetrics {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async usageOf(
    { namespace, name }: Pick<PodName, "namespace" | "name">,
    signal: AbortSignal,
  ): Promise<Result<PodUsage | undefined, ClusterError>> {
    const resource = findResource("metrics.k8s.io/v1beta1", "PodMetrics");
    const path = resource.ok ? pathOf(resource.value, namespace, name) : resource;
    if (!path.ok) return path;
    const answer = await this.#api.request(
      {
        method: "GET",
        path: path.value,
        subject: { verb: "get", resource: "pods.metrics.k8s.io", namespace, name },
        accept: "application/json",
        body: undefined,
      },
      signal,
    );
    return answer.ok ? ok(decodePodUsage(answer.value)) : answer;
  }
}
