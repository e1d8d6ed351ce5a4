import type { Clock } from "../ports/clock.ts";
import type { KeptLogName, KeptLogWriter } from "../ports/logs.ts";
import { start, type Running } from "../running.ts";
import { Interruption } from "../watch/interruption.ts";
import type { KeepOptions } from "./keepLog.ts";
import type { TailEnd } from "./tail.ts";

/** The log of a failed pod. */
export interface FailedLog {
  readonly name: KeptLogName;
  /** Keeps the last lines. `ended` is called when the log ends, before all of it is on disk. */
  readonly keep: (writer: KeepOptions["writer"], ended: (end: TailEnd) => void) => Running;
}

export interface KeepFailedOptions {
  /** Undefined while another window, or this one, keeps all logs of the application. */
  readonly openWriter: (log: KeptLogName) => Promise<KeptLogWriter | undefined>;
  readonly clock: Clock;
  /** Called after the lines of a log were written. */
  readonly kept: (log: KeptLogName) => void;
  readonly failed: (error: unknown) => void;
}

/** The number of lines that are kept of a failed pod. */
export const failedLogLines = 500;

// A window of a namespace that fails all the time makes no more requests than that.
const maxLogs = 200;
// A node that does not answer must not hold up the other logs for longer.
const readMs = 30_000;

/** Keeps the last lines of failed pods, one pod at a time. */
export interface FailedLogKeeper extends Running {
  /** Adds logs, unless they were added before or their namespace denied the logs. */
  add(logs: readonly FailedLog[]): void;
}

export function keepFailedLogs(options: KeepFailedOptions): FailedLogKeeper {
  const known = new Set<string>();
  const denied = new Set<string>();
  let queue: readonly FailedLog[] = [];
  const rest = new Interruption();
  const placeOf = ({ context, namespace }: KeptLogName): string =>
    JSON.stringify([context, namespace]);
  const running = start(async (signal) => {
    for (;;) {
      const [next, ...later] = queue;
      queue = later;
      if (next === undefined) await rest.run((cut) => options.clock.sleep(60_000, cut), signal);
      else if (!denied.has(placeOf(next.name))) {
        const end = await keepOne(next, options, signal);
        if (end?.kind === "failed") denied.add(placeOf(next.name));
      }
      signal.throwIfAborted();
    }
  });
  return {
    ...running,
    add: (logs) => {
      const fresh = logs.filter(({ name: { context, uid, container } }) => {
        const id = JSON.stringify([context, uid, container]);
        const isNew = known.size < maxLogs && !known.has(id);
        if (isNew) known.add(id);
        return isNew;
      });
      queue = [...queue, ...fresh];
      if (fresh.length > 0) rest.interrupt();
    },
  };
}

/** How the log ended; undefined if it was not read to its end. */
async function keepOne(
  { name, keep }: FailedLog,
  { openWriter, clock, kept, failed }: KeepFailedOptions,
  signal: AbortSignal,
): Promise<TailEnd | undefined> {
  let writer: KeptLogWriter | undefined;
  let end: TailEnd | undefined;
  try {
    writer = await openWriter(name);
    // The lines of an earlier session are enough.
    if (writer === undefined || (await writer.newest(name)).length > 0) return undefined;
    const keeping = keep(writer, (how) => {
      end = how;
    });
    const late = start(async (over) => {
      await clock.sleep(readMs, over);
    });
    const stop = (): void => {
      keeping.dispose();
    };
    signal.addEventListener("abort", stop);
    await Promise.race([keeping.done, late.done]);
    signal.removeEventListener("abort", stop);
    late.dispose();
    keeping.dispose();
    await Promise.all([keeping.done, late.done]);
    if (end?.kind === "finished" && (await writer.newest(name)).length > 0) kept(name);
  } catch (error) {
    failed(error);
  } finally {
    writer?.dispose();
    await writer?.done;
  }
  return end;
}
