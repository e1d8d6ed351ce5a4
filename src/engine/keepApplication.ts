import type { Disposable } from "../base/disposable.ts";
import type { ClusterError } from "./clusterError.ts";
import { Interruption } from "./interruption.ts";
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
  /** Asked every now and then from when it has begun: a wish may have been taken back in another window. */
  readonly isWanted: () => boolean;
  /** Undefined while another window keeps the application. */
  readonly openWriter: () => Promise<KeptLogWriter | undefined>;
  readonly clock: Clock;
  /** Told of the first log that cannot be kept, and why; it is tried again, and not told again. */
  readonly failed: (why: KeepFailure) => void;
  /** The application is over, and all that is left of its logs is kept; or they are not wanted any more. */
  readonly finished: () => void;
}

export type KeepFailure =
  | { readonly kind: "cluster"; readonly error: ClusterError }
  | { readonly kind: "disk"; readonly error: unknown };

// A window that has died, or was closed, leaves its applications to the others.
const takeOverMs = 15_000;
// A connection that is made anew is there again by then.
const blindMs = 15_000;
const retryMs = 30_000;
// Many executors start at once, and no line is missed by looking a moment later.
const lookMs = 250;
// Of what another window has changed nobody tells this one.
const lookAgainMs = 5_000;

/**
 * Keeps the logs of an application, each from when it is there, until a live watch says that the application
 * is over, or nobody wants them. What ends or fails meanwhile, for whatever reason, is taken up again: as long as
 * nothing can be seen, nothing is over. When it is done, all that was read is on the disk and another window may go on.
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
      // Who cannot see the application leaves it to a window that can.
      if (see() !== undefined) writer = await openWriter();
    } catch (error) {
      tell({ kind: "disk", error });
    }
    if (writer === undefined) {
      // Who keeps it sees to the rest.
      if (isGone(see())) break;
      await waitForTurn(options, signal);
    } else if ((await new Keeping(options, writer, tell).run(signal)) === "over") break;
  } while (isWanted());
  signal.throwIfAborted();
  finished();
}

/** A while, or until what could not be seen can be. */
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

/** As long as this window writes. */
class Keeping {
  readonly #options: KeepApplicationOptions;
  readonly #writer: KeptLogWriter;
  readonly #tell: (why: KeepFailure) => void;
  readonly #open = new Map<string, Running>();
  /** Kept to their ends. */
  readonly #kept = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #rest = new Interruption();
  #hasLeft = false;
  /** Since when nothing can be seen. */
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

  /** `left`: another window has taken over, or may; or it is not wanted any more. */
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
      // Who is let in by this goes on after the last line.
      this.#writer.dispose();
      await this.#writer.done;
    }
  }

  #isBlind(seen: SeenApplication | undefined): boolean {
    const now = this.#options.clock.now();
    this.#blindSince = seen === undefined ? (this.#blindSince ?? now) : undefined;
    return this.#blindSince !== undefined && now - this.#blindSince >= blindMs;
  }

  /** True when the application is over and everything kept. */
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
      this.#rest.interrupt();
    };
    // Nothing but the abort ends it early.
    tryAgain().catch(() => undefined);
  }
}
