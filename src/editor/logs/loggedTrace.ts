import type { LogRecord } from "../../spark/logs/logRecord.ts";

/** What is followed, one run after the other. */
export interface TracedView {
  /** Of an application, say. */
  readonly name: string;
  /** Tells those of the same name apart. */
  readonly place: string;
}

/** The same for whoever follows an application. */
export const tracedPlace = (context: string, namespace: string): string =>
  `${context}/${namespace}`;

/** A trace that a log that is shown has in it. */
export interface LoggedTrace {
  readonly view: TracedView;
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
  begin(view: TracedView): void;
  tell(trace: LoggedTrace): void;
}
