import { isAbort } from "../../base/isAbort.ts";

/** Cancels one wait or stream without aborting the caller's own signal. */
export class Interruption {
  #current: AbortController | undefined;

  /** Returns the result of `work`; undefined if `interrupt` canceled it. Throws if `signal` aborts. */
  async run<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const current = new AbortController();
    this.#current = current;
    try {
      return await work(AbortSignal.any([signal, current.signal]));
    } catch (error) {
      if (signal.aborted || !current.signal.aborted || !isAbort(error)) throw error;
      return undefined;
    } finally {
      this.#current = undefined;
    }
  }

  interrupt(): void {
    this.#current?.abort();
  }
}
