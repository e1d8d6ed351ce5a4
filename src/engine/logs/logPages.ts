import type { LogLine } from "../../spark/logs/logLine.ts";
import type { ClusterError } from "../clusterError.ts";
import type { LogItem, LogSource } from "../ports/logs.ts";
import type { TailTarget } from "./tail.ts";

/** A log that can be read repeatedly from its first line. */
export interface LogText {
  /** The first line when the log was opened; undefined if it was empty or not opened. */
  readonly first: LogLine | undefined;
  /** Reads the whole log from its first line. */
  readAll(signal: AbortSignal): AsyncIterable<LogItem>;
}

/** A log that is too long for one editor, divided into pages. Only the newest page stays in memory. */
export interface LogPages extends LogText {
  readonly count: number;
  /** The newest page. */
  readonly last: readonly LogLine[];
  /**
   * Reads a page; page 0 is the oldest. Undefined if the page cannot be read, for example because the node has dropped
   * its lines.
   */
  read(page: number, signal: AbortSignal): Promise<readonly LogLine[] | undefined>;
}

interface GrowingPages extends LogPages {
  /** Appends a new line, or replaces an unfinished last line. Returns true if the line starts a new page. */
  add(line: LogLine): boolean;
}

/** `previous`: the run before the container's last restart. */
export type ContainerInstance = "current" | "previous";

/** Page limits at which an editor stays responsive. */
const maxLines = 50_000;
const maxCharacters = 8 << 20;

/** Splits lines into pages as they arrive. */
export class PageCutter {
  #lines = 0;
  #characters = 0;

  /** Counts a line. Returns true if the line starts a new page. */
  begins({ text }: LogLine): boolean {
    const isFirst = this.#lines === 0;
    const isFull = this.#lines >= maxLines || this.#characters + text.length > maxCharacters;
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
 * Reads a container's log up to now. Keeps only the last page and the first line of each earlier page in memory.
 * Earlier pages are read again on demand.
 */
export async function openLogPages(
  logs: LogSource,
  target: TailTarget,
  run: ContainerInstance,
  signal: AbortSignal,
): Promise<OpenedPages> {
  const pages = new ContainerPages(logs, target, run);
  for await (const item of pages.readAll(signal)) {
    if (item.kind === "failed") return item;
    for (const line of item.take()) pages.add(line);
  }
  return { kind: "pages", pages };
}

/** Reads the existing log of one run of a container. */
export const readContainerLog = (
  logs: LogSource,
  { namespace, pod, uid, container }: TailTarget,
  { run, sinceTime }: { readonly run: ContainerInstance; readonly sinceTime: string | undefined },
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
  readonly #run: ContainerInstance;
  readonly #starts: LogLine[] = [];
  readonly #cutter = new PageCutter();
  #last: LogLine[] = [];

  constructor(logs: LogSource, target: TailTarget, run: ContainerInstance) {
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
    // The complete line replaces the unfinished one.
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
    return readContainerLog(this.#logs, this.#target, { run: this.#run, sinceTime }, signal);
  }
}

/** The reason why part of a log is missing in a file. */
export type LogLoss =
  | { readonly kind: "failed"; readonly error: ClusterError }
  /** Lines that existed when the log was opened were dropped by the node. */
  | { readonly kind: "cutOff" };

/** Yields the log as the text of a file. `lost` returns the text to insert where lines are missing. */
export async function* logTextChunks(
  log: LogText,
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
    if (!isBegun && first && !continuesLine(first, begin))
      yield `-- ${lost({ kind: "cutOff" })} --\n`;
    isBegun = true;
    yield lines.map(({ text, isUnfinished }) => (isUnfinished ? text : `${text}\n`)).join("");
  }
  if (!isBegun && first) yield `-- ${lost({ kind: "cutOff" })} --\n`;
}

// The first line may have been unfinished when the log was opened, so compare only its start.
const continuesLine = (a: LogLine, b: LogLine): boolean =>
  a.timestamp === b.timestamp && b.text.startsWith(a.text);

const isSame = (a: LogLine, b: LogLine): boolean =>
  a.timestamp === b.timestamp && a.text === b.text;
