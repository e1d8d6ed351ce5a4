import type { Memento } from "vscode";
import type { Clock, Random } from "../../engine/ports/clock.ts";
import type { KeptLogs } from "../../engine/ports/logs.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { Screen } from "../screen.ts";
import type { Log } from "../log.ts";
import type { keptLogLimits } from "../settings.ts";

/** Dependencies of the log features. */
export interface LogsContext {
  readonly session: ClusterSession;
  readonly screen: Screen;
  /** Returns whether secrets in shown logs are hidden. Stored logs always hide them. */
  readonly secrets: () => "hidden" | "shown";
  readonly keptLogLimits: typeof keptLogLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Stores the marks of applications whose logs are saved. */
  readonly keptMarks: Memento;
  readonly loadLogDisk: () => Promise<LogDisk>;
}

/** The storage of logs on this machine. */
export interface LogDisk {
  readonly kept: KeptLogs;
  /** Writes the text to a file. Replaces an existing file atomically. */
  save(path: string, pieces: AsyncIterable<string>, signal: AbortSignal): Promise<void>;
}
