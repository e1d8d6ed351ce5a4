import type { LogRecord } from "../../spark/logs/logRecord.ts";
import type { ShownRecord } from "../../spark/logs/logView.ts";

/** Identifies a followed application across its runs. */
export interface TracedView {
  /** The application's name. */
  readonly name: string;
  /** Distinguishes applications with the same name. */
  readonly place: string;
}

/** Returns the place of an application, which is equal for all terminals that follow the application. */
export const tracedPlace = (context: string, namespace: string): string =>
  `${context}/${namespace}`;

/** The number of records before a stack trace that its linked document contains. */
export const recordsBefore = 20;

/** The records of a log terminal, and the actions that its links and commands call. */
export interface LogView {
  readonly name: string;
  readonly records: readonly ShownRecord[];
  /** True once the terminal accepts no more keys. */
  readonly isClosed: boolean;
  labelOf(source: string): string;
  /**
   * Returns up to `max` records of the same log that precede `shown`, the oldest first. Searches only recent entries.
   */
  before(shown: ShownRecord, max: number): readonly LogRecord[];
  /** Expands or collapses the stack trace of a record; in a closed terminal, opens the document at the record. */
  turn(number: number): void;
  openDocument(): void;
  /**
   * Opens the driver's Spark UI. Undefined without a driver, and until the driver's log reports that the UI has
   * started.
   */
  readonly openUi: (() => Promise<void>) | undefined;
}

/** Problems, links and documents for the log terminals of runs. */
export interface ShownLogs {
  /** Clears the problems of the application's earlier runs. */
  begin(view: TracedView): void;
  /** Turns the stack traces of new records into problems. */
  take(records: readonly ShownRecord[], view: LogView, traced: TracedView): void;
  /** Registers a run's terminal for links. `view.name` is the task's name. */
  opened(view: LogView): void;
  /** Opens all kept lines as a document. `number`: the record to select. */
  openDocument(view: LogView, number?: number): void;
}

/** Returns a `ShownLogs` that loads the logs bundle at the first call. */
export function lazyShownLogs(
  load: () => Promise<ShownLogs>,
  onError: (error: unknown) => void,
): ShownLogs {
  const serve = (call: (shown: ShownLogs) => void): void => {
    load().then(call).catch(onError);
  };
  return {
    begin: (view) => {
      serve((shown) => {
        shown.begin(view);
      });
    },
    take: (records, view, traced) => {
      serve((shown) => {
        shown.take(records, view, traced);
      });
    },
    opened: (view) => {
      serve((shown) => {
        shown.opened(view);
      });
    },
    openDocument: (view, number) => {
      serve((shown) => {
        shown.openDocument(view, number);
      });
    },
  };
}
