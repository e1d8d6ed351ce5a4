import type { LogRecord } from "./logRecord.ts";

/** What a trace says went wrong. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** Of SQL, where it says so: from 1. */
  readonly sqlPosition: { readonly line: number; readonly column: number } | undefined;
}

/** The same for traces that are alike: the exceptions and the frames, without what changes from time to time. */
export function traceKeyOf(record: LogRecord): string {
  const lines = [record.text, ...record.rest.map(({ text }) => text)];
  const frames = lines.filter((text) => isFrame.test(text)).map((text) => text.trim());
  return `${thrownBy(record)?.name ?? ""}\n${frames.join("\n")}`;
}

const isFrame = /^\s+(?:at |File ")/;

/**
 * The error that a record's trace ends with: of Python the last one, which the program saw; of the JVM the
 * first, and the innermost cause where there is one.
 */
export function thrownBy(record: LogRecord): ThrownError | undefined {
  const lines = [record.text, ...record.rest.map(({ text }) => text)];
  const isPython = lines.some((text) => text.includes("Traceback (most recent call last):"));
  const all = lines.flatMap((text) => errorIn(text) ?? []);
  const causes = lines
    .filter((text) => text.startsWith("Caused by: "))
    .flatMap((text) => errorIn(text.slice("Caused by: ".length)) ?? []);
  const found = isPython ? lastPython(lines) : (causes.at(-1) ?? all[0]);
  if (found === undefined) return undefined;
  const position = /\bline (\d+)[,]? pos(?:ition)? (\d+)/.exec(lines.join("\n"));
  if (position === null) return { ...found, sqlPosition: undefined };
  // Spark counts the letters of a line from 0 in `pos`, from 1 in `position`.
  const base = position[0].includes("position") ? 0 : 1;
  const sqlPosition = { line: Number(position[1]), column: Number(position[2]) + base };
  return { ...found, sqlPosition };
}

/** The unindented line after the frames of the last trace of Python's. */
function lastPython(lines: readonly string[]): Omit<ThrownError, "sqlPosition"> | undefined {
  const start = lines.findLastIndex((text) => text.includes("Traceback (most recent call last):"));
  const line = lines.slice(start + 1).find((text) => /^\S/.test(text));
  return line === undefined ? undefined : errorIn(line);
}

function errorIn(text: string): Omit<ThrownError, "sqlPosition"> | undefined {
  const [, name, message = ""] =
    /^(?:Exception in thread "[^"]*" )?((?:[\w$]+\.)*[A-Za-z_$][\w$]*(?:Exception|Error|Throwable|Failure|Interrupt|Exit|Warning))(?::\s*(.*))?$/.exec(
      text,
    ) ?? [];
  return name === undefined ? undefined : { name, message };
}
