// Runs the selected code of an editor in a Spark session.
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { SelectionAnswer } from "../../spark/submit/session/selectionAnswer.ts";

export interface SelectionRequest {
  readonly language: "python" | "sql";
  readonly code: string;
  /** Absolute path of the document, for tracebacks and imports. */
  readonly path: string;
  /** First line of the selection, from 0. */
  readonly line: number;
  readonly maxRows: number;
}

/** A Python process with a Spark Connect client. Variables persist between selections until the process ends. */
export interface SelectionRunner extends Disposable {
  /** False after the process has ended. */
  readonly isAlive: boolean;
  /**
   * Runs a selection; only one may run at a time. An abort of `signal` interrupts it, and ends the process if it does
   * not react. The error completes "Cannot run the selection: …".
   */
  run(request: SelectionRequest, signal: AbortSignal): Promise<Result<SelectionAnswer, string>>;
}

export interface RunnerPlace {
  /** Path or name of the Python interpreter. */
  readonly python: string;
  /** The Spark Connect URL, such as `sc://127.0.0.1:15002`. */
  readonly remote: string;
  /** Working directory of the process. */
  readonly folder: string;
}

export type StartRunner = (place: RunnerPlace) => SelectionRunner;
