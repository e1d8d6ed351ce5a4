import { err, ok, type Result } from "../base/result.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import type { ClusterError } from "./clusterError.ts";
import type { PodSelection, PodSource } from "./ports.ts";

export interface PodList {
  readonly pods: readonly PodRecord[];
  readonly resourceVersion: string;
}

/** A complete, consistent list, read page by page; half a list is none. */
export async function listPods(
  source: PodSource,
  selection: PodSelection,
  limit: number,
  signal: AbortSignal,
): Promise<Result<PodList, ClusterError>> {
  const pods: PodRecord[] = [];
  let continueToken: string | undefined;
  for (;;) {
    const request = { ...selection, resourceVersion: undefined, limit, continueToken };
    const page = await source.listPods(request, signal);
    signal.throwIfAborted();
    if (!page.ok) return err(page.error);
    for (const pod of page.value.pods) pods.push(pod);
    continueToken = page.value.continueToken;
    if (!continueToken) return ok({ pods, resourceVersion: page.value.resourceVersion });
  }
}
