import type { Memento } from "vscode";
import type { Clock, KeptLogs, Random } from "../../engine/ports.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { Log } from "../log.ts";

/** What everything about logs works with. */
export interface LogsContext {
  readonly session: ClusterSession;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Which applications are marked. */
  readonly keptMarks: Memento;
  readonly loadLogDisk: () => Promise<LogDisk>;
}

/** What of this machine's disk logs go to. */
export interface LogDisk {
  readonly kept: KeptLogs;
  /** The file stays as it was until all is written. */
  save(path: string, pieces: AsyncIterable<string>, signal: AbortSignal): Promise<void>;
}
