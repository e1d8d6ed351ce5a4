/** The engine's debug log. The implementation redacts each line. */
export interface Log {
  readonly debug: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Logs a bug, with its stack. */
  readonly error: (error: unknown) => void;
}
