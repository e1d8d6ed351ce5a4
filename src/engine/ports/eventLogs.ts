// Event logs on this machine.
import type { Result } from "../../base/result.ts";
import type { EventLog } from "../../spark/eventLog/eventLog.ts";
import type { LogCodec } from "../../spark/eventLog/orderLogFiles.ts";

export type EventLogProblem =
  /** No file, or a folder without events. */
  | { readonly kind: "missing" }
  /** A codec that is not supported here. */
  | { readonly kind: "codec"; readonly codec: LogCodec }
  /** No line is an event. */
  | { readonly kind: "notEvents" };

/** Reads a file, or the folder of a rolling log. */
export type ReadEventLog = (
  path: string,
  signal: AbortSignal,
) => Promise<Result<EventLog, EventLogProblem>>;
