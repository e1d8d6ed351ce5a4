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
  /** Of one namespace after the other, in the order in which they are to be deleted. */
  readonly leftovers: readonly Leftover[];
  /** Kinds that may not, or could not, be looked for. */
  readonly notListed: readonly { readonly kind: string; readonly error: ClusterError }[];
  /** Kinds that were looked for in the namespaces that are known alone, where all were meant. */
  readonly notEverywhere: readonly string[];
}

export interface WhereToLook {
  /** What is not shown of the whole cluster is looked for in `namespaces`. */
  readonly isEverywhere: boolean;
  readonly namespaces: readonly string[];
  /** What is known of the applications of a namespace. */
  readonly knownIn: (namespace: string) => KnownApplications;
}

/**
 * Looks for what applications have left behind. In a namespace whose pods are not shown nothing can be told, and
 * nothing is found. `ids`: only what is of these applications.
 */
export async function lookForLeftovers(
  objects: ObjectApi,
  where: WhereToLook,
  ids: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<FoundLeftovers> {
  const list = (kind: (typeof leftoverKinds)[number]): Promise<Listed> =>
    listKind(objects, kind, where, signal);
  const others = await Promise.all(leftoverKinds.filter(({ kind }) => kind !== "Pod").map(list));
  // The pods last: whoever owns what has been listed is among them, unless it is gone.
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
  /** Of the first namespace where it was not. */
  readonly error: ClusterError | undefined;
}

async function listKind(
  objects: ObjectApi,
  { apiVersion, kind }: (typeof leftoverKinds)[number],
  { isEverywhere, namespaces }: WhereToLook,
  signal: AbortSignal,
): Promise<Listed> {
  // Sets bear no label of Spark's, and the maps of drivers neither.
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
