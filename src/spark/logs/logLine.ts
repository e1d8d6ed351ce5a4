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
  const head = blank === -1 ? line : line.slice(0, blank);
  if (!looksLikeTimestamp(head)) return { timestamp: "", text: line };
  return { timestamp: head, text: blank === -1 ? "" : line.slice(blank + 1) };
}

// 2026-01-02T03:04:05.123456789Z, or with an offset: long enough, and the fixed places hold what they must.
function looksLikeTimestamp(text: string): boolean {
  return (
    text.length >= 20 &&
    text.length <= 40 &&
    text[4] === "-" &&
    text[10] === "T" &&
    text[13] === ":"
  );
}
