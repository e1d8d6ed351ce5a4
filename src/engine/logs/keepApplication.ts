import type { Disposable } from "../../base/disposable.ts";
import type { ClusterError } from "../clusterError.ts";
import { Interruption } from "../watch/interruption.ts";
import type { KeepOptions } from "./keepLog.ts";
import type { Clock } from "../ports/clock.ts";
import type { KeptLogWriter } from "../ports/logs.ts";
import { start, type Running } from "../running.ts";
import type { TailEnd } from "./tail.ts";

/** The log of one container. */
export interface LogToKeep {
  /** Unique within the application. */
  readonly id: string;
  /** True if the container has ended. */
  readonly hasEnded: boolean;
  /** Keeps the log. `ended` is called when the log ends, before all of it is on disk. */
  readonly keep: (writer: KeepOptions["writer"], ended: (end: TailEnd) => void) => Running;
}

/** The state of an application according to the live watch. */
export interface SeenApplication {
  readonly logs: readonly LogToKeep[];
  /** True if no pod of the application is running. */
  readonly isOver: boolean;
}

interface KeepApplicationOptions {
  /** Returns the application's state; undefined while no live watch covers it, so that it may still be running. */
  readonly see: () => SeenApplication | undefined;
  readonly onDidChange: (look: () => void) => Disposable;
  /** True while the logs are wanted. Polled, because another window may have switched it off. */
  readonly isWanted: () => boolean;
  /** Undefined while another window keeps the application. */
  readonly openWriter: () => Promise<KeptLogWriter | undefined>;
  readonly clock: Clock;
  /** Called for the first failure to keep a log. Later failures are not reported. */
  readonly failed: (why: KeepFailure) => void;
  /** Called when the application is over and its logs are complete, or they are no longer wanted. */
  readonly finished: () => void;
}

export type KeepFailure =
  | { readonly kind: "cluster"; readonly error: ClusterError }
  | { readonly kind: "disk"; readonly error: unknown };

// Interval in ms at which a window tries to take over from one that crashed or was closed.
const takeOverMs = 15_000;
// A window that has no live watch for this time, in ms, gives up the lock. The time is longer than a reconnect.
const blindMs = 15_000;
const retryMs = 30_000;
// Delay in ms that batches executors which start together. It loses no lines, because logs are read from their start.
const lookMs = 250;
// Changes made in other windows are not announced, so poll.
const lookAgainMs = 5_000;

/**
 * Keeps the logs of all containers of an application, until a live watch shows that the application is over or keeping
 * is switched off. A log that ends or fails early is resumed. Without a live watch, no application is considered over.
 * When `done` settles, all lines that were read are on disk, and another window may continue.
 */
export function keepApplication(options: KeepApplicationOptions): Running {
  return start((signal) => keepAll(options, signal));
}

async function keepAll(options: KeepApplicationOptions, signal: AbortSignal): Promise<void> {
  const { see, isWanted, openWriter, finished } = options;
  const tell = once(options.failed);
  do {
    let writer: KeptLogWriter | undefined;
    try {
      // A window without a live watch leaves the application to other windows.
      if (see() !== undefined) writer = await openWriter();
    } catch (error) {
      tell({ kind: "disk", error });
    }
    if (writer === undefined) {
      // All pods were deleted, so no log is left to save. If another window holds the writer, it completes the logs.
      if (isGone(see())) break;
      await waitForTurn(options, signal);
    } else if ((await new Keeping(options, writer, tell).run(signal)) === "over") break;
  } while (isWanted());
  signal.throwIfAborted();
  finished();
}

/** Waits 15 s, or until the watch becomes live. */
async function waitForTurn(
  { see, onDidChange, clock }: KeepApplicationOptions,
  signal: AbortSignal,
): Promise<void> {
  const wait = new Interruption();
  const wasSeen = see() !== undefined;
  const looking = onDidChange(() => {
    if (!wasSeen && see() !== undefined) wait.interrupt();
  });
  try {
    await wait.run((cut) => clock.sleep(takeOverMs, cut), signal);
  } finally {
    looking.dispose();
  }
}

const isGone = (seen: SeenApplication | undefined): boolean =>
  seen?.isOver === true && seen.logs.length === 0;

function once(failed: (why: KeepFailure) => void): (why: KeepFailure) => void {
  let isTold = false;
  return (why) => {
    if (!isTold) failed(why);
    isTold = true;
  };
}

/** Keeps logs for one period in which this window is the writer. */
class Keeping {
  readonly #options: KeepApplicationOptions;
  readonly #writer: KeptLogWriter;
  readonly #tell: (why: KeepFailure) => void;
  readonly #open = new Map<string, Running>();
  /** Ids of complete logs. */
  readonly #kept = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #rest = new Interruption();
  #hasLeft = false;
  /** Time in epoch ms since which there is no live watch; undefined while a watch is live. */
  #blindSince: number | undefined;

  constructor(
    options: KeepApplicationOptions,
    writer: KeptLogWriter,
    tell: (why: KeepFailure) => void,
  ) {
    this.#options = options;
    this.#writer = writer;
    this.#tell = tell;
  }

  /**
   * Keeps logs until the end of the period. `left`: another window has taken over or may do so, or keeping was switched
   * off.
   */
  async run(signal: AbortSignal): Promise<"over" | "left"> {
    const { clock, see, isWanted, onDidChange } = this.#options;
    const looking = onDidChange(() => {
      this.#rest.interrupt();
    });
    try {
      for (;;) {
        signal.throwIfAborted();
        const seen = see();
        if (this.#hasLeft || !isWanted() || this.#isBlind(seen)) return "left";
        if (seen && this.#look(seen, signal)) return "over";
        await this.#rest.run((cut) => clock.sleep(lookAgainMs, cut), signal);
        await clock.sleep(lookMs, signal);
      }
    } finally {
      looking.dispose();
      this.#hasLeft = true;
      for (const keeping of this.#open.values()) keeping.dispose();
      await Promise.allSettled([...this.#open.values()].map(({ done }) => done));
      // Releasing the lock lets another window continue after the last written line.
      this.#writer.dispose();
      await this.#writer.done;
    }
  }

  #isBlind(seen: SeenApplication | undefined): boolean {
    const now = this.#options.clock.now();
    this.#blindSince = seen === undefined ? (this.#blindSince ?? now) : undefined;
    return this.#blindSince !== undefined && now - this.#blindSince >= blindMs;
  }

  /** Starts to keep new logs. Returns true if the application is over and all its logs are complete. */
  #look(seen: SeenApplication, signal: AbortSignal): boolean {
    for (const log of seen.logs) {
      const isBusy = [this.#open, this.#kept, this.#waiting].some((some) => some.has(log.id));
      if (!isBusy) this.#keep(log, signal);
    }
    return seen.isOver && this.#open.size === 0 && seen.logs.every(({ id }) => this.#kept.has(id));
  }

  #keep(log: LogToKeep, signal: AbortSignal): void {
    let end: TailEnd | undefined;
    const keeping = log.keep(
      {
        newest: (name) => this.#writer.newest(name),
        end: (name) => this.#writer.end(name),
        append: async (name, lines) => {
          const done = await this.#writer.append(name, lines);
          if (done === "lost") this.#leave();
          return done;
        },
      },
      (how) => {
        end = how;
      },
    );
    this.#open.set(log.id, keeping);
    keeping.done
      .catch((error: unknown) => {
        this.#tell({ kind: "disk", error });
        end = undefined;
      })
      .finally(() => {
        this.#open.delete(log.id);
        if (!this.#hasLeft) this.#settle(log.id, end, signal);
        this.#rest.interrupt();
      });
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#rest.interrupt();
  }

  #settle(id: string, end: TailEnd | undefined, signal: AbortSignal): void {
    const seen = this.#options.see();
    const log = seen?.logs.find((one) => one.id === id);
    if (end?.kind === "failed") {
      // Do not report an error for a log that the watch no longer lists.
      if (log) this.#tell({ kind: "cluster", error: end.error });
    } else if (end && seen && log?.hasEnded !== false) {
      this.#kept.add(id);
      return;
    }
    this.#waiting.add(id);
    const tryAgain = async (): Promise<void> => {
      await this.#options.clock.sleep(retryMs, signal);
      this.#waiting.delete(id);
      this.#rest.interrupt();
    };
    // Only an abort rejects `tryAgain`.
    tryAgain().catch(() => undefined);
  }
}
