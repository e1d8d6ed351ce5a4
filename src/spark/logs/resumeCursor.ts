import { ownCopy } from "../../base/copyOfText.ts";
import { digestOf } from "./digestOf.ts";
import type { LogLine } from "./logLine.ts";
import { compareStamps } from "./stamps.ts";

interface AcceptedLines {
  /** The lines that no earlier call has accepted. */
  readonly lines: readonly LogLine[];
  /** Set if the first new line of a replay follows no known line, so lines may be missing. */
  readonly gap: LogGap | undefined;
}

/** The timestamps of the last known line and of the first one after the gap. */
export interface LogGap {
  /** Undefined if the gap starts at the beginning of the log. */
  readonly after: string | undefined;
  /** Undefined if the gap extends to the end of the container's run. */
  readonly before: string | undefined;
}

/**
 * Tracks the position in a container's log, so that reading resumes without repetition, and reports gaps. The API
 * resumes at whole seconds, so lines repeat. They are recognized by timestamp and, at the newest timestamp, by text,
 * because several lines may share it. A node only drops the beginning of a log. A replay therefore consists of older
 * lines, then the known lines without a gap, then new lines: everything after the last known line is new.
 */
export class ResumeCursor {
  #newest = "";
  /**
   * The lines since the first one with the newest timestamp. Two writers stamp the two output
   * streams, so later lines may have older timestamps.
   */
  #recent: Known[] = [];
  /** The number of lines at the start of `#recent` that are copies. */
  #owned = 0;
  #expected: Map<string, number> | undefined;
  #hasMatched = false;

  /** Returns the newest timestamp; undefined before the first line that has one. */
  get newest(): string | undefined {
    return this.#newest === "" ? undefined : this.#newest;
  }

  /** Returns the start of the next request: RFC 3339 in whole seconds; undefined before the first line. */
  get sinceTime(): string | undefined {
    let first = this.#newest;
    for (const { timestamp } of this.#recent) {
      if (timestamp !== "" && compareStamps(timestamp, first) < 0) first = timestamp;
    }
    if (first === "") return undefined;
    return `${new Date(Date.parse(first) - disorderMs).toISOString().slice(0, 19)}Z`;
  }

  /** Returns a copy at the same position. */
  copy(): ResumeCursor {
    const copy = new ResumeCursor();
    copy.#newest = this.#newest;
    copy.#recent = [...this.#recent];
    copy.#owned = this.#owned;
    return copy;
  }

  /** Returns a cursor at the beginning of another log. */
  fresh(): ResumeCursor {
    return new ResumeCursor();
  }

  /** True if the current replay has repeated a known line. */
  get hasMatched(): boolean {
    return this.#hasMatched;
  }

  /** Prepares for the lines of a request from `sinceTime`, which repeat known lines. */
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

  /**
   * Ends the replay at the end of the log. Returns a gap if the replay contained neither a known nor a new line.
   */
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

  /**
   * True if the replay has passed the last known line. The first known lines may be missing, but none after a repeated
   * one.
   */
  get #hasPassedLast(): boolean {
    const last = this.#recent.at(-1);
    return this.#hasMatched && last !== undefined && !this.#expected?.has(keyOf(last));
  }

  #note(line: LogLine): void {
    const { timestamp } = line;
    const isNewer =
      timestamp !== "" && (this.#newest === "" || compareStamps(timestamp, this.#newest) > 0);
    // Bounds the memory if the clock of the node was set back.
    if (isNewer || (timestamp !== "" && this.#recent.length >= maxRecentLines)) {
      this.#newest = timestamp;
      if (this.#recent.length === 1) this.#recent[0] = line;
      else this.#recent = [line];
      this.#owned = 0;
    } else if (this.#newest !== "") this.#recent.push(line);
  }

  /** Copies the recent lines. Lines are slices of a chunk and would keep it in memory until a newer line arrives. */
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

// Maximum timestamp disorder of adjacent lines, with a margin.
const disorderMs = 100;
const maxRecentLines = 20_000;
// Longer lines are kept as digests to save memory.
const maxTextLength = 1_000;

const knownOf = ({ timestamp, text }: LogLine): Known => ({
  timestamp,
  text: text.length > maxTextLength ? digestOf(text) : text,
});

const keyOf = ({ timestamp, text }: Known): string => `${timestamp} ${text}`;
