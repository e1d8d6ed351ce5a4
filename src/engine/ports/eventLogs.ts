// Event logs on this machine.
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { EventLog } from "../../spark/eventLog/eventLog.ts";
import type { LogCodec } from "../../spark/eventLog/orderLogFiles.ts";

export type EventLogProblem =
  /** The file does not exist, or the folder has no events. */
  | { readonly kind: "missing" }
  /** The compression codec is not supported. */
  | { readonly kind: "codec"; readonly codec: LogCodec }
  /** The log is truncated or damaged before the event of the application's start. */
  | { readonly kind: "torn" }
  /** The file contains no Spark event. */
  | { readonly kind: "notEvents" };

/** Reads an event log: a file, or the folder of a rolling log. */
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
   * an AbortError when `signal` aborts.
   */
  startHistoryServer(path: string, signal: AbortSignal): Promise<Result<HistoryServer, string>>;
}

/** Finds Spark and Java on this machine; undefined if one of them is missing. */
export type FindInstalledSpark = () => Promise<InstalledSpark | undefined>;
