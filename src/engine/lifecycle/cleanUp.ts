import {
  findLeftovers,
  leftoverKinds,
  type KnownApplications,
  type Leftover,
  type LeftoverKind,
} from "../../spark/pods/leftovers.ts";
import type { ClusterError } from "../clusterError.ts";
import type { ObjectApi, StoredObject } from "../ports/objects.ts";

export interface FoundLeftovers {
  /** By namespace, in deletion order. */
  readonly leftovers: readonly Leftover[];
  /** Kinds that could not be listed in at least one namespace. */
  readonly notListed: readonly { readonly kind: string; readonly error: ClusterError }[];
  /** Kinds that were listed in known namespaces only, although all were requested. */
  readonly notEverywhere: readonly string[];
}

export interface ListScope {
  /** True to list all namespaces. If that is forbidden, `namespaces` are listed instead. */
  readonly isEverywhere: boolean;
  readonly namespaces: readonly string[];
  /** Returns the known applications of a namespace. */
  readonly knownIn: (namespace: string) => KnownApplications;
}

/**
 * Finds objects that applications left behind. Reports no objects of a namespace whose pods cannot be listed. `ids`
 * restricts the result to these applications.
 */
export async function listLeftovers(
  objects: ObjectApi,
  where: ListScope,
  ids: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<FoundLeftovers> {
  const list = (kind: (typeof leftoverKinds)[number]): Promise<Listed> =>
    listKind(objects, kind, where, signal);
  const others = await Promise.all(leftoverKinds.filter(({ kind }) => kind !== "Pod").map(list));
  // List the pods last, so that the list contains every owner that existed during the other lists and was not deleted
  // since.
  const pods = await list({ apiVersion: "v1", kind: "Pod" });
  const all = [...others, pods];
  const found = all.flatMap((one) => one.found);
  const namespaces = new Set(found.map(({ namespace }) => namespace));
  const { listedIn } = pods;
  const isTold = (namespace: string): boolean => listedIn === "all" || listedIn.includes(namespace);
  return {
    leftovers: [...namespaces].filter(isTold).flatMap((namespace) => {
      const here = found.filter((object) => object.namespace === namespace);
      return findLeftovers(here, where.knownIn(namespace), ids);
    }),
    notListed: all.flatMap(({ kind, error }) => (error === undefined ? [] : [{ kind, error }])),
    notEverywhere: all.flatMap(({ kind, listedIn, error }) =>
      where.isEverywhere && listedIn !== "all" && error === undefined ? [kind] : [],
    ),
  };
}

interface Listed {
  readonly kind: LeftoverKind;
  readonly found: readonly StoredObject[];
  readonly listedIn: "all" | readonly string[];
  /** The error of the first namespace that failed. */
  readonly error: ClusterError | undefined;
}

async function listKind(
  objects: ObjectApi,
  { apiVersion, kind }: (typeof leftoverKinds)[number],
  { isEverywhere, namespaces }: ListScope,
  signal: AbortSignal,
): Promise<Listed> {
  // StatefulSets and the driver's ConfigMaps have no Spark label, so list without a selector.
  const list = (namespace: string | undefined): ReturnType<ObjectApi["list"]> =>
    objects.list({ apiVersion, kind }, namespace, "", signal);
  if (isEverywhere) {
    const listed = await list(undefined);
    if (listed.ok) return { kind, found: listed.value, listedIn: "all", error: undefined };
    if (listed.error.kind !== "forbidden") {
      return { kind, found: [], listedIn: [], error: listed.error };
    }
  }
  const found: StoredObject[] = [];
  const listedIn: string[] = [];
  let error: ClusterError | undefined;
  for (const namespace of namespaces) {
    const listed = await list(namespace);
    if (listed.ok) {
      listedIn.push(namespace);
      found.push(...listed.value);
    } else error ??= listed.error;
  }
  return { kind, found, listedIn, error };
}
