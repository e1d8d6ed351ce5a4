// A Spark history server that runs in the cluster, behind a Service.
import { fieldAt, fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";

export interface ClusterService {
  readonly namespace: string;
  readonly name: string;
}

/** A ready pod of a Service, and the port that it listens on. */
export interface ServicePod extends ClusterService {
  readonly port: number;
}

/** The default of `spark.history.ui.port`. */
const defaultPort = 18_080;

/** Parses a Service name in the format `NAMESPACE/NAME`. Undefined for other text. */
export function serviceIn(text: string): ClusterService | undefined {
  const [, namespace, name] = /^([a-z0-9-]{1,63})\/([a-z0-9-]{1,63})$/.exec(text) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/**
 * Returns the first ready pod in the EndpointSlices of a Service. Prefers the default port of a history server to the
 * first port of the slice. Undefined if no pod is ready.
 */
export function readyPod(slices: readonly unknown[]): ServicePod | undefined {
  for (const slice of slices) {
    const ports = itemsOf(fieldAt(slice, "ports")).flatMap((one) => {
      const port = numberOf(fieldAt(one, "port"));
      return port === undefined ? [] : [port];
    });
    const port = ports.includes(defaultPort) ? defaultPort : ports[0];
    if (port === undefined) continue;
    for (const endpoint of itemsOf(fieldAt(slice, "endpoints"))) {
      const target = fieldsOf(fieldAt(endpoint, "targetRef"));
      const [namespace, name] = [textOf(target["namespace"]), textOf(target["name"])];
      // An absent condition counts as ready.
      const isReady = fieldAt(fieldAt(endpoint, "conditions"), "ready") !== false;
      const isPod = target["kind"] === "Pod" && namespace !== undefined && name !== undefined;
      if (isReady && isPod) return { namespace, name, port };
    }
  }
  return undefined;
}

/** Returns the path of an application's page on a history server. `id`: a label value, so it needs no URL encoding. */
export const historyPath = (id: string): string => `/history/${id}/jobs/`;
