import type { LogLine } from "../../spark/logs/logLine.ts";
import { ResumeCursor } from "../../spark/logs/resumeCursor.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { KeptLogName, KeptLogWriter, LogSource } from "../ports/logs.ts";
import { start, type Running } from "../running.ts";
import {
  startTail,
  type ContainerUpdates,
  type TailEnd,
  type TailNotice,
  type TailTarget,
} from "./tail.ts";

export interface KeepOptions {
  readonly news: ContainerUpdates;
  /** Redacted logs, since all lines are written to disk. */
  readonly logs: LogSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly writer: Pick<KeptLogWriter, "append" | "end" | "newest">;
  /** Returns the text for a notice in the kept log; undefined to leave the notice out. */
  readonly words: (notice: TailNotice) => string | undefined;
  /** Called when the log ends. All its lines are kept when `done` settles. */
  readonly ended: (end: TailEnd) => void;
}

// The kept log lags by about `flushMs`. A block of `flushCharacters` is large enough to compress well.
const flushMs = 2_000;
const flushCharacters = 1 << 19;

/**
 * Keeps the log of a container, resuming from the newest line that any window kept. A new log begins with the previous
 * run of the container, if the node still has it, and continues across restarts until the log ends.
 */
export function keepLog(name: KeptLogName, target: TailTarget, options: KeepOptions): Running {
  return start((signal) => keep(name, target, options, signal));
}

async function keep(
  name: KeptLogName,
  target: TailTarget,
  options: KeepOptions,
  signal: AbortSignal,
): Promise<void> {
  const { logs, clock, random, writer, words, news } = options;
  const cursor = new ResumeCursor();
  const newest = await writer.newest(name);
  cursor.accept(newest.filter(({ timestamp }) => timestamp !== ""));
  signal.throwIfAborted();
  let waiting: LogLine[] = [];
  let characters = 0;
  let finish = (): Promise<void> => Promise.resolve();
  // After a failure nothing more is written: the next writer resumes from the newest kept line.
  let written: Promise<unknown> = Promise.resolve();
  const flush = async (): Promise<void> => {
    written = written.then(() => {
      if (waiting.length === 0) return undefined;
      const lines = waiting;
      waiting = [];
      characters = 0;
      return writer.append(name, lines);
    });
    await written;
  };
  const add = (line: LogLine): void => {
    waiting.push(line);
    characters += line.text.length;
  };
  const tail = startTail(
    logs,
    target,
    {
      lines: async (lines) => {
        for (const line of lines) add(line);
        if (characters >= flushCharacters) await flush();
      },
      notice: (notice) => {
        const text = words(notice);
        if (text !== undefined) add({ timestamp: "", text: `-- ${text} --` });
      },
      ended: (end) => {
        if (end.kind !== "failed") finish = () => writer.end(name);
        options.ended(end);
      },
    },
    { clock, random, tailLines: undefined, ...news, cursor, beginAt: "runBefore" },
  );
  const onAbort = (): void => {
    tail.dispose();
  };
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  const flushing = start(async (over) => {
    for (;;) {
      await clock.sleep(flushMs, over);
      await flush();
    }
  });
  try {
    await Promise.race([tail.done, flushing.done]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    tail.dispose();
    flushing.dispose();
    await tail.done;
    await flushing.done;
    await flush();
    await finish();
  }
}
