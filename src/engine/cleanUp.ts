import type { Result } from "../base/result.ts";
import {
  findLeftovers,
  leftoverKinds,
  type KnownApplications,
  type Leftover,
  type LeftoverKind,
} from "../spark/pods/leftovers.ts";
import type { ClusterError } from "./clusterError.ts";
import type { ObjectApi, StoredObject } from "./ports.ts";

export interface FoundLeftovers {
  /** In the order in which they are to be deleted. */
  readonly leftovers: readonly Leftover[];
  /** Kinds that may not, or could not, be looked for. */
  readonly notListed: readonly { readonly kind: string; readonly error: ClusterError }[];
}

/**
 * Looks for what applications have left behind in a namespace. Without its pods nothing can be told, and nothing is
 * found. `ids`: only what is of these applications.
 */
export async function lookForLeftovers(
  objects: ObjectApi,
  namespace: string,
  known: KnownApplications,
  ids: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<FoundLeftovers> {
  const list = async ({ apiVersion, kind }: (typeof leftoverKinds)[number]): Promise<Listed> => ({
    kind,
    // Sets bear no label of Spark's, and the maps of drivers neither.
    listed: await objects.list({ apiVersion, kind }, namespace, "", signal),
  });
  const others = await Promise.all(leftoverKinds.filter(({ kind }) => kind !== "Pod").map(list));
  // The pods last: whoever owns what has been listed is among them, unless it is gone.
  const pods = await list({ apiVersion: "v1", kind: "Pod" });
  const all = [...others, pods];
  const found = all.flatMap(({ listed }) => (listed.ok ? listed.value : []));
  return {
    leftovers: pods.listed.ok ? findLeftovers(found, known, ids) : [],
    notListed: all.flatMap(({ kind, listed }) =>
      listed.ok ? [] : [{ kind, error: listed.error }],
    ),
  };
}

interface Listed {
  readonly kind: LeftoverKind;
  readonly listed: Result<readonly StoredObject[], ClusterError>;
}
