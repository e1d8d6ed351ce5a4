import {
  findLeftovers,
  leftoverKinds,
  type Leftover,
  type Living,
} from "../spark/pods/leftovers.ts";
import type { ClusterError } from "./clusterError.ts";
import type { ObjectApi } from "./ports.ts";

export interface FoundLeftovers {
  /** In the order in which they are to be deleted. */
  readonly leftovers: readonly Leftover[];
  /** Kinds that may not, or could not, be looked for. */
  readonly notListed: readonly { readonly kind: string; readonly error: ClusterError }[];
}

/** Looks for what applications have left behind in a namespace. `applicationId`: only what is this one's. */
export async function lookForLeftovers(
  objects: ObjectApi,
  namespace: string,
  living: Living,
  applicationId: string | undefined,
  signal: AbortSignal,
): Promise<FoundLeftovers> {
  const lists = await Promise.all(
    leftoverKinds.map(async ({ apiVersion, kind }) => ({
      kind,
      // Sets bear no label of Spark's, and the maps of drivers neither.
      listed: await objects.list(
        { apiVersion, kind },
        namespace,
        { kind: "whole", labelSelector: undefined },
        signal,
      ),
    })),
  );
  const listed = lists.flatMap(({ listed }) => (listed.ok ? listed.value : []));
  return {
    leftovers: findLeftovers(listed, living, applicationId),
    notListed: lists.flatMap(({ kind, listed }) =>
      listed.ok ? [] : [{ kind, error: listed.error }],
    ),
  };
}
