// What is running stands for a container; the node knows no more of it than this.

export interface ContainerRun {
  /** Never rejects; by then nothing of it runs and its log is complete. */
  readonly done: Promise<ContainerEnd>;
  /** The first process; undefined where there is none, as in a rehearsal. */
  readonly pid: number | undefined;
  /** Asks its first process to end. */
  terminate(): void;
  /** Ends all that belongs to it at once; `reason` goes into its end. */
  kill(reason?: "OOMKilled"): void;
}

export interface ContainerEnd {
  readonly exitCode: number;
  /** Set where the exit code alone does not tell. */
  readonly reason: "OOMKilled" | undefined;
}
