// Event logs on this machine.
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { EventLog } from "../../spark/eventLog/eventLog.ts";
import type { LogCodec } from "../../spark/eventLog/orderLogFiles.ts";

export type EventLogProblem =
  /** No file, or a folder without events. */
  | { readonly kind: "missing" }
  /** A codec that is not supported here. */
  | { readonly kind: "codec"; readonly codec: LogCodec }
  /** Cut off or damaged before the start of the application. */
  | { readonly kind: "torn" }
  /** No line is an event. */
  | { readonly kind: "notEvents" };

/** Reads a file, or the folder of a rolling log. */
export type ReadEventLog = (
  path: string,
  signal: AbortSignal,
) => Promise<Result<EventLog, EventLogProblem>>;

/** Spark's own history server, started on this machine for one event log. `dispose` ends it. */
export interface HistoryServer extends Disposable {
  /** Port on the loopback address, which all users of this machine can reach. */
  readonly port: number;
}

/** The Spark that is installed on this machine. */
export interface InstalledSpark {
  readonly version: string;
  /**
   * Starts a history server for `path`: a file, or the folder of a rolling log. The error is a sentence. Rejects with
   * an AbortError.
   */
  startHistoryServer(path: string, signal: AbortSignal): Promise<Result<HistoryServer, string>>;
}

/** Finds Spark and Java on this machine; undefined if one of them is missing. */
export type FindInstalledSpark = () => Promise<InstalledSpark | undefined>;
