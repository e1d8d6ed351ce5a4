import { Collector } from "../../base/collector.ts";
import { type LogLine, parseLogLine } from "../../spark/logs/logLine.ts";
import { LineSplitter } from "./lineSplitter.ts";

const lineFeed = 0x0a;
// Size limit of a line in bytes, including the timestamp.
const maxLine = (1 << 20) + 64;
const cutMark = " … (truncated: the line is longer than 1 MB)";
/** Maximum bytes decoded at once. The decoded text stays in memory as long as any of its lines does. */
const maxAtOnce = 8 << 10;

/**
 * Decodes log lines from chunks of any size. Decodes several lines at once, but only on demand, because bytes take
 * less memory than lines.
 */
export class LogLineReader {
  readonly #splitter = new LineSplitter(maxLine);
  readonly #lines = new Collector<LogLine>();
  #chunk: Buffer | undefined;
  #at = 0;

  /** Sets the next chunk. Call `take` until `hasMore` is false before the next `push`. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  get hasMore(): boolean {
    return this.#chunk !== undefined;
  }

  /** Returns the next complete lines; may be empty at the end of the chunk. */
  take(): readonly LogLine[] {
    while (this.#chunk !== undefined && this.#lines.length === 0) this.#readOn(this.#chunk);
    return this.#lines.take();
  }

  /** Returns the incomplete last line, if there is one. */
  end(): LogLine | undefined {
    this.#splitter.end(this.#addAlone);
    return this.#lines.take()[0];
  }

  #readOn(chunk: Buffer): void {
    const end = chunk.lastIndexOf(lineFeed, this.#at + maxAtOnce - 1) + 1;
    // This line began in an earlier chunk, is long, or does not end in this chunk.
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

  // In UTF-8 a line feed is always a single byte, even after invalid bytes. So decoding several lines together gives
  // the same text as decoding each separately.
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
