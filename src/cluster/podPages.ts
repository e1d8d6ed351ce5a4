import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { PodPages, PodPort } from "../engine/ports.ts";
import type { ApiCall, ApiClient } from "./apiRequest.ts";
import { pathOf, podResource } from "./resources.ts";

/** What a pod serves, through the API server's proxy. */
export class ApiPodPages implements PodPages {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async read(
    pod: PodPort,
    path: string,
    signal: AbortSignal,
  ): Promise<Result<unknown, ClusterError>> {
    const call = pageCall(pod, path);
    return call.ok ? this.#api.request(call.value, signal) : call;
  }
}

export function pageCall(
  { namespace, name, port }: PodPort,
  path: string,
): Result<ApiCall, ClusterError> {
  const pod = pathOf(podResource, namespace, name);
  if (!pod.ok) return pod;
  return ok({
    method: "GET",
    path: `${pod.value}:${port}/proxy${path}`,
    subject: { verb: "get", resource: "pods/proxy", namespace, name },
    accept: "application/json",
    body: undefined,
    isProxied: true,
  });
}
