import type { StartedPid } from "./startedPid.ts";

// A running container, as the node sees it: local processes or a simulation.

export interface ContainerRun {
  /** Resolves when no process is left and the log is complete. Never rejects. */
  readonly done: Promise<ContainerEnd>;
  /** The first process; undefined in a simulation. */
  readonly first: StartedPid | undefined;
  /** Sends SIGTERM to the first process. */
  terminate(): void;
  /** Kills all processes and sets `reason` in the result. */
  kill(reason?: "OOMKilled"): void;
}

export interface ContainerEnd {
  readonly exitCode: number;
  /** `OOMKilled` if the memory limit was exceeded. The exit code 137 alone means only SIGKILL. */
  readonly reason: "OOMKilled" | undefined;
}
