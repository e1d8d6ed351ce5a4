/**
 * The decoded content of a Spark event log. Times are epoch milliseconds of the driver's clock. Strings are shortened
 * and redacted, but untrusted, because they come from the program. A field is undefined if no event has set it.
 */
export interface EventLog {
  readonly sparkVersion: string | undefined;
  readonly application: LoggedApplication;
  /** The effective Spark properties, redacted. */
  readonly conf: ReadonlyMap<string, string>;
  readonly javaVersion: string | undefined;
  /** In order of submission, as are stages and executions. */
  readonly jobs: readonly LoggedJob[];
  readonly stages: readonly LoggedStage[];
  /** In order of registration; the driver is absent. */
  readonly executors: readonly LoggedExecutor[];
  readonly executions: readonly LoggedExecution[];
  /** The time of the last event that has one. */
  readonly lastAt: number | undefined;
  /** The number of lines that are not events, and of items beyond `eventLogLimits`. */
  readonly dropped: number;
  /** True if the log ends inside an event or a compressed frame: it was copied while Spark wrote it, or is damaged. */
  readonly isTorn: boolean;
}

export interface LoggedApplication {
  readonly id: string | undefined;
  readonly attemptId: string | undefined;
  readonly name: string | undefined;
  readonly user: string | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** Written by Spark 4.1 and later. */
  readonly exitCode: number | undefined;
}

export interface LoggedJob {
  readonly jobId: number;
  readonly stageIds: readonly number[];
  readonly description: string | undefined;
  readonly group: string | undefined;
  /** The SQL execution that the job belongs to. */
  readonly executionId: number | undefined;
  readonly submittedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly state: "running" | "succeeded" | "failed";
  readonly failure: string | undefined;
}

/** One attempt of a stage. Stages that were skipped have no event, so they are only in `LoggedJob.stageIds`. */
export interface LoggedStage {
  readonly stageId: number;
  readonly attemptId: number;
  readonly name: string;
  readonly description: string | undefined;
  readonly parentIds: readonly number[];
  readonly executionId: number | undefined;
  readonly resourceProfileId: number;
  /** Partitions to compute in this attempt. */
  readonly numTasks: number;
  readonly submittedAt: number | undefined;
  readonly firstTaskLaunchedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly state: "active" | "complete" | "failed";
  readonly failure: string | undefined;
  /** Ended tasks, by outcome. */
  readonly succeeded: number;
  readonly failed: number;
  readonly killed: number;
  /** The first lines of the errors of failed tasks, with their frequency; at most 20 different ones. */
  readonly errors: ReadonlyMap<string, number>;
  /** Sums over all ended tasks, as in the REST API's `stages`. */
  readonly totals: TaskMetrics;
  /** Maxima over the stage's tasks, such as `JVMHeapMemory`; an empty record before Spark 3.0. */
  readonly peaks: Readonly<Record<string, number>>;
  /** Ended tasks in order of their end. Shorter than the sum of outcomes if `eventLogLimits.tasks` was reached. */
  readonly tasks: readonly LoggedTask[];
}

/** Names as in the REST API. Times in milliseconds, CPU times and shuffle write times in nanoseconds. */
export interface TaskMetrics {
  readonly executorDeserializeTime: number;
  readonly executorDeserializeCpuTime: number;
  readonly executorRunTime: number;
  readonly executorCpuTime: number;
  readonly resultSize: number;
  readonly jvmGcTime: number;
  readonly resultSerializationTime: number;
  readonly memoryBytesSpilled: number;
  readonly diskBytesSpilled: number;
  readonly peakExecutionMemory: number;
  readonly inputBytes: number;
  readonly inputRecords: number;
  readonly outputBytes: number;
  readonly outputRecords: number;
  readonly shuffleReadBytes: number;
  readonly shuffleReadRecords: number;
  readonly shuffleRemoteBytesRead: number;
  readonly shuffleRemoteBytesReadToDisk: number;
  readonly shuffleFetchWaitTime: number;
  readonly shuffleWriteBytes: number;
  readonly shuffleWriteRecords: number;
  readonly shuffleWriteTime: number;
}

export interface LoggedTask {
  readonly taskId: number;
  readonly index: number;
  readonly attempt: number;
  readonly executorId: string;
  readonly locality: string;
  readonly isSpeculative: boolean;
  readonly launchedAt: number;
  readonly finishedAt: number;
  readonly outcome: TaskOutcome;
  readonly metrics: TaskMetrics;
}

export type TaskOutcome = "succeeded" | "failed" | "killed";

export interface LoggedExecutor {
  readonly id: string;
  readonly host: string;
  readonly cores: number;
  readonly resourceProfileId: number;
  readonly addedAt: number | undefined;
  readonly removedAt: number | undefined;
  readonly removedReason: string | undefined;
  /** Storage and execution memory of the block manager in bytes. */
  readonly maxMemory: number | undefined;
  readonly succeeded: number;
  readonly failed: number;
  readonly killed: number;
  /** The sum of the tasks' durations in milliseconds, as `totalDuration` in the REST API. */
  readonly taskTime: number;
  readonly totals: TaskMetrics;
  readonly peaks: Readonly<Record<string, number>>;
}

export interface LoggedExecution {
  readonly id: number;
  /** The id of the root execution. Equals `id` for a root execution, and before Spark 4. */
  readonly rootId: number;
  readonly description: string;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly state: "running" | "succeeded" | "failed";
  readonly failure: string | undefined;
  readonly jobIds: readonly number[];
  /** The nodes of the last plan, parents before their children. */
  readonly nodes: readonly PlanNode[];
}

export interface PlanNode {
  readonly name: string;
  readonly detail: string;
  /** The depth of the node in the plan tree; 0 for the root. */
  readonly depth: number;
  readonly metrics: readonly PlanMetric[];
}

export interface PlanMetric {
  readonly name: string;
  /** Spark's type of the metric: `sum`, `size`, `timing`, `nsTiming` or `average`. */
  readonly type: string;
  /** The sum of the updates by ended tasks and by the driver. Undefined if there was no update. */
  readonly value: number | undefined;
}

/** The maximum number of decoded items per log. Further items are dropped. */
export const eventLogLimits = {
  jobs: 20_000,
  stages: 20_000,
  executors: 20_000,
  executions: 5_000,
  /** In all stages together. A task takes about 0.4 KB of memory. */
  tasks: 200_000,
  planMetrics: 200_000,
} as const;
