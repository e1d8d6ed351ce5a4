import type { LogRecord } from "../../spark/logs/logRecord.ts";

/** The followed application, across its runs. */
export interface TracedView {
  /** The application's name. */
  readonly name: string;
  /** Distinguishes applications with the same name. */
  readonly place: string;
}

/** The place of an application; equal for all who follow it. */
export const tracedPlace = (context: string, namespace: string): string =>
  `${context}/${namespace}`;

/** A stack trace in a shown log. */
export interface LoggedTrace {
  readonly view: TracedView;
  /** The log: `driver`, `executor 3`. */
  readonly label: string;
  readonly record: LogRecord;
  /** The preceding records of the same log. */
  readonly before: readonly LogRecord[];
}

/** The number of preceding records in the linked document. */
export const recordsBefore = 20;

/** Receives the stack traces of shown logs. */
export interface TraceSink {
  /** Clears the problems of earlier runs. */
  begin(view: TracedView): void;
  tell(trace: LoggedTrace): void;
}
