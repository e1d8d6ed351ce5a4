import type { LogRecord } from "../../spark/logs/logRecord.ts";

/** A trace that a log that is shown has in it. */
export interface LoggedTrace {
  /** What is followed: the name of an application, say. */
  readonly view: string;
  /** Whose log it is: `driver`, `executor 3`. */
  readonly label: string;
  readonly record: LogRecord;
  /** The last records of the same log before it. */
  readonly before: readonly LogRecord[];
}

/** How much of the log stands before the trace in the document that a problem leads to. */
export const recordsBefore = 20;

/** Whoever shows logs tells of their traces, which are problems of the program then. */
export interface TraceSink {
  /** What was said of earlier runs of it counts no more. */
  begin(view: string): void;
  tell(trace: LoggedTrace): void;
}
