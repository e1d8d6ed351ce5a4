/**
 * Returns a monotonic clock in milliseconds, based on `clock`. If `clock` is set back, the monotonic clock continues
 * from its last value. It includes the time that the machine sleeps.
 */
export function steadyTime(clock: { now(): number }): () => number {
  let last = clock.now();
  let setBackBy = 0;
  return () => {
    const now = clock.now();
    if (now < last) setBackBy += last - now;
    last = now;
    return now + setBackBy;
  };
}
