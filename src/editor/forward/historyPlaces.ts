// Finds the pod and the port of a history server in the cluster.
import { msg } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { findHistoryServer, podOfService } from "../../engine/driver/findHistoryServer.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { UiPlace } from "../../engine/ports/driverUi.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { ClusterService, ServicePod } from "../../spark/ui/historyService.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { Screen } from "../screen.ts";
import type { ForwardPlace } from "./forwardPlace.ts";

interface HistoryPlaces {
  place(signal: AbortSignal): Promise<Result<UiPlace, ClusterError>>;
  /** Clears the cached pod, so that the next call of `place` finds it again. */
  forget(): void;
}

/** Finds the pod of a history server's Service. Caches the pod until `forget`, because a page loads many files. */
export function historyPlaces(
  service: ClusterService,
  connect: (signal: AbortSignal) => Promise<Result<Connection, ClusterError>>,
  { translated }: Pick<Screen, "translated">,
): HistoryPlaces {
  let pod: ServicePod | undefined;
  return {
    place: async (signal) => {
      const connected = await connect(signal);
      if (!connected.ok) return connected;
      const { objects, ports, passedPages: pages } = connected.value;
      if (pod === undefined) {
        const ready = await podOfService(objects, service, signal);
        if (!ready.ok) return ready;
        pod = ready.value;
      }
      if (pod === undefined) {
        const { namespace, name } = service;
        const detail = translated(
          msg`service "${name}" in namespace "${namespace}" has no ready pod`,
        );
        return err({ kind: "notFound", resource: "endpointslices", name, detail });
      }
      return ok({ pod, ports, pages });
    },
    forget: () => {
      pod = undefined;
    },
  };
}

/**
 * Finds the Service of a history server in the application's namespace by its usual label or name. Undefined if there
 * is none, or without a connection.
 */
export async function usualHistoryService(
  { session }: { readonly session: ClusterSession },
  { key, namespace }: Application,
): Promise<ClusterService | undefined> {
  const { signal } = new AbortController();
  const connected = await session.connectTo(key, signal);
  return connected.ok ? findHistoryServer(connected.value.objects, namespace, signal) : undefined;
}

/**
 * Creates a target without a watched pod. Its name contains the application's id, because `isSamePlace` compares such
 * targets by name.
 */
export const historyTarget = (
  { session }: { readonly session: ClusterSession },
  { key, name, id }: Application,
  { namespace }: ClusterService,
): ForwardPlace => ({
  ...{ context: session.contextOf(key), namespace, name: `${name} (${id})` },
  found: () => undefined,
});
