import type { ServerResponse } from "node:http";
import type { Disposable } from "../../base/disposable.ts";

/** Time until a sandbox without a lease stops. A reloaded window takes its lease again within this time. */
export const graceMs = 60_000;

/**
 * Counts the windows that use the sandbox. Each window keeps one request open, which the operating system closes
 * even if the window is killed.
 */
export class Leases implements Disposable {
  readonly #open = new Set<ServerResponse>();
  readonly #graceMs: number;
  readonly #end: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `end` after `grace` ms without a lease, counted from construction or the last release. */
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
