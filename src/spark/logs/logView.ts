import { isAtLeast, type LogLevel } from "./logLevel.ts";
import type { LogRecord } from "./logRecord.ts";
import { terminalText } from "./terminalText.ts";
import { thrownBy, traceKeyOf } from "./traces.ts";

/** A record in a view of logs. */
export interface ShownRecord {
  /** Counts the records of the view, and is the number by which a trace is called. */
  readonly number: number;
  readonly source: string;
  readonly record: LogRecord;
  readonly isLate: boolean;
  /** The first record with the same trace, and how often it had come with this one. */
  readonly same: { readonly number: number; readonly times: number } | undefined;
}

/** What a reader wants to see, and how. */
export interface ViewChoice {
  readonly leastLevel: LogLevel;
  /** Undefined: all. */
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

/** Words that are shown between lines; in the user's language. */
export interface ViewWords {
  readonly late: string;
  /** Of a trace that is folded; both name its own number last, by which it is opened. */
  moreLines(count: number, number: number): string;
  sameTrace(first: number, times: number, number: number): string;
}

/** Whether the record passes the filters: its own level, and the text anywhere in its lines. */
export function isWanted({ record }: ShownRecord, { leastLevel, text }: ViewChoice): boolean {
  // What names no level is a print of the program's and passes all but the strictest choice.
  if (record.level === undefined ? leastLevel === "error" : !isAtLeast(record.level, leastLevel)) {
    return false;
  }
  if (text === undefined) return true;
  const wanted = text.toLowerCase();
  const has = (line: string): boolean => line.toLowerCase().includes(wanted);
  return has(record.text) || record.rest.some((line) => has(line.text));
}

/** Tells traces that have come before. */
export class TraceCounts {
  readonly #seen = new Map<string, { readonly number: number; times: number }>();

  count(number: number, record: LogRecord): ShownRecord["same"] {
    if (!record.hasTrace || record.rest.length === 0) return undefined;
    const key = traceKeyOf(record);
    const known = this.#seen.get(key);
    if (known === undefined) {
      if (this.#seen.size >= mostTraces) this.#seen.clear();
      this.#seen.set(key, { number, times: 1 });
      return undefined;
    }
    known.times += 1;
    return { ...known };
  }
}

const mostTraces = 2_000;

/** How the source of a line is shown: `driver`, `executor 3`. */
export interface SourceLabel {
  /** Padded, so that the texts stand below each other; empty where there is one source only. */
  readonly text: string;
  /** An SGR code. */
  readonly color: number;
}

const reset = "\u001b[0m";
const dim = (text: string): string => `\u001b[2m${text}${reset}`;

/** Whether it has a trace that is worth folding. */
export const isFoldable = ({ hasTrace, rest }: LogRecord): boolean => hasTrace && rest.length > 2;

/** The rows of a record for a terminal. `isOpen`: its trace is shown whole although traces are folded. */
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
  const stamp = choice.timestamps ? dim(`${clockOf(record.timestamp)} `) : "";
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

/** The line of a trace that says what went wrong: Python's last, the JVM's innermost cause. */
function errorLineOf(record: LogRecord): string {
  const name = thrownBy(record)?.name;
  const told = record.rest.findLast(({ text }) => name !== undefined && text.includes(name));
  return (told ?? record.rest[0])?.text ?? "";
}

const colorOfLevel: Readonly<Record<LogLevel, string>> = {
  error: "\u001b[31m",
  warn: "\u001b[33m",
  info: "",
  debug: "\u001b[2m",
  trace: "\u001b[2m",
};

function paint(text: string, level: LogLevel | undefined): string {
  const safe = terminalText(text.endsWith("\r") ? text.slice(0, -1) : text);
  const color = level === undefined ? "" : colorOfLevel[level];
  // A program that paints its lines itself knows better.
  return color === "" || safe.includes("\u001b[") ? safe : `${color}${safe}${reset}`;
}

// The time of the day, to the millisecond, in the zone of the node's stamp, which is UTC almost everywhere.
const clockOf = (stamp: string): string =>
  stamp.replace(timeOfStamp, "$1$2$3").padEnd("03:04:05.123Z".length);

const timeOfStamp = /^[\d-]*T(\d\d:\d\d:\d\d)(?:(\.\d{1,3})\d*)?(Z|[+-]\d\d:\d\d)$/;

/** Cyan, magenta, blue, green, and their bright kin: red and yellow are for levels. */
export const sourceColors = [36, 35, 34, 32, 96, 95, 94, 92] as const;
