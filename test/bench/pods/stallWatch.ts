import { openSync, readSync } from "node:fs";

/** The longest times for which the event loop was blocked, in milliseconds. */
export interface Stall {
  /** The longest delay of a 1 ms timer. */
  readonly ms: number;
  /**
   * The maximum CPU time between two ticks of the timer. It excludes the time in which the thread waited for a CPU.
   * Undefined if the system is not Linux.
   */
  readonly computedMs: number | undefined;
}

/** Measures how long the event loop of the current thread is blocked, from construction to `stop`. */
export class StallWatch {
  readonly #look: Buffer = Buffer.alloc(64);
  readonly #file: number | undefined;
  readonly #pulse: NodeJS.Timeout;
  #maxMs = 0;
  #maxComputedMs = 0;
  #lookedAt = 0;
  #computedBefore = 0;

  constructor() {
    try {
      this.#file = openSync("/proc/thread-self/schedstat", "r");
    } catch {
      // Not on Linux.
    }
    this.reset();
    this.#pulse = setInterval(() => {
      this.#tick();
    }, 1);
  }

  /** Returns the longest stall since the last `reset`. */
  get longest(): Stall {
    const computedMs = this.#file === undefined ? undefined : this.#maxComputedMs;
    return { ms: this.#maxMs, computedMs };
  }

  reset(): void {
    this.#lookedAt = performance.now();
    this.#computedBefore = this.#computed();
    this.#maxMs = 0;
    this.#maxComputedMs = 0;
  }

  stop(): void {
    clearInterval(this.#pulse);
  }

  #tick(): void {
    const [now, computed] = [performance.now(), this.#computed()];
    this.#maxMs = Math.max(this.#maxMs, now - this.#lookedAt - 1);
    this.#maxComputedMs = Math.max(this.#maxComputedMs, computed - this.#computedBefore);
    this.#lookedAt = now;
    this.#computedBefore = computed;
  }

  #computed(): number {
    if (this.#file === undefined) return 0;
    const read = readSync(this.#file, this.#look, 0, this.#look.length, 0);
    return Number(this.#look.toString("latin1", 0, read).split(" ")[0]) / 1e6;
  }
}

export const describeStall = ({ ms, computedMs }: Stall): string =>
  `longest stall ${ms.toFixed(1)} ms` +
  (computedMs === undefined ? "" : ` (computing without a break ${computedMs.toFixed(1)})`);
