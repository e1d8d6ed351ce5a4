import { isAbort } from "./running.ts";

/** Lets a wait or a stream be cut short from outside without ending the work that it is part of. */
export class Interruption {
  #current: AbortController | undefined;

  /** Undefined when `interrupt` cut the work short; an abort of `signal` is thrown on. */
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
