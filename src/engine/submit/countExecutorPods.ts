import { ok, type Result } from "../../base/result.ts";
import { executorRole, roleLabel } from "../../spark/labels.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import type { ClusterError } from "../clusterError.ts";
import type { ObjectApi } from "../ports/objects.ts";

/** Counts the executor pods of each driver in a namespace, by the driver pod's uid. */
export async function countExecutorPods(
  objects: Pick<ObjectApi, "list">,
  namespace: string,
  signal: AbortSignal,
): Promise<Result<ReadonlyMap<string, number>, ClusterError>> {
  const all = `${roleLabel}=${executorRole}`;
  const listed = await objects.list({ apiVersion: "v1", kind: "Pod" }, namespace, all, signal);
  if (!listed.ok) return listed;
  const counts = new Map<string, number>();
  for (const { body } of listed.value) {
    const owner = decodePod(body)?.ownerUid;
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return ok(counts);
}
