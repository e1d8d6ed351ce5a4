import { isAbort } from "../../base/isAbort.ts";
import type { Clock } from "../ports/clock.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import type { KeptLogName, KeptLogWriter } from "../ports/logs.ts";
import { start, type Running } from "../running.ts";
import { Interruption } from "../watch/interruption.ts";

/** The log of a failed pod. */
export interface FailedLog {
  readonly name: KeptLogName;
  /** Reads the last lines of the log, redacted. Undefined if they cannot be read now. */
  readonly read: (signal: AbortSignal) => Promise<readonly LogLine[] | undefined>;
}

export interface KeepFailedOptions {
  /** Undefined while another window, or this one, keeps all logs of the application. */
  readonly openWriter: (log: KeptLogName) => Promise<KeptLogWriter | undefined>;
  readonly clock: Clock;
  /** Called after the lines of a log were written. */
  readonly kept: (log: KeptLogName) => void;
  readonly failed: (error: unknown) => void;
}

/** The number of log lines that are kept for each failed pod. */
export const failedLogLines = 500;

// Maximum number of logs that one keeper accepts. It limits the requests if the pods of a namespace keep failing.
const maxLogs = 200;
const retryMs = 60_000;
const maxRetries = 2;

/**
 * Keeps the last lines of failed pods, one pod at a time. Reads a failed log again after a pause of 60 s without new
 * logs, at most twice.
 */
export interface FailedLogKeeper extends Running {
  /** Adds logs. Ignores those that were added before, and those beyond the first 200. */
  add(logs: readonly FailedLog[]): void;
}

interface QueuedLog {
  readonly log: FailedLog;
  readonly retries: number;
}

export function keepFailedLogs(options: KeepFailedOptions): FailedLogKeeper {
  const known = new Set<string>();
  let queue: readonly QueuedLog[] = [];
  let unread: readonly QueuedLog[] = [];
  const rest = new Interruption();
  const running = start(async (signal) => {
    for (;;) {
      const [next, ...later] = queue;
      queue = later;
      if (next === undefined) {
        const pause = async (cut: AbortSignal): Promise<true> => {
          await options.clock.sleep(retryMs, cut);
          return true;
        };
        if ((await rest.run(pause, signal)) !== true) continue;
        queue = [...queue, ...unread];
        unread = [];
      } else if ((await keepOne(next.log, options, signal)) === "unread") {
        const retries = next.retries + 1;
        if (retries <= maxRetries) unread = [...unread, { ...next, retries }];
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
      queue = [...queue, ...fresh.map((log) => ({ log, retries: 0 }))];
      if (fresh.length > 0) rest.interrupt();
    },
  };
}

async function keepOne(
  { name, read }: FailedLog,
  { openWriter, kept, failed }: KeepFailedOptions,
  signal: AbortSignal,
): Promise<"unread" | undefined> {
  let writer: KeptLogWriter | undefined;
  try {
    writer = await openWriter(name);
    // Skip a log that another writer keeps, or whose lines an earlier session kept.
    if (writer === undefined || (await writer.newest(name)).length > 0) return undefined;
    const lines = await read(signal);
    if (lines === undefined) return "unread";
    if (lines.length === 0 || (await writer.append(name, lines)) === "lost") return undefined;
    await writer.end(name);
    kept(name);
  } catch (error) {
    if (!isAbort(error)) failed(error);
  } finally {
    writer?.dispose();
    await writer?.done;
  }
  return undefined;
}
