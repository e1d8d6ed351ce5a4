// Container logs: streamed from the cluster, and kept on the local disk.
import type { LogLine } from "../../spark/logs/logLine.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Running } from "../running.ts";

export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  /** The pod's uid. If another pod has the name, the result is `notFound`. Undefined means any pod of that name. */
  readonly uid?: string | undefined;
  /** Undefined means the pod's only container. */
  readonly container: string | undefined;
  readonly follow: boolean;
  /** True for the container's run before its last restart. */
  readonly previous: boolean;
  /** Maximum number of existing lines. Undefined means all, and 0 means only new lines. */
  readonly tailLines: number | undefined;
  /** RFC 3339. The server rounds down to the second, so it sends all lines of that second again. */
  readonly sinceTime: string | undefined;
}

/**
 * A batch of lines, or a failure, which is the last item. The first batch is empty and signals that the server accepted
 * the request. If the stream ends without a failure, the container has ended or the server closed the stream. A last
 * line without a line feed is marked unfinished. Call `take` once, before the next item is requested: the item then
 * releases its lines, so a loop that awaits the next item does not keep them in memory.
 */
export type LogItem =
  | { readonly kind: "lines"; readonly take: () => readonly LogLine[] }
  | { readonly kind: "failed"; readonly error: ClusterError };

export interface LogSource {
  readLog(request: LogRequest, signal: AbortSignal): AsyncIterable<LogItem>;
}

/** Identifies a log on the local disk, which contains all runs of one container. */
export interface KeptLogName {
  readonly context: string;
  readonly namespace: string;
  /** Spark's application id, and the application's name. */
  readonly applicationId: string;
  readonly application: string;
  /** The role of the pod, such as `driver` or `executor 3`. */
  readonly source: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
}

export interface KeptLog extends KeptLogName {
  readonly lines: number;
  /** Size on disk. */
  readonly bytes: number;
  /** Timestamps of the first and the last stored line. */
  readonly first: string;
  readonly last: string;
  /** True if older lines were dropped to save space. */
  readonly isCutOff: boolean;
}

/**
 * The exclusive writer of an application's logs: only one window has it at a time. After `done` settles, another window
 * may open a writer.
 */
export interface KeptLogWriter extends Running {
  /**
   * Resolves when the lines are durable on disk; rejects if they cannot be written. `lost` means that another window
   * took over because this one seemed dead, and nothing was written.
   */
  append(log: KeptLogName, lines: readonly LogLine[]): Promise<"kept" | "lost">;
  /** Compresses the last lines of a log that is probably complete. Later appends are still allowed. */
  end(log: KeptLogName): Promise<void>;
  /** Returns the newest stored lines, to resume from; none if another window took over. */
  newest(log: KeptLogName): Promise<readonly LogLine[]>;
}

/** The kept logs, bounded in size and age. Only this user may read the files. */
export interface KeptLogs {
  /** Opens the writer of an application's logs. Undefined while another window writes them. */
  openWriter(context: string, applicationId: string): Promise<KeptLogWriter | undefined>;
  /**
   * Deletes expired lines and surplus logs, then the oldest lines of the largest applications until the size limit is
   * met. `list`, `openWriter` and writers do the same.
   */
  prune(): Promise<void>;
  /** Returns the kept logs, newest first. */
  list(): Promise<readonly KeptLog[]>;
  /** Yields batches of lines, oldest first. Yields undefined for each unreadable block. */
  read(log: KeptLogName, signal: AbortSignal): AsyncIterable<readonly LogLine[] | undefined>;
  /** Deletes all logs of an application. Returns false, and deletes nothing, if a window is writing them. */
  forget(context: string, applicationId: string): Promise<boolean>;
}
