import { ownCopy } from "../../base/ownCopy.ts";
import { digestOf } from "./digestOf.ts";
import type { LogLine } from "./logLine.ts";
import { compareStamps } from "./stamps.ts";

export interface AcceptedLines {
  /** Those that were not accepted before. */
  readonly lines: readonly LogLine[];
  /** Set when what came last is not in the log any more: lines may be missing in between. */
  readonly gap: LogGap | undefined;
}

/** From the last line that was read to the first one after it; the stamps of both. */
export interface LogGap {
  /** Undefined: from the beginning. */
  readonly after: string | undefined;
  /** Undefined: to the end of the container's run. */
  readonly before: string | undefined;
}

/**
 * Knows how far the log of one container was read, so that after a cut it is read on without loss and
 * without repetition. The API goes on from a whole second only, so lines come again; these are told from
 * new ones by time stamp and, at the newest stamp, one by one, as several lines may carry the same.
 *
 * A node only ever throws away the beginning of a log. What comes again is therefore older lines, then the
 * known ones without a break, then the new ones: where the last known line has been seen, all is new.
 */
export class ResumeCursor {
  #newest = "";
  /**
   * Lines from the first at the newest stamp on. The two streams of a process are stamped by two writers,
   * so that a line may come after one that is newer: those are in here too.
   */
  #recent: Known[] = [];
  /** So many of these are copies of our own. */
  #owned = 0;
  #expected: Map<string, number> | undefined;
  #hasMatched = false;

  /** The newest time stamp; undefined before the first line that has one. */
  get newest(): string | undefined {
    return this.#newest === "" ? undefined : this.#newest;
  }

  /** From when to read on: RFC 3339 in whole seconds; undefined before the first line. */
  get sinceTime(): string | undefined {
    let first = this.#newest;
    for (const { timestamp } of this.#recent) {
      if (timestamp !== "" && compareStamps(timestamp, first) < 0) first = timestamp;
    }
    if (first === "") return undefined;
    return `${new Date(Date.parse(first) - disorderMs).toISOString().slice(0, 19)}Z`;
  }

  /** Another one that stands at the same place. */
  copy(): ResumeCursor {
    const copy = new ResumeCursor();
    copy.#newest = this.#newest;
    copy.#recent = [...this.#recent];
    copy.#owned = this.#owned;
    return copy;
  }

  /** One at the start of a log of the same kind. */
  fresh(): ResumeCursor {
    return new ResumeCursor();
  }

  /** Whether a line that was read before has come again. */
  get hasMatched(): boolean {
    return this.#hasMatched;
  }

  /** The lines that come next were asked for from `sinceTime`. */
  beginReplay(): void {
    this.#hasMatched = false;
    if (this.#newest === "") return;
    this.#expected = new Map();
    for (const known of this.#recent) {
      const key = keyOf(known);
      this.#expected.set(key, (this.#expected.get(key) ?? 0) + 1);
    }
  }

  accept(lines: readonly LogLine[]): AcceptedLines {
    let gap: LogGap | undefined;
    let fresh = lines;
    if (this.#expected !== undefined) {
      const after = this.#newest;
      fresh = lines.filter((line) => !this.#isRepeated(line));
      const first = fresh[0];
      if (first && !this.#hasMatched) gap = { after, before: first.timestamp };
    }
    for (const line of fresh) this.#note(line);
    this.#keepOwn();
    return { lines: fresh, gap };
  }

  /** All that there is has come, as no more will be written: what was read last may not have been in it. */
  endReplay(): LogGap | undefined {
    const isLost = this.#expected !== undefined && !this.#hasMatched;
    this.#expected = undefined;
    return isLost ? { after: this.#newest, before: undefined } : undefined;
  }

  #isRepeated(line: LogLine): boolean {
    if (this.#expected === undefined) return false;
    const order = line.timestamp === "" ? 0 : compareStamps(line.timestamp, this.#newest);
    const key = keyOf(knownOf(line));
    const count = order > 0 ? undefined : this.#expected.get(key);
    if (count !== undefined) {
      this.#hasMatched = true;
      if (count > 1) this.#expected.set(key, count - 1);
      else this.#expected.delete(key);
      if (this.#expected.size === 0) this.#expected = undefined;
      return true;
    }
    if (order < 0 && !this.#hasPassedLast) return true;
    this.#expected = undefined;
    return false;
  }

  /** Some known lines may be gone, but not those that stand after one that is there. */
  get #hasPassedLast(): boolean {
    const last = this.#recent.at(-1);
    return this.#hasMatched && last !== undefined && !this.#expected?.has(keyOf(last));
  }

  #note(line: LogLine): void {
    const { timestamp } = line;
    const isNewer =
      timestamp !== "" && (this.#newest === "" || compareStamps(timestamp, this.#newest) > 0);
    // A node whose clock was set back must not make us keep its log for as long as that lasts.
    if (isNewer || (timestamp !== "" && this.#recent.length >= mostRecentLines)) {
      this.#newest = timestamp;
      if (this.#recent.length === 1) this.#recent[0] = line;
      else this.#recent = [line];
      this.#owned = 0;
    } else if (this.#newest !== "") this.#recent.push(line);
  }

  /** Lines are pieces of a text that came as a whole, and would keep it as long as nothing newer comes. */
  #keepOwn(): void {
    if (this.#owned === this.#recent.length) return;
    this.#newest = ownCopy(this.#newest);
    for (; this.#owned < this.#recent.length; this.#owned += 1) {
      const line = this.#recent[this.#owned];
      if (line === undefined) continue;
      const { timestamp, text } = knownOf(line);
      this.#recent[this.#owned] = { timestamp: ownCopy(timestamp), text: ownCopy(text) };
    }
  }
}

interface Known {
  readonly timestamp: string;
  readonly text: string;
}

// By how much a line may carry an older stamp than the one before it, and more than enough.
const disorderMs = 100;
const mostRecentLines = 20_000;
// Of longer lines a digest is kept, so that a million of bytes is not held for each.
const longestText = 1_000;

const knownOf = ({ timestamp, text }: LogLine): Known => ({
  timestamp,
  text: text.length > longestText ? digestOf(text) : text,
});

const keyOf = ({ timestamp, text }: Known): string => `${timestamp} ${text}`;
