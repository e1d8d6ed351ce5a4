import type { PodRecord } from "./podRecord.ts";
import { emptyTrie, trieGet, trieRemove, trieSet, type Trie } from "./trie.ts";

/**
 * Pod uids by namespace and name. A name belongs to at most one existing pod. Shares its strings with the pod records.
 */
export type PodNames = Trie<Trie<string>>;

type Named = Pick<PodRecord, "uid" | "namespace" | "name">;

/** Returns the uid of the pod that holds this name. Undefined if no pod does. */
export function holderOf(names: PodNames, { namespace, name }: Named): string | undefined {
  const there = trieGet(names, namespace);
  return there === undefined ? undefined : trieGet(there, name);
}

export const withName = (names: PodNames, { uid, namespace, name }: Named): PodNames =>
  trieSet(names, namespace, trieSet(trieGet(names, namespace) ?? emptyTrie, name, uid));

/** Removes the pod's name. Returns the same names if another pod holds it. */
export function withoutName(names: PodNames, pod: Named): PodNames {
  if (holderOf(names, pod) !== pod.uid) return names;
  const left = trieRemove(trieGet(names, pod.namespace) ?? emptyTrie, pod.name);
  return left.size === 0 ? trieRemove(names, pod.namespace) : trieSet(names, pod.namespace, left);
}
