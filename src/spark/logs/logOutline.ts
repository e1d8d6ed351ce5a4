import { levelOf } from "./logLevel.ts";
import { RecordReader, type LogRecord } from "./logRecord.ts";

/** A section of a log. Lines count from 0, and both ends are inclusive. */
export interface LogSection {
  readonly name: string;
  readonly kind: "stage" | "error" | "warning";
  readonly start: number;
  readonly end: number;
  readonly parts: readonly LogSection[];
}

export interface LogOutline {
  readonly folds: readonly { readonly start: number; readonly end: number }[];
  readonly sections: readonly LogSection[];
}

// Log messages of a driver that submits a stage and of an executor that starts a task.
const stageBegins = /\bSubmitting ((?:ShuffleMap|Result)Stage \d+)\b/;
const taskBegins = /\bRunning task [\d.]+ in (stage \d+)\.\d+/;

const stepLines = 500;
/** Maximum number of errors and warnings: the editor shows longer outlines slowly. */
const maxParts = 5_000;

/**
 * Finds stack traces, stages, errors and warnings in a log. Yields every 500 lines, so that the caller can pause or
 * cancel, and passes the result to `done`. `labels`: line prefixes of merged logs, such as "driver".
 */
export function* outlineSteps(
  lines: readonly string[],
  labels: ReadonlySet<string>,
  done: (outline: LogOutline) => void,
): Generator<void> {
  const outline = new OutlineReader();
  let before = "";
  for (const [at, line] of lines.entries()) {
    if (at % stepLines === 0) yield;
    const label = labels.size === 0 ? "" : labelOf(line, labels);
    // A stack trace does not continue in another log.
    if (label !== before) outline.flush();
    before = label;
    outline.read(label === "" ? line : line.slice(label.length + separator.length));
  }
  done(outline.finish());
}

const separator = ": ";

function labelOf(line: string, labels: ReadonlySet<string>): string {
  const end = line.indexOf(separator);
  const label = end === -1 ? "" : line.slice(0, end);
  return labels.has(label) ? label : "";
}

class OutlineReader {
  readonly #reader = new RecordReader();
  readonly #folds: { start: number; end: number }[] = [];
  readonly #sections: LogSection[] = [];
  #stage: { name: string; start: number; parts: LogSection[] } | undefined;
  #start = 0;
  #parts = 0;

  read(text: string): void {
    for (const record of this.#reader.read([{ timestamp: "", text }])) this.#take(record);
  }

  /** Ends the current record. */
  flush(): void {
    for (const record of this.#reader.flush()) this.#take(record);
  }

  finish(): LogOutline {
    this.flush();
    this.#closeStage(this.#start - 1);
    return {
      folds: this.#folds,
      sections: this.#sections.sort((a, b) => a.start - b.start),
    };
  }

  #take({ text, rest }: LogRecord): void {
    const start = this.#start;
    const end = start + rest.length;
    this.#start = end + 1;
    if (rest.length > 0) this.#folds.push({ start, end });
    const name = stageBegins.exec(text)?.[1] ?? taskBegins.exec(text)?.[1];
    if (name !== undefined && name !== this.#stage?.name) {
      this.#closeStage(start - 1);
      this.#stage = { name, start, parts: [] };
    }
    const level = levelOf(text);
    if ((level !== "error" && level !== "warn") || this.#parts >= maxParts) return;
    this.#parts += 1;
    const kind = level === "error" ? "error" : "warning";
    const part: LogSection = { name: shorten(text), kind, start, end, parts: [] };
    (this.#stage?.parts ?? this.#sections).push(part);
  }

  #closeStage(end: number): void {
    if (this.#stage) this.#sections.push({ ...this.#stage, kind: "stage", end });
    this.#stage = undefined;
  }
}

// Shortens a line and removes its timestamp, because the outline is ordered by time anyway.
const shorten = (text: string): string =>
  text.replace(/^[\d/:., T-]+(?:Z\s*)?/, "").slice(0, 200) || text.slice(0, 200);
