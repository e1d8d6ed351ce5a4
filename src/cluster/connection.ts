import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { Connection } from "../engine/ports/connection.ts";
import { ApiAccessReviews } from "./accessReviews.ts";
import { ApiClient, type ApiOptions } from "./apiRequest.ts";
import { credentialsFor, type CredentialOptions } from "./credentials/credentialsFor.ts";
import { clusterTargetOf, type KubeconfigTarget } from "./kubeconfig/target.ts";
import { ApiPodExec } from "./exec/podExec.ts";
import { ApiPodPorts } from "./forward/podPorts.ts";
import { ApiLogSource } from "./logSource.ts";
import { ApiDiscovery } from "./apiDiscovery.ts";
import { ApiPodEvents } from "./podEvents.ts";
import { ApiNodeSizes } from "./nodeSizes.ts";
import { ApiObjects } from "./objectApi.ts";
import { ApiPodMetrics } from "./podMetrics.ts";
import { ApiPodPages } from "./podPages.ts";
import { ApiPodSource } from "./podSource.ts";
import { ProxiedDrivers } from "./proxiedDrivers.ts";
import { ApiResources } from "./resourceSource.ts";
import { Transport } from "./transport/transport.ts";

type ConnectionOptions = CredentialOptions & Pick<ApiOptions, "random">;

/** Timeouts in ms. Undefined means the default. */
export interface ConnectionLimits {
  readonly connectMs: number | undefined;
  /** Until the response headers of a single request arrive. */
  readonly requestMs: number | undefined;
}

/** Creates a connection. Sends nothing and runs no credential plug-in before the first request. */
export function openConnection(
  target: KubeconfigTarget,
  around: ConnectionOptions,
  { connectMs, requestMs }: ConnectionLimits,
): Result<Connection, ClusterError> {
  const { endpoint } = target;
  const { redactor, clock, random, log, userAgent } = around;
  redactor.learn(endpoint.proxy?.url.password);
  const credentials = credentialsFor(target, around);
  if (!credentials.ok) return credentials;
  const transport = new Transport(endpoint, userAgent, clock, connectMs);
  const api = new ApiClient({
    server: endpoint.url,
    credentials: credentials.value,
    transport,
    redactor,
    clock,
    random,
    log,
    requestMs,
  });
  const objects = new ApiObjects(api);
  const pages = new ApiPodPages(api);
  return ok({
    ...clusterTargetOf(target),
    now: () => api.now(),
    pods: new ApiPodSource(api),
    logs: new ApiLogSource(api),
    objects,
    evictions: objects,
    exec: new ApiPodExec(api, clock),
    pages,
    passedPages: pages,
    ports: new ApiPodPorts(api, clock),
    rights: new ApiAccessReviews(api),
    podEvents: new ApiPodEvents(api),
    discovery: new ApiDiscovery(api),
    drivers: new ProxiedDrivers(api, pages),
    nodes: new ApiNodeSizes(api),
    metrics: new ApiPodMetrics(api),
    resources: new ApiResources(api),
    dispose: () => {
      api.dispose();
    },
  });
}
