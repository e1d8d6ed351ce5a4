/**
 * The milliseconds of a clock, to measure waits by: one that is set back is no reason to wait until it comes
 * there again. One that jumps on has slept, and that counts.
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
