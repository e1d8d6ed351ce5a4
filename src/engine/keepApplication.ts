import type { Disposable } from "../base/disposable.ts";
import type { ClusterError } from "./clusterError.ts";
import type { KeepOptions } from "./keepLog.ts";
import type { Clock, KeptLogWriter } from "./ports.ts";
import { start, type Running } from "./running.ts";
import type { TailEnd } from "./tail.ts";

/** The log of one container. */
export interface LogToKeep {
  /** Tells it from the other logs of the application. */
  readonly id: string;
  /** Its container will write no more. */
  readonly hasEnded: boolean;
  /** Keeps its log; `ended` hears how the log came to its end, before all of it is on the disk. */
  readonly keep: (writer: KeepOptions["writer"], ended: (end: TailEnd) => void) => Running;
}

/** What a live watch tells of an application. */
export interface SeenApplication {
  readonly logs: readonly LogToKeep[];
  /** Nothing of it runs any more, or it is gone. */
  readonly isOver: boolean;
}

export interface KeepApplicationOptions {
  /** Undefined as long as no live watch tells of the place where the application is: it may run on. */
  readonly see: () => SeenApplication | undefined;
  readonly onDidChange: (look: () => void) => Disposable;
  /** Undefined while another window keeps the application. */
  readonly openWriter: () => Promise<KeptLogWriter | undefined>;
  readonly clock: Clock;
  /** Told of the first log that cannot be kept, and why; it is tried again, and not told again. */
  readonly failed: (why: KeepFailure) => void;
  /** The application is over, and all that is left of its logs is kept. */
  readonly finished: () => void;
}

export type KeepFailure =
  | { readonly kind: "cluster"; readonly error: ClusterError }
  | { readonly kind: "disk"; readonly error: unknown };

// A window that has died, or was closed, leaves its applications to the others.
const takeOverMs = 15_000;
const retryMs = 30_000;
// Many executors start at once, and no line is missed by looking a moment later.
const lookMs = 250;

/**
 * Keeps the logs of an application, each from when it is there, until a live watch says that the application
 * is over. What ends or fails meanwhile, for whatever reason, is taken up again: as long as nothing can be seen,
 * nothing is over. When it is done, all that was read is on the disk and another window may go on.
 */
export function keepApplication(options: KeepApplicationOptions): Running {
  return start((signal) => keepAll(options, signal));
}

async function keepAll(options: KeepApplicationOptions, signal: AbortSignal): Promise<void> {
  const { clock, openWriter, finished } = options;
  const tell = once(options.failed);
  for (;;) {
    let writer: KeptLogWriter | undefined;
    try {
      writer = await openWriter();
    } catch (error) {
      tell({ kind: "disk", error });
    }
    if (writer === undefined) {
      // Who keeps it sees to the rest.
      if (isGone(options.see())) break;
      await clock.sleep(takeOverMs, signal);
      continue;
    }
    if ((await new Keeping(options, writer, tell).run(signal)) === "over") break;
  }
  signal.throwIfAborted();
  finished();
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

/** As long as this window writes. */
class Keeping {
  readonly #options: KeepApplicationOptions;
  readonly #writer: KeptLogWriter;
  readonly #tell: (why: KeepFailure) => void;
  readonly #open = new Map<string, Running>();
  /** Kept to their ends. */
  readonly #kept = new Set<string>();
  readonly #waiting = new Set<string>();
  #isLost = false;
  #ring: () => void = () => undefined;

  constructor(
    options: KeepApplicationOptions,
    writer: KeptLogWriter,
    tell: (why: KeepFailure) => void,
  ) {
    this.#options = options;
    this.#writer = writer;
    this.#tell = tell;
  }

  async run(signal: AbortSignal): Promise<"over" | "lost"> {
    const look = (): void => {
      this.#ring();
    };
    const looking = this.#options.onDidChange(look);
    signal.addEventListener("abort", look);
    try {
      for (;;) {
        signal.throwIfAborted();
        if (this.#isLost) return "lost";
        const woken = new Promise<void>((resolve) => {
          this.#ring = resolve;
        });
        if (this.#look(signal)) return "over";
        await woken;
        await this.#options.clock.sleep(lookMs, signal);
      }
    } finally {
      looking.dispose();
      signal.removeEventListener("abort", look);
      for (const keeping of this.#open.values()) keeping.dispose();
      await Promise.allSettled([...this.#open.values()].map(({ done }) => done));
      // Who is let in by this goes on after the last line.
      this.#writer.dispose();
      await this.#writer.done;
    }
  }

  /** True when the application is over and everything kept. */
  #look(signal: AbortSignal): boolean {
    const seen = this.#options.see();
    if (seen === undefined) return false;
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
        append: async (name, lines) => {
          const done = await this.#writer.append(name, lines);
          if (done === "lost") this.#lose();
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
        if (!signal.aborted && !this.#isLost) this.#settle(log.id, end, signal);
        this.#ring();
      });
  }

  #lose(): void {
    this.#isLost = true;
    this.#ring();
  }

  #settle(id: string, end: TailEnd | undefined, signal: AbortSignal): void {
    const seen = this.#options.see();
    const log = seen?.logs.find((one) => one.id === id);
    if (end?.kind === "failed") {
      // Who looks elsewhere has no failure to hear of.
      if (log) this.#tell({ kind: "cluster", error: end.error });
    } else if (end && seen && log?.hasEnded !== false) {
      this.#kept.add(id);
      return;
    }
    this.#waiting.add(id);
    const tryAgain = async (): Promise<void> => {
      await this.#options.clock.sleep(retryMs, signal);
      this.#waiting.delete(id);
      this.#ring();
    };
    // Nothing but the abort ends it early.
    tryAgain().catch(() => undefined);
  }
}
