import { isAbort } from "../../base/isAbort.ts";

/** Cancels a wait or a stream from outside without cancelling the surrounding work. */
export class Interruption {
  #current: AbortController | undefined;

  /** Returns undefined if `interrupt` cancelled the work; throws if `signal` aborts. */
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
