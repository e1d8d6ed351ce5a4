import { Collector } from "../../base/collector.ts";
import { type LogLine, parseLogLine } from "../../spark/logs/logLine.ts";
import { LineSplitter } from "./lineSplitter.ts";

const lineFeed = 0x0a;
// With its time stamp.
const longestLine = (1 << 20) + 64;
const cutMark = " … (cut: the line is longer than 1 MB)";
/** What is decoded at once, and so held as long as any of its lines is. */
const mostAtOnce = 8 << 10;

/**
 * Reads the lines of a log out of its bytes, however those were cut: many are decoded at once, but not more than are
 * wanted, as bytes take less room than lines.
 */
export class LogLineReader {
  readonly #splitter = new LineSplitter(longestLine);
  readonly #lines = new Collector<LogLine>();
  #chunk: Buffer | undefined;
  #at = 0;

  /** The bytes are read by `take`, which is to be called as long as it `hasMore`. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  get hasMore(): boolean {
    return this.#chunk !== undefined;
  }

  /** The next lines that have come to their end, if any have. */
  take(): readonly LogLine[] {
    while (this.#chunk !== undefined && this.#lines.length === 0) this.#readOn(this.#chunk);
    return this.#lines.take();
  }

  /** What came after the last line feed. */
  end(): LogLine | undefined {
    this.#splitter.end(this.#addAlone);
    return this.#lines.take()[0];
  }

  #readOn(chunk: Buffer): void {
    const end = chunk.lastIndexOf(lineFeed, this.#at + mostAtOnce - 1) + 1;
    // One that has begun before, is long, or does not end in here.
    if (this.#splitter.hasBegun || end <= this.#at) this.#readAlone(chunk);
    else {
      this.#addAll(chunk.toString("utf8", this.#at, end));
      this.#at = end;
    }
    if (this.#at === chunk.length) this.#chunk = undefined;
  }

  #readAlone(chunk: Buffer): void {
    const end = chunk.indexOf(lineFeed, this.#at);
    const stop = end === -1 ? chunk.length : end + 1;
    this.#splitter.push(chunk.subarray(this.#at, stop), this.#addAlone);
    this.#at = stop;
  }

  // A line feed is a byte of its own in UTF-8, also after bytes that are none: whole lines together are decoded
  // to the same as each by itself.
  #addAll(text: string): void {
    for (let at = 0; at < text.length;) {
      const end = text.indexOf("\n", at);
      this.#lines.add(parseLogLine(text.slice(at, end)));
      at = end + 1;
    }
  }

  readonly #addAlone = (line: Buffer, isCut: boolean): void => {
    const text = line.toString("utf8");
    this.#lines.add(parseLogLine(isCut ? text + cutMark : text));
  };
}
