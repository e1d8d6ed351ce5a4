/** The active stages, jobs, queries and tasks of an application, as its driver's REST API reports them. */
export interface ApplicationProgress {
  /** Active stages, the oldest first. */
  readonly stages: readonly StageProgress[];
  /** Running jobs, oldest first. Undefined until they are requested, which happens when the row is expanded. */
  readonly jobs: readonly JobProgress[] | undefined;
  /** Running SQL executions, oldest first. Undefined until they are requested, like `jobs`. */
  readonly executions: readonly ExecutionProgress[] | undefined;
  /** Tasks of the expanded stages, by `stageKeyOf`. */
  readonly tasks: ReadonlyMap<string, StageTasks>;
  /** Estimated milliseconds to the end of a stage, by `stageKeyOf`; stages without an estimate are absent. */
  readonly left: ReadonlyMap<string, number>;
  /** The reason why the driver reports nothing. The other fields then keep their last known values. */
  readonly problem: ProgressProblem | undefined;
}

export type ProgressProblem =
  /** The user may not `get pods/proxy`. */
  | { readonly kind: "forbidden" }
  /** The driver uses access lists (`spark.acls.enable`), or a filter requires a login. */
  | { readonly kind: "denied" }
  /** The driver does not know the application, or has removed the stage. */
  | { readonly kind: "missing" }
  /** The driver did not respond within 10 s. */
  | { readonly kind: "silent" }
  /** The driver's port refuses connections. */
  | { readonly kind: "unreachable" }
  | { readonly kind: "failing"; readonly status: number }
  /** The response is not from Spark, but for example the login page of a proxy in the driver pod. */
  | { readonly kind: "notSpark" };

export const noProgress: ApplicationProgress = {
  stages: [],
  jobs: undefined,
  executions: undefined,
  tasks: new Map(),
  left: new Map(),
  problem: undefined,
};

/** One attempt of a stage. After a fetch failure, an attempt contains only the missing tasks. */
export interface StageProgress {
  readonly stageId: number;
  readonly attemptId: number;
  readonly name: string;
  readonly description: string | undefined;
  readonly tasks: number;
  readonly active: number;
  /** Completed tasks, one for each partition: a task that ran twice counts once. */
  readonly done: number;
  readonly failed: number;
  readonly killed: number;
  /** The launch of the first task, in epoch milliseconds. */
  readonly startedAt: number | undefined;
}

export const stageKeyOf = ({
  stageId,
  attemptId,
}: Pick<StageProgress, "stageId" | "attemptId">): string => `${stageId}.${attemptId}`;

export interface JobProgress {
  readonly jobId: number;
  readonly name: string;
  readonly description: string | undefined;
  readonly stageIds: readonly number[];
  readonly tasks: number;
  /** Completed tasks, one for each partition, plus skipped tasks; at most `tasks`. */
  readonly done: number;
  readonly failed: number;
  readonly doneStages: number;
  readonly failedStages: number;
}

/** An SQL execution: a query or a command. */
export interface ExecutionProgress {
  readonly id: number;
  /** The id of the root execution that started this one. Equals `id` for a root execution, and before Spark 4. */
  readonly rootId: number;
  readonly description: string;
  readonly isRunning: boolean;
  readonly durationMs: number;
  readonly runningJobs: readonly number[];
  readonly failedJobs: number;
}

/** A sample of the running and failed tasks of a stage. */
export interface StageTasks {
  /** The running tasks with the longest runtimes, at most 20. */
  readonly running: readonly TaskProgress[];
  /** The last failed tasks, at most 20. */
  readonly failed: readonly TaskProgress[];
  /** The median duration of the tasks that have started. Undefined before the first task has ended. */
  readonly medianMs: number | undefined;
  /** The time at which the running tasks were read, in epoch milliseconds. */
  readonly readAt: number;
}

export interface TaskProgress {
  readonly taskId: number;
  readonly index: number;
  readonly attempt: number;
  readonly executorId: string;
  readonly host: string;
  readonly locality: string;
  readonly isSpeculative: boolean;
  /** The launch in epoch milliseconds. Undefined if the driver does not report it. */
  readonly launchedAt: number | undefined;
  /** For a running task, the time from its launch to the driver's last update. */
  readonly durationMs: number;
  /** Undefined for a task that has not failed. */
  readonly error: string | undefined;
}
