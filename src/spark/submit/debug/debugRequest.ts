/** The process that a debugged run stops in. */
export const debugTargets = ["driver", "executor"] as const;
export type DebugTarget = (typeof debugTargets)[number];

/** A run under a debugger. */
export interface DebugRequest {
  readonly target: DebugTarget;
  /** For Python applications; undefined: not available, which is an error for them only. */
  readonly python: PythonDebugger | undefined;
  /** Stops a Python driver at the first line of its main file. */
  readonly stopOnEntry: boolean;
  /** The longest wait of a process for its debugger. */
  readonly waitSeconds: number;
}

/** An archive of debugpy and the modules that start it, for all versions of Python from `oldestPython`. */
export interface PythonDebugger {
  readonly version: string;
  /** Decoded bytes. */
  readonly size: number;
  readonly base64: string;
}
