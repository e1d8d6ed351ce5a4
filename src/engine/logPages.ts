import type { LogLine } from "../spark/logs/logLine.ts";
import type { ClusterError } from "./clusterError.ts";
import type { LogItem, LogSource } from "./ports.ts";
import type { TailTarget } from "./tail.ts";

/** A log from its first line on, as often as it is asked for. */
export interface WholeLog {
  /** The first line that was there when it was opened; undefined where none was, or it was not opened. */
  readonly first: LogLine | undefined;
  /** Reads it anew. */
  readAll(signal: AbortSignal): AsyncIterable<LogItem>;
}

/** Lines of a log that is too long to be held: an editor shows one page at a time. */
export interface LogPages extends WholeLog {
  readonly count: number;
  /** The newest page. */
  readonly last: readonly LogLine[];
  /** From 0, the oldest. Undefined: it is not there any more. */
  read(page: number, signal: AbortSignal): Promise<readonly LogLine[] | undefined>;
}

export interface GrowingPages extends LogPages {
  /** What was written since. True if the line begins a new page, which is the newest then. */
  add(line: LogLine): boolean;
}

/** `previous`: before the container was started again. */
export type ContainerRun = "current" | "previous";

/** Where pages end: an editor is quick with so many lines, and with so many characters. */
const mostLines = 50_000;
const mostCharacters = 8 << 20;

/** Cuts lines into pages as they come. */
export class PageCutter {
  #lines = 0;
  #characters = 0;

  /** True if the line begins a new page. */
  begins({ text }: LogLine): boolean {
    const isFirst = this.#lines === 0;
    const isFull = this.#lines >= mostLines || this.#characters + text.length > mostCharacters;
    if (isFull) this.#lines = this.#characters = 0;
    this.#lines += 1;
    this.#characters += text.length;
    return isFirst || isFull;
  }
}

export type OpenedPages =
  | { readonly kind: "pages"; readonly pages: GrowingPages }
  | { readonly kind: "failed"; readonly error: ClusterError };

/**
 * Reads the log of a container up to now. Of all pages but the last only the beginning is remembered; they are
 * read again from there when they are asked for.
 */
export async function openLogPages(
  logs: LogSource,
  target: TailTarget,
  run: ContainerRun,
  signal: AbortSignal,
): Promise<OpenedPages> {
  const pages = new ContainerPages(logs, target, run);
  for await (const item of pages.readAll(signal)) {
    if (item.kind === "failed") return item;
    for (const line of item.take()) pages.add(line);
  }
  return { kind: "pages", pages };
}

/** All that a container's log has now, of one run of it. */
export const readWhole = (
  logs: LogSource,
  { namespace, pod, uid, container }: TailTarget,
  { run, sinceTime }: { readonly run: ContainerRun; readonly sinceTime: string | undefined },
  signal: AbortSignal,
): AsyncIterable<LogItem> =>
  logs.readLog(
    {
      ...{ namespace, pod, uid, container, sinceTime },
      ...{ follow: false, previous: run === "previous", tailLines: undefined },
    },
    signal,
  );

class ContainerPages implements GrowingPages {
  readonly #logs: LogSource;
  readonly #target: TailTarget;
  readonly #run: ContainerRun;
  readonly #starts: LogLine[] = [];
  readonly #cutter = new PageCutter();
  #last: LogLine[] = [];

  constructor(logs: LogSource, target: TailTarget, run: ContainerRun) {
    this.#logs = logs;
    this.#target = target;
    this.#run = run;
  }

  get count(): number {
    return this.#starts.length;
  }

  get first(): LogLine | undefined {
    return this.#starts[0];
  }

  get last(): readonly LogLine[] {
    return this.#last;
  }

  add(line: LogLine): boolean {
    // What was not finished comes again as a whole.
    if (this.#last.at(-1)?.isUnfinished === true) {
      this.#last.pop();
      if (this.#last.length === 0) this.#starts.splice(-1, 1, line);
      this.#last.push(line);
      return false;
    }
    const isFirst = this.#cutter.begins(line);
    if (isFirst) {
      this.#starts.push(line);
      this.#last = [];
    }
    this.#last.push(line);
    return isFirst;
  }

  readAll(signal: AbortSignal): AsyncIterable<LogItem> {
    return this.#readFrom(undefined, signal);
  }

  async read(page: number, signal: AbortSignal): Promise<readonly LogLine[] | undefined> {
    if (page === this.count - 1) return this.#last;
    const [start, end] = [this.#starts[page], this.#starts[page + 1]];
    if (start === undefined) return undefined;
    const sinceTime = start.timestamp === "" ? undefined : `${start.timestamp.slice(0, 19)}Z`;
    let lines: LogLine[] | undefined;
    for await (const item of this.#readFrom(sinceTime, signal)) {
      if (item.kind === "failed") return undefined;
      for (const line of item.take()) {
        if (lines && end && isSame(line, end)) return lines;
        if (lines === undefined && isSame(line, start)) lines = [];
        lines?.push(line);
      }
    }
    return undefined;
  }

  #readFrom(sinceTime: string | undefined, signal: AbortSignal): AsyncIterable<LogItem> {
    return readWhole(this.#logs, this.#target, { run: this.#run, sinceTime }, signal);
  }
}

/** Why a file has not all of a log. */
export type LogLoss =
  | { readonly kind: "failed"; readonly error: ClusterError }
  /** Lines that were there when it was opened have been thrown away. */
  | { readonly kind: "cutOff" };

/** The log as a file has it. `lost` gives the words that stand where lines are missing. */
export async function* wholeText(
  log: WholeLog,
  lost: (loss: LogLoss) => string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { first } = log;
  let isBegun = false;
  for await (const item of log.readAll(signal)) {
    if (item.kind === "failed") {
      yield `-- ${lost(item)} --\n`;
      return;
    }
    const lines = item.take();
    const [begin] = lines;
    if (begin === undefined) continue;
    if (!isBegun && first && !goesOn(first, begin)) yield `-- ${lost({ kind: "cutOff" })} --\n`;
    isBegun = true;
    yield lines.map(({ text, isUnfinished }) => (isUnfinished ? text : `${text}\n`)).join("");
  }
  if (!isBegun && first) yield `-- ${lost({ kind: "cutOff" })} --\n`;
}

// It may not have been finished then.
const goesOn = (a: LogLine, b: LogLine): boolean =>
  a.timestamp === b.timestamp && b.text.startsWith(a.text);

const isSame = (a: LogLine, b: LogLine): boolean =>
  a.timestamp === b.timestamp && a.text === b.text;
