/** The processes of a run that can be debugged. */
export const debugTargets = ["driver", "executor"] as const;
export type DebugTarget = (typeof debugTargets)[number];

/** The options of a debugged run. */
export interface DebugRequest {
  readonly target: DebugTarget;
  /** The debugger for Python applications. Undefined if it is not available, an error only for these applications. */
  readonly python: PythonDebugger | undefined;
  /** Stops a Python driver at the first line of its main file. */
  readonly stopOnEntry: boolean;
  /** How long a process waits for its debugger, in seconds. */
  readonly waitSeconds: number;
}

/** An archive (`tar.gz`) of debugpy and of the modules that start it. */
export interface PythonDebugger {
  readonly version: string;
  /** The size of the decoded archive, in bytes. */
  readonly size: number;
  readonly base64: string;
}
