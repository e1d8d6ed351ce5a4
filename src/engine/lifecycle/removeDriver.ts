import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { ObjectApi } from "../ports/objects.ts";
import type { PodName } from "../ports/reports.ts";
import { deletePod } from "./deletePod.ts";

export type DriverRemoval =
  | { readonly kind: "removed" }
  /** Deleted, but its node has not confirmed the end. */
  | { readonly kind: "stillEnding" }
  | { readonly kind: "failed"; readonly error: ClusterError };

const firstDelayMs = 100;
const maxDelayMs = 1_000;

/** Deletes a driver pod with its dependents and waits up to `limitMs` until the pod no longer exists. */
export async function removeDriver(
  pod: PodName,
  { objects, clock }: { readonly objects: ObjectApi; readonly clock: Clock },
  limitMs: number,
  signal: AbortSignal,
): Promise<DriverRemoval> {
  const deleted = await deletePod(objects, pod, signal);
  if (deleted.kind === "failed") return deleted;
  if (deleted.kind !== "deleted") return { kind: "removed" };
  const { namespace, name, uid } = pod;
  const startedAt = clock.now();
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(maxDelayMs, delayMs * 1.5)) {
    const read = await objects.read({ apiVersion: "v1", kind: "Pod", namespace, name }, signal);
    if (read.ok ? read.value.uid !== uid : read.error.kind === "notFound") {
      return { kind: "removed" };
    }
    if (clock.now() - startedAt >= limitMs) return { kind: "stillEnding" };
    await clock.sleep(delayMs, signal);
  }
}
