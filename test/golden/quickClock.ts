import { systemClock } from "../../src/engine/systemClock.ts";
import type { Clock } from "../../src/engine/ports/clock.ts";

const speed = 25;
// Longer sleeps are deadlines, which stay in real time for busy machines.
const maxPauseMs = 5000;

/** Accelerated system time, which shortens pauses. */
export function quickClock(startAt: number): Clock {
  const began = systemClock.now();
  return {
    now: () => startAt + (systemClock.now() - began) * speed,
    sleep: (ms, signal) => systemClock.sleep(ms > maxPauseMs ? ms : ms / speed, signal),
  };
}
