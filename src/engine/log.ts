/** Where the engine tells what it does; no secrets, no words for people. */
export interface Log {
  readonly debug: (line: string) => void;
  readonly warn: (line: string) => void;
  /** A mistake of ours. */
  readonly error: (error: unknown) => void;
}
