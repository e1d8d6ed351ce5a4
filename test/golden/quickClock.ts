import { systemClock } from "../../src/engine/systemClock.ts";
import type { Clock } from "../../src/engine/ports/clock.ts";

const speed = 25;
// Longer sleeps are timeouts. They run in real time, so that a busy machine does not trigger them too early.
const maxPauseMs = 5000;

/** Returns a clock that runs 25 times faster than real time. Sleeps of more than 5 s keep their duration. */
export function quickClock(startAt: number): Clock {
  const began = systemClock.now();
  return {
    now: () => startAt + (systemClock.now() - began) * speed,
    sleep: (ms, signal) => systemClock.sleep(ms > maxPauseMs ? ms : ms / speed, signal),
  };
}
