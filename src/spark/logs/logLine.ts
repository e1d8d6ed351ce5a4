/** One line of a container's log. */
export interface LogLine {
  /** RFC 3339 with nanoseconds, from the node; empty if the line has none. */
  readonly timestamp: string;
  readonly text: string;
  /** Set if the log ended before a line break, so more of the line may follow. */
  readonly isUnfinished?: true;
}

/**
 * Splits the timestamp of the log API (`timestamps=true`) from the text. A line without a timestamp is kept as text.
 */
export function parseLogLine(line: string): LogLine {
  const blank = line.indexOf(" ");
  const length = blank === -1 ? line.length : blank;
  if (!beginsWithTimestamp(line, length)) return new ReadLine("", line);
  if (blank === -1) return new ReadLine(line, "");
  return new ReadLine(line.slice(0, blank), line.slice(blank + 1));
}

// A class saves memory; see `Collector`.
class ReadLine implements LogLine {
  readonly timestamp: string;
  readonly text: string;

  constructor(timestamp: string, text: string) {
    this.timestamp = timestamp;
    this.text = text;
  }
}

const [dash, letterT, colon] = [0x2d, 0x54, 0x3a];

// Checks the length and the fixed characters of 2026-01-02T03:04:05.123456789Z; offsets are
// allowed.
const beginsWithTimestamp = (line: string, length: number): boolean =>
  length >= 20 &&
  length <= 40 &&
  line.charCodeAt(4) === dash &&
  line.charCodeAt(10) === letterT &&
  line.charCodeAt(13) === colon;
