/** A kubelet's back-off in seconds: no wait before the first restart, then 10, 20, … up to 300. */
const initialSeconds = 10;
const maxSeconds = 300;
/** A run of this length resets the back-off. */
const resetMs = 600_000;

export class RestartBackoff {
  #failures = 0;

  /** Returns the seconds to wait before the next start. `ranMs`: the duration of the run that ended. */
  next(ranMs: number): number {
    if (ranMs >= resetMs) this.#failures = 0;
    const failures = this.#failures++;
    return failures === 0 ? 0 : Math.min(initialSeconds * 2 ** (failures - 1), maxSeconds);
  }
}

/**
 * Returns the seconds to wait after a number of failed pulls. Unlike restarts, pulls wait from the first failure on.
 */
export const pullDelay = (failures: number): number =>
  Math.min(initialSeconds * 2 ** (failures - 1), maxSeconds);

/** Formats a duration like Kubernetes: `10s`, `1m20s`, `5m0s`. */
export function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}
