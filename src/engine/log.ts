/** The log of the engine, not for users. Its implementation redacts each line. */
export interface Log {
  readonly debug: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Logs a bug, with its stack. */
  readonly error: (error: unknown) => void;
}
