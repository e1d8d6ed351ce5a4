/** One line of a container's log. */
export interface LogLine {
  /** RFC 3339 with nanoseconds, as the node wrote it; empty where the line came without one. */
  readonly timestamp: string;
  readonly text: string;
  /** The log ended before the line did: there may be more of it. */
  readonly isUnfinished?: true;
}

/**
 * Splits the time stamp that the log API puts before each line (`timestamps=true`) from the text.
 * A line without one is kept whole: nothing that a container printed is lost.
 */
export function parseLogLine(line: string): LogLine {
  const blank = line.indexOf(" ");
  const length = blank === -1 ? line.length : blank;
  if (!beginsWithTimestamp(line, length)) return new ReadLine("", line);
  if (blank === -1) return new ReadLine(line, "");
  return new ReadLine(line.slice(0, blank), line.slice(blank + 1));
}

// A class for the sake of the memory: see Collector.
class ReadLine implements LogLine {
  readonly timestamp: string;
  readonly text: string;

  constructor(timestamp: string, text: string) {
    this.timestamp = timestamp;
    this.text = text;
  }
}

const [dash, letterT, colon] = [0x2d, 0x54, 0x3a];

// 2026-01-02T03:04:05.123456789Z, or with an offset: long enough, and the fixed places hold what they must.
const beginsWithTimestamp = (line: string, length: number): boolean =>
  length >= 20 &&
  length <= 40 &&
  line.charCodeAt(4) === dash &&
  line.charCodeAt(10) === letterT &&
  line.charCodeAt(13) === colon;
