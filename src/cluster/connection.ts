import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { Connection } from "../engine/ports.ts";
import { ApiAccessReviews } from "./accessReviews.ts";
import { ApiClient, type ApiSurroundings } from "./apiRequest.ts";
import { credentialsFor, type CredentialSurroundings } from "./credentials/credentialsFor.ts";
import { targetIdOf, type Target } from "./kubeconfig/target.ts";
import { ApiPodExec } from "./exec/podExec.ts";
import { ApiPodPorts } from "./forward/podPorts.ts";
import { ApiLogSource } from "./logSource.ts";
import { ApiNotices } from "./notices.ts";
import { ApiObjects } from "./objectApi.ts";
import { ApiPodPages } from "./podPages.ts";
import { ApiPodSource } from "./podSource.ts";
import { ProxiedDrivers } from "./proxiedDrivers.ts";
import { ApiResources } from "./resourceSource.ts";
import { describeServer } from "./transport/endpoint.ts";
import { Transport } from "./transport/transport.ts";

export type ConnectionSurroundings = CredentialSurroundings & Pick<ApiSurroundings, "random">;

/** How long to wait for the server; undefined: as long as is usual. */
export interface ConnectionLimits {
  readonly connectMs: number | undefined;
  /** For the answer to a single request to begin. */
  readonly requestMs: number | undefined;
}

/** Puts a target to use. Nothing is sent and no plug-in is run before the first request. */
export function openConnection(
  target: Target,
  around: ConnectionSurroundings,
  { connectMs, requestMs }: ConnectionLimits,
): Result<Connection, ClusterError> {
  const { context, endpoint } = target;
  const { redactor, clock, random, log, userAgent } = around;
  redactor.learn(endpoint.proxy?.url.password);
  const credentials = credentialsFor(target, around);
  if (!credentials.ok) return credentials;
  const transport = new Transport(endpoint, userAgent, clock, connectMs);
  const server = endpoint.url;
  const api = new ApiClient({
    server,
    credentials: credentials.value,
    transport,
    redactor,
    clock,
    random,
    log,
    requestMs,
  });
  const objects = new ApiObjects(api);
  return ok({
    context: context.name,
    server: describeServer(server),
    targetId: targetIdOf(target),
    namespace: context.namespace ?? "default",
    now: () => api.now(),
    pods: new ApiPodSource(api),
    logs: new ApiLogSource(api),
    objects,
    evictions: objects,
    exec: new ApiPodExec(api),
    pages: new ApiPodPages(api),
    ports: new ApiPodPorts(api, clock),
    rights: new ApiAccessReviews(api),
    notices: new ApiNotices(api),
    drivers: new ProxiedDrivers(api),
    resources: new ApiResources(api),
    dispose: () => {
      api.dispose();
    },
  });
}
