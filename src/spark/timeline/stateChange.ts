import type { PendingReason } from "./pendingReason.ts";

/** The phase of a pod in a timeline; coarser than its display state. */
export type PodPhase = "pending" | "running" | "leaving" | "unknown" | "failed" | "finished";

/** A change of a pod's phase, or of the reason why it is pending. */
export interface StateChange {
  /** Epoch milliseconds. */
  readonly at: number;
  /** `driver`, or an executor id. */
  readonly pod: string;
  /** The previous phase. Undefined for a new pod. */
  readonly from: PodPhase | undefined;
  /** The reason why the pod was pending before the change. Undefined if it was not pending. */
  readonly fromReason: PendingReason | undefined;
  readonly to: PodPhase;
  readonly reason: PendingReason | undefined;
}
