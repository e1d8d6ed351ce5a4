/**
 * Returns a monotonic clock in milliseconds. It ignores backward changes of the system clock. Time during machine sleep
 * counts.
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
