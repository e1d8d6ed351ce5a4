import type { ServerResponse } from "node:http";
import type { Disposable } from "../../base/disposable.ts";

/** After the last window has gone: as long as it may take to come back. */
export const graceMs = 60_000;

/**
 * Counts the windows that use the sandbox: each holds one request open. A window that is closed, reloaded or
 * killed lets go of its connection, whatever else goes wrong with it.
 */
export class Leases implements Disposable {
  readonly #open = new Set<ServerResponse>();
  readonly #graceMs: number;
  readonly #end: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `end` is called once nobody has been there for `graceMs`, from the beginning on. */
  constructor(grace: number, end: () => void) {
    this.#graceMs = grace;
    this.#end = end;
    this.#wait();
  }

  get count(): number {
    return this.#open.size;
  }

  readonly take = (response: ServerResponse): void => {
    clearTimeout(this.#timer);
    this.#open.add(response);
    response.writeHead(200, { "content-type": "text/plain" });
    response.flushHeaders();
    response.on("close", () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#wait();
    });
  };

  dispose(): void {
    clearTimeout(this.#timer);
    for (const response of this.#open) response.end();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#end, this.#graceMs);
  }
}
