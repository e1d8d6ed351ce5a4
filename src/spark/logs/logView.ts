import { isLevelAtLeast, type LogLevel } from "./logLevel.ts";
import { dim, paint, reset } from "./logColors.ts";
import type { LogRecord } from "./logRecord.ts";
import { thrownBy, traceKeyOf } from "./traces.ts";

/** A record in a log view. */
export interface ShownRecord {
  /** The number of the record in the view. Users open its stack trace by this number. */
  readonly number: number;
  readonly source: string;
  readonly record: LogRecord;
  readonly isLate: boolean;
  /**
   * The number of the first record with the same stack trace, and the occurrences so far. Undefined for a new trace.
   */
  readonly same: { readonly number: number; readonly times: number } | undefined;
}

/** Filters and display options. */
export interface ViewChoice {
  readonly leastLevel: LogLevel;
  /** The text to search for. Undefined if records are not filtered by text. */
  readonly text: string | undefined;
  readonly timestamps: boolean;
  readonly folded: boolean;
}

export const wholeView: ViewChoice = {
  leastLevel: "trace",
  text: undefined,
  timestamps: false,
  folded: true,
};

/** True if the choice may hide records. */
export const isFilteredView = ({ leastLevel, text }: ViewChoice): boolean =>
  leastLevel !== wholeView.leastLevel || text !== undefined;

/** Localized text of the view. */
export interface ViewWords {
  readonly late: string;
  /** Formats the local time of day of a timestamp, always with the same width. */
  clock(stamp: string): string;
  /** Returns the text for a folded stack trace of `count` lines. `number`: the record number that opens it. */
  moreLines(count: number, number: number): string;
  sameTrace(first: number, times: number, number: number): string;
}

/** True if the record passes the filters: its level, and the text in any of its lines. */
export function isWanted({ record }: ShownRecord, { leastLevel, text }: ViewChoice): boolean {
  // Lines without a level are program output and pass all levels but `error`.
  if (
    record.level === undefined ? leastLevel === "error" : !isLevelAtLeast(record.level, leastLevel)
  ) {
    return false;
  }
  if (text === undefined) return true;
  const wanted = text.toLowerCase();
  const has = (line: string): boolean => line.toLowerCase().includes(wanted);
  return has(record.text) || record.rest.some((line) => has(line.text));
}

/** Counts the occurrences of each stack trace. Forgets all traces after 2,000 different ones, to bound the memory. */
export class TraceCounts {
  readonly #seen = new Map<string, { readonly number: number; times: number }>();

  count(number: number, record: LogRecord): ShownRecord["same"] {
    if (!record.hasTrace || record.rest.length === 0) return undefined;
    const key = traceKeyOf(record);
    const known = this.#seen.get(key);
    if (known === undefined) {
      if (this.#seen.size >= maxTraces) this.#seen.clear();
      this.#seen.set(key, { number, times: 1 });
      return undefined;
    }
    known.times += 1;
    return { ...known };
  }
}

const maxTraces = 2_000;

/** The label of a line's source: `driver`, `executor 3`. */
export interface SourceLabel {
  /** Padded to equal width; empty if there is one source only. */
  readonly text: string;
  /** An SGR code. */
  readonly color: number;
}

/** True if the record's stack trace is long enough to fold. */
export const isFoldable = ({ hasTrace, rest }: LogRecord): boolean => hasTrace && rest.length > 2;

/** Returns the rows of a record for a terminal. `isOpen`: show its full stack trace although others are folded. */
export function renderRecord(
  shown: ShownRecord,
  { text: label, color }: SourceLabel,
  choice: ViewChoice,
  isOpen: boolean,
  words: ViewWords,
): string {
  const { record, number, same, isLate } = shown;
  const head = label === "" ? "" : `\u001b[${color}m${label}${reset} `;
  const below = label === "" ? "" : `${" ".repeat(label.length)} `;
  const stamp = choice.timestamps ? dim(`${words.clock(record.timestamp)} `) : "";
  const late = isLate ? dim(`(${words.late}) `) : "";
  const first = `${head}${stamp}${late}${paint(record.text, record.level)}`;
  const { rest } = record;
  if (rest.length === 0) return `${first}\r\n`;
  const rows = [first];
  const isFolded = choice.folded && !isOpen && isFoldable(record);
  const shownRest = isFolded ? [errorLineOf(record)] : rest.map(({ text }) => text);
  for (const text of shownRest) rows.push(`${below}${paint(text, record.level)}`);
  if (isFolded) {
    rows.push(
      `${below}  ${dim(
        same === undefined
          ? words.moreLines(rest.length - 1, number)
          : words.sameTrace(same.number, same.times, number),
      )}`,
    );
  }
  return `${rows.join("\r\n")}\r\n`;
}

/** Returns the line with the error: the last one in Python, the root cause in Java. */
function errorLineOf(record: LogRecord): string {
  const name = thrownBy(record)?.name;
  const told = record.rest.findLast(({ text }) => name !== undefined && text.includes(name));
  return (told ?? record.rest[0])?.text ?? "";
}
