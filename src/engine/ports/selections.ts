// Selections of an editor that run in a Spark session.
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { SelectionAnswer } from "../../spark/submit/session/selectionAnswer.ts";

export interface SelectionRequest {
  readonly language: "python" | "sql";
  readonly code: string;
  /** Path of the document, for tracebacks and imports. Absolute. */
  readonly path: string;
  /** First line of the selection, from 0. */
  readonly line: number;
  readonly maxRows: number;
}

/** A Python process with a Connect client. Its variables stay until it ends. */
export interface SelectionRunner extends Disposable {
  /** False after the process has ended. */
  readonly isAlive: boolean;
  /**
   * Runs one selection at a time. `signal` interrupts it, and ends the process if it does not react. The error
   * completes "Cannot run the selection: …".
   */
  run(request: SelectionRequest, signal: AbortSignal): Promise<Result<SelectionAnswer, string>>;
}

export interface RunnerPlace {
  /** Path or name of the Python interpreter. */
  readonly python: string;
  /** The session, as `sc://127.0.0.1:15002`. */
  readonly remote: string;
  /** Working directory of the process. */
  readonly folder: string;
}

export type StartRunner = (place: RunnerPlace) => SelectionRunner;
