import type { Disposable } from "../../base/disposable.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { NodeSize } from "../../spark/diagnosis/diagnosis.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../ports/clock.ts";
import type { NodeSizes } from "../ports/reports.ts";
import { start, type Running } from "../running.ts";

export interface LargestNodeOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Called each time after the nodes were read. */
  readonly changed: () => void;
}

// Pause before the nodes are listed again after a failure. It does not apply to a missing permission.
const failedAgainMs = 60_000;

/**
 * The size of the largest node. Lists the nodes at the first use of `size` and caches the result until `wake`. If
 * listing nodes is forbidden, it sends no further request until `wake`.
 */
export class LargestNode implements Disposable {
  readonly #nodes: NodeSizes;
  readonly #options: LargestNodeOptions;
  readonly #time: () => number;
  #size: NodeSize | undefined;
  #nextAt = -Infinity;
  #reading: Running | undefined;

  constructor(nodes: NodeSizes, options: LargestNodeOptions) {
    this.#nodes = nodes;
    this.#options = options;
    this.#time = steadyTime(options.clock);
  }

  /** Returns the size of the largest node. Undefined until the nodes were read, and if they cannot be read. */
  get size(): NodeSize | undefined {
    if (this.#time() >= this.#nextAt) this.#read();
    return this.#size;
  }

  /** Marks the size as outdated: the next read of `size` reads the nodes again. */
  wake(): void {
    this.#nextAt = -Infinity;
  }

  dispose(): void {
    this.#nextAt = Infinity;
    this.#reading?.dispose();
  }

  #read(): void {
    this.#nextAt = Infinity;
    this.#reading = start(async (signal) => {
      const read = await this.#nodes.largest(signal);
      signal.throwIfAborted();
      if (read.ok) {
        this.#size = read.value;
        this.#options.changed();
      } else {
        this.#options.log.debug(`nodes: ${read.error.detail}`);
        if (read.error.kind !== "forbidden") this.#nextAt = this.#time() + failedAgainMs;
      }
    });
    this.#reading.done.catch(this.#options.log.error);
  }
}
