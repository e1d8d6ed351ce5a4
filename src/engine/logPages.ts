import type { LogLine } from "../spark/logs/logLine.ts";
import type { ClusterError } from "./clusterError.ts";
import type { LogSource } from "./ports.ts";
import type { TailTarget } from "./tail.ts";

/** Lines of a log that is too long to be held: an editor shows one page at a time. */
export interface LogPages {
  readonly count: number;
  /** From 0, the oldest. Undefined: it is not there any more. */
  read(page: number, signal: AbortSignal): Promise<readonly LogLine[] | undefined>;
}

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
  | { readonly kind: "pages"; readonly pages: LogPages; readonly last: readonly LogLine[] }
  | { readonly kind: "failed"; readonly error: ClusterError };

/**
 * Reads the log of a container up to now. Of all pages but the last only the beginning is remembered; they are
 * read again from there when they are asked for.
 */
export async function openLogPages(
  logs: LogSource,
  target: TailTarget,
  run: "current" | "previous",
  signal: AbortSignal,
): Promise<OpenedPages> {
  const request = {
    ...{ namespace: target.namespace, pod: target.pod, container: target.container },
    ...{ follow: false, previous: run === "previous", tailLines: undefined },
  };
  const starts: LogLine[] = [];
  const cutter = new PageCutter();
  let last: LogLine[] = [];
  for await (const item of logs.readLog({ ...request, sinceTime: undefined }, signal)) {
    if (item.kind === "failed") return item;
    for (const line of item.take()) {
      if (cutter.begins(line)) {
        starts.push(line);
        last = [];
      }
      last.push(line);
    }
  }
  const lastPage = last;
  const read = async (page: number): Promise<readonly LogLine[] | undefined> => {
    if (page === starts.length - 1) return lastPage;
    const [start, end] = [starts[page], starts[page + 1]];
    if (start === undefined) return undefined;
    const sinceTime = start.timestamp === "" ? undefined : `${start.timestamp.slice(0, 19)}Z`;
    let lines: LogLine[] | undefined;
    for await (const item of logs.readLog({ ...request, sinceTime }, signal)) {
      if (item.kind === "failed") return lines;
      for (const line of item.take()) {
        if (lines && end && isSame(line, end)) return lines;
        if (lines === undefined && isSame(line, start)) lines = [];
        lines?.push(line);
      }
    }
    return lines;
  };
  return { kind: "pages", pages: { count: starts.length, read }, last };
}

const isSame = (a: LogLine, b: LogLine): boolean =>
  a.timestamp === b.timestamp && a.text === b.text;
