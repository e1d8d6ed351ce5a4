/** The amount of one resource that an init container requests. */
export interface InitContainerAmount {
  readonly amount: number;
  /** True for a sidecar: an init container with the restart policy `Always`, which runs until the pod ends. */
  readonly isSidecar: boolean;
}

/**
 * Returns the amount of one resource for a pod, as the scheduler counts it. This is the sum of containers and sidecars,
 * or the largest init container with the sidecars started before it, whichever is more. Excludes the pod overhead.
 */
export function podAmount(
  containers: readonly number[],
  initContainers: readonly InitContainerAmount[],
): number {
  let sidecars = 0;
  let largest = 0;
  for (const { amount, isSidecar } of initContainers) {
    largest = Math.max(largest, sidecars + amount);
    if (isSidecar) sidecars += amount;
  }
  return Math.max(
    containers.reduce((sum, amount) => sum + amount, sidecars),
    largest,
  );
}
