import { levelOf } from "./logLevel.ts";
import { RecordReader } from "./logRecord.ts";

/** Lines from 0, both ends included. */
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

// What a driver writes when it hands a stage to its executors, and an executor when it begins a task.
const stageBegins = /\bSubmitting ((?:ShuffleMap|Result)Stage \d+)\b/;
const taskBegins = /\bRunning task [\d.]+ in (stage \d+)\.\d+/;

/** The traces of a log, its stages, and the errors and warnings in each. */
export function outlineLog(lines: readonly string[]): LogOutline {
  const reader = new RecordReader();
  const folds: { start: number; end: number }[] = [];
  const sections: LogSection[] = [];
  let stage: { name: string; start: number; parts: LogSection[] } | undefined;
  const closeStage = (end: number): void => {
    if (stage) sections.push({ ...stage, kind: "stage", end });
    stage = undefined;
  };
  let start = 0;
  const take = (text: string, more: number): void => {
    const end = start + more;
    if (more > 0) folds.push({ start, end });
    const name = stageBegins.exec(text)?.[1] ?? taskBegins.exec(text)?.[1];
    if (name !== undefined && name !== stage?.name) {
      closeStage(start - 1);
      stage = { name, start, parts: [] };
    }
    const level = levelOf(text);
    if (level === "error" || level === "warn") {
      const kind = level === "error" ? "error" : "warning";
      const part: LogSection = { name: shorten(text), kind, start, end, parts: [] };
      (stage?.parts ?? sections).push(part);
    }
    start = end + 1;
  };
  for (const text of lines) {
    for (const record of reader.read([{ timestamp: "", text }]))
      take(record.text, record.rest.length);
  }
  for (const record of reader.flush()) take(record.text, record.rest.length);
  closeStage(lines.length - 1);
  return { folds, sections: sections.sort((a, b) => a.start - b.start) };
}

// Without the time, which the outline's order tells.
const shorten = (text: string): string =>
  text.replace(/^[\d/:., T-]+(?:Z\s*)?/, "").slice(0, 200) || text.slice(0, 200);
