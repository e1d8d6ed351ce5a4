import type { LogLine } from "./logLine.ts";

export interface AcceptedLines {
  /** Those that were not accepted before. */
  readonly lines: readonly LogLine[];
  /** Set when what came last is not in the log any more: lines may be missing after that time. */
  readonly gapAfter: string | undefined;
}

/**
 * Knows how far the log of one container was read, so that after a cut it is read on without loss and
 * without repetition. The API goes on from a whole second only, so lines come again; these are told from
 * new ones by time stamp and, at the newest stamp, one by one, as several lines may carry the same.
 */
export class ResumeCursor {
  #newest = "";
  /**
   * Lines from the first at the newest stamp on. The two streams of a process are stamped by two writers,
   * so that a line may come after one that is newer: those are in here too.
   */
  readonly #recent: LogLine[] = [];
  #expected: Map<string, number> | undefined;
  #hasMatched = false;

  /** From when to read on: RFC 3339 in whole seconds; undefined before the first line. */
  get sinceTime(): string | undefined {
    let first = this.#newest;
    for (const { timestamp } of this.#recent) {
      if (timestamp !== "" && compareStamps(timestamp, first) < 0) first = timestamp;
    }
    if (first === "") return undefined;
    return `${new Date(Date.parse(first) - disorderMs).toISOString().slice(0, 19)}Z`;
  }

  /** The lines that come next were asked for from `sinceTime`. */
  beginReplay(): void {
    if (this.#newest === "") return;
    this.#hasMatched = false;
    this.#expected = new Map();
    for (const line of this.#recent) {
      const key = keyOf(line);
      this.#expected.set(key, (this.#expected.get(key) ?? 0) + 1);
    }
  }

  accept(lines: readonly LogLine[]): AcceptedLines {
    let gapAfter: string | undefined;
    let fresh = lines;
    if (this.#expected !== undefined) {
      const newest = this.#newest;
      fresh = lines.filter((line) => !this.#isRepeated(line));
      if (this.#isReplayOver && !this.#hasMatched) gapAfter = newest;
    }
    for (const line of fresh) this.#note(line);
    return { lines: fresh, gapAfter };
  }

  get #isReplayOver(): boolean {
    return this.#expected === undefined;
  }

  #isRepeated(line: LogLine): boolean {
    if (this.#expected === undefined) return false;
    const order = line.timestamp === "" ? 0 : compareStamps(line.timestamp, this.#newest);
    if (order > 0) {
      this.#expected = undefined;
      return false;
    }
    const key = keyOf(line);
    const count = this.#expected.get(key);
    if (count === undefined) return order < 0;
    this.#hasMatched = true;
    if (count > 1) this.#expected.set(key, count - 1);
    else this.#expected.delete(key);
    if (this.#expected.size === 0) this.#expected = undefined;
    return true;
  }

  #note(line: LogLine): void {
    const isNewer =
      line.timestamp !== "" &&
      (this.#newest === "" || compareStamps(line.timestamp, this.#newest) > 0);
    // A node whose clock was set back must not make us keep its log for as long as that lasts.
    if (isNewer || (line.timestamp !== "" && this.#recent.length >= mostRecentLines)) {
      this.#newest = line.timestamp;
      this.#recent.length = 0;
      this.#recent.push(line);
    } else if (this.#newest !== "") this.#recent.push(line);
  }
}

// By how much a line may carry an older stamp than the one before it, and more than enough.
const disorderMs = 100;
const mostRecentLines = 20_000;

const keyOf = ({ timestamp, text }: LogLine): string => `${timestamp} ${text}`;

/** Which of two RFC 3339 stamps is later; nodes write them with up to nine decimals and with any offset. */
export function compareStamps(a: string, b: string): number {
  if (a.length === b.length && offsetOf(a) === offsetOf(b)) return a === b ? 0 : a < b ? -1 : 1;
  const [left, right] = [splitStamp(a), splitStamp(b)];
  return left.seconds - right.seconds || left.nanoseconds - right.nanoseconds;
}

const offsetOf = (stamp: string): string =>
  stamp.charCodeAt(stamp.length - 1) === letterZ ? "Z" : stamp.slice(-6);

const letterZ = 0x5a;

function splitStamp(stamp: string): { readonly seconds: number; readonly nanoseconds: number } {
  const decimals = /\.(\d+)/.exec(stamp);
  const whole = decimals === null ? stamp : stamp.replace(decimals[0], "");
  return {
    seconds: Date.parse(whole) / 1000,
    nanoseconds: Number((decimals?.[1] ?? "").padEnd(9, "0").slice(0, 9)),
  };
}
