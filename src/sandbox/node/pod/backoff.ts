/** A kubelet's waits (seconds): the first restart comes at once, then 10, 20, … up to five minutes. */
const first = 10;
const longest = 300;
/** A container that ran for so long has recovered. */
const recoveredMs = 600_000;

export class Backoff {
  #failures = 0;

  /** Seconds to wait before the next attempt. */
  next(ranMs: number): number {
    if (ranMs >= recoveredMs) this.#failures = 0;
    const failures = this.#failures++;
    return failures === 0 ? 0 : Math.min(first * 2 ** (failures - 1), longest);
  }
}

/** Pulls wait from the first failure on. */
export const pullDelay = (failures: number): number =>
  Math.min(first * 2 ** (failures - 1), longest);

/** As Kubernetes prints them: `10s`, `1m20s`, `5m0s`. */
export function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}
