import type { Disposable } from "../../base/disposable.ts";
import type { Clock } from "../ports/clock.ts";
import { start, type Running } from "../running.ts";

/** A run that was started and may already have ended. */
export interface StartedOnce {
  /**
   * Stops the run and removes it from the cluster. Resolves to false if it could not be removed; no other run starts
   * then until the next request.
   */
  readonly remove: (signal: AbortSignal) => Promise<boolean>;
}

export interface LatestRunOptions {
  /**
   * Starts a run with the current files. Returns undefined if no run was started, so that there is nothing to remove.
   */
  readonly start: () => Promise<StartedOnce | undefined>;
  /** Debounce in ms: requests that follow each other sooner become one. */
  readonly quietMs: number;
  readonly clock: Clock;
}

/**
 * Keeps at most one run in the cluster: the one with the latest files. Each request removes the previous run and starts
 * another. Requests during a removal or a start become one run after it.
 */
export class LatestRun implements Disposable {
  readonly #options: LatestRunOptions;
  readonly #report: (error: unknown) => void;
  #working: Running | undefined;
  #last: StartedOnce | undefined;
  #isWanted = false;
  #isDisposed = false;
  #askedAt = 0;

  constructor(options: LatestRunOptions, report: (error: unknown) => void) {
    this.#options = options;
    this.#report = report;
  }

  /** Starts the first run at once, without the debounce. */
  begin(): void {
    this.#askedAt = -Infinity;
    this.#want();
  }

  /** Requests a run with the current files. */
  ask(): void {
    this.#askedAt = this.#options.clock.now();
    this.#want();
  }

  /** Starts no more runs. The last run continues. */
  dispose(): void {
    this.#isDisposed = true;
    this.#working?.dispose();
  }

  #want(): void {
    if (this.#isDisposed) return;
    this.#isWanted = true;
    if (this.#working !== undefined) return;
    const working = start((signal) => this.#work(signal));
    this.#working = working;
    working.done
      .catch(this.#report)
      .finally(() => {
        this.#working = undefined;
        if (this.#isWanted) this.#want();
      })
      .catch(this.#report);
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { clock, quietMs, start: startRun } = this.#options;
    for (;;) {
      const waitMs = this.#askedAt + quietMs - clock.now();
      if (waitMs > 0) {
        await clock.sleep(waitMs, signal);
        continue;
      }
      this.#isWanted = false;
      const last = this.#last;
      if (last !== undefined && !(await last.remove(signal))) return;
      this.#last = undefined;
      signal.throwIfAborted();
      // If another request arrived while the previous run was removed, wait for the debounce first.
      if (!this.#mustWait()) this.#last = await startRun();
      if (!this.#mustWait()) return;
    }
  }

  // A function, because the compiler does not know that the field changes during a wait.
  readonly #mustWait = (): boolean => this.#isWanted;
}
