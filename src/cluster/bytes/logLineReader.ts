import { type LogLine, parseLogLine } from "../../spark/logs/logLine.ts";
import { LineSplitter } from "./lineSplitter.ts";

const lineFeed = 0x0a;
// With its time stamp.
const longestLine = (1 << 20) + 64;
const cutMark = " … (cut: the line is longer than 1 MB)";
/** What is decoded at once, and so held as long as any of its lines is. */
const mostAtOnce = 32 << 10;

/** Reads the lines of a log out of its bytes, however those were cut: many are decoded at once. */
export class LogLineReader {
  readonly #splitter = new LineSplitter(longestLine);
  #lines: LogLine[] = [];

  read(chunk: Buffer): readonly LogLine[] {
    this.#lines = [];
    let at = 0;
    if (this.#splitter.hasBegun) {
      const end = chunk.indexOf(lineFeed);
      at = end === -1 ? chunk.length : end + 1;
      this.#splitter.push(chunk.subarray(0, at), this.#addAlone);
    }
    while (at < chunk.length) {
      const end = chunk.lastIndexOf(lineFeed, at + mostAtOnce - 1) + 1;
      if (end <= at) {
        // No line ends in here, or one that is long.
        const next = chunk.indexOf(lineFeed, at);
        const stop = next === -1 ? chunk.length : next + 1;
        this.#splitter.push(chunk.subarray(at, stop), this.#addAlone);
        at = stop;
        continue;
      }
      this.#addAll(chunk.toString("utf8", at, end));
      at = end;
    }
    return this.#lines;
  }

  /** What came after the last line feed. */
  end(): LogLine | undefined {
    this.#lines = [];
    this.#splitter.end(this.#addAlone);
    return this.#lines[0];
  }

  // A line feed is a byte of its own in UTF-8, also after bytes that are none: whole lines together are decoded
  // to the same as each by itself.
  #addAll(text: string): void {
    for (let at = 0; at < text.length;) {
      const end = text.indexOf("\n", at);
      this.#lines.push(parseLogLine(text.slice(at, end)));
      at = end + 1;
    }
  }

  readonly #addAlone = (line: Buffer, isCut: boolean): void => {
    const text = line.toString("utf8");
    this.#lines.push(parseLogLine(isCut ? text + cutMark : text));
  };
}
