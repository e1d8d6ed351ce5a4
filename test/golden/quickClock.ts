import { systemClock } from "../../src/engine/systemClock.ts";
import type { Clock } from "../../src/engine/ports.ts";

const speed = 25;
// Longer ones are deadlines, which a busy machine needs in full.
const longestPauseMs = 5000;

/** The machine's time, but faster, so that nobody waits for what is only a pause. */
export function quickClock(startAt: number): Clock {
  const began = systemClock.now();
  return {
    now: () => startAt + (systemClock.now() - began) * speed,
    sleep: (ms, signal) => systemClock.sleep(ms > longestPauseMs ? ms : ms / speed, signal),
  };
}
