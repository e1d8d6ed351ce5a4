import type { Result } from "../../base/result.ts";
import {
  activeStages,
  executionsFrom,
  executionsPage,
  lastFailedTasks,
  slowTasks,
  medianDuration,
  runningJobs,
  type DriverList,
} from "../../spark/progress/driverQuery.ts";
import {
  noProgress,
  stageKeyOf,
  type ApplicationProgress,
  type ProgressProblem,
  type StageProgress,
  type StageTasks,
} from "../../spark/progress/progress.ts";
import { allStages, type StageSpan } from "../../spark/timeline/stageSpan.ts";
import { observePace, remainingMs, type StagePace } from "../../spark/progress/remainingTime.ts";

/** The expanded rows of an application. */
export interface ProgressFocus {
  /** True if jobs and SQL executions are visible. */
  readonly isOpen: boolean;
  /** Stages whose tasks are visible, by `stageKeyOf`. */
  readonly stages: ReadonlySet<string>;
  /** True if no row of the application is visible. Then only all stages are read, if `allStagesMs` is given. */
  readonly isHidden?: boolean;
  /** Interval in ms for reading all stages, for the timeline. Undefined if they are not read. */
  readonly allStagesMs?: number;
}

/** The connection to a driver. */
export interface DriverReader {
  readonly ask: <T>(query: DriverList<T>) => Promise<Result<readonly T[], ProgressProblem>>;
  /** Returns the cluster's time in epoch milliseconds. */
  readonly now: () => number;
}

/** One or more lists of the driver's REST API that are read together, and their polling interval. */
export interface ListReading {
  readonly name: string;
  readonly everyMs: number;
  /** Returns the problem if a list cannot be read. */
  readonly read: (driver: DriverReader) => Promise<ProgressProblem | undefined>;
}

/** The `ListReading` names whose `read` updates the active stages. */
export const activeStagesNames: readonly string[] = ["stages", "rows"];
export const allStagesName = "all stages";

const stagesMs = 4_000;
const idleMs = 8_000;
// "rows" sends three requests, so its interval is at least that of "stages".
const rowsMs = 4_000;
const tasksMs = 8_000;
const maxStages = 50;

const noTasks: StageTasks = { running: [], failed: [], medianMs: undefined, readAt: 0 };

/** Caches the progress of one driver, and determines which lists to read for the visible rows. */
export class DriverProgress {
  #current = noProgress;
  #paces: ReadonlyMap<string, StagePace> = new Map();
  /** Number of failed tasks when their list was last read, by `stageKeyOf`. */
  #failedSeen = new Map<string, number>();
  #executionOffset = 0;
  #allStages: readonly StageSpan[] | undefined;

  get current(): ApplicationProgress {
    return this.#current;
  }

  /** Returns all stages if they were read since the last call; otherwise undefined. */
  takeAllStages(): readonly StageSpan[] | undefined {
    const stages = this.#allStages;
    this.#allStages = undefined;
    return stages;
  }

  readings(focus: ProgressFocus): readonly ListReading[] {
    const { allStagesMs } = focus;
    const all =
      allStagesMs === undefined ? [] : [reading(allStagesName, allStagesMs, this.#readAllStages)];
    return focus.isHidden === true ? all : [...this.#rowReadings(focus), ...all];
  }

  #rowReadings(focus: ProgressFocus): readonly ListReading[] {
    this.#forgetHidden(focus);
    const { isOpen, stages: open } = focus;
    const active = this.#current.stages;
    if (!isOpen) {
      return [reading("stages", active.length === 0 ? idleMs : stagesMs, this.#readStages)];
    }
    return [
      reading("rows", rowsMs, this.#readRows),
      ...active
        .filter((stage) => open.has(stageKeyOf(stage)))
        .flatMap((stage) => this.#tasksOf(stage)),
    ];
  }

  /** Drops the lists of collapsed rows, which would be outdated when the rows are expanded again. */
  #forgetHidden({ isOpen, stages }: ProgressFocus): void {
    const isHidden = (key: string): boolean => !isOpen || !stages.has(key);
    const { jobs, executions, tasks } = this.#current;
    const kept = new Map([...tasks].filter(([key]) => !isHidden(key)));
    for (const key of this.#failedSeen.keys()) if (isHidden(key)) this.#failedSeen.delete(key);
    if (isOpen && kept.size === tasks.size) return;
    this.#current = {
      ...this.#current,
      jobs: isOpen ? jobs : undefined,
      executions: isOpen ? executions : undefined,
      tasks: kept,
    };
  }

  /**
   * Returns the task lists to read for an expanded stage. Includes the failed tasks only if their number has changed.
   */
  #tasksOf(stage: StageProgress): readonly ListReading[] {
    const key = stageKeyOf(stage);
    const running = reading(`running ${key}`, tasksMs, async ({ ask, now }) => {
      const read = await ask(slowTasks(stage));
      if (!read.ok) return unlessMissing(read.error);
      this.#updateTasks(key, { running: read.value, readAt: now() });
      return undefined;
    });
    const median = reading(`median ${key}`, tasksMs, async ({ ask }) => {
      const read = await ask(medianDuration(stage));
      if (!read.ok) return unlessMissing(read.error);
      this.#updateTasks(key, { medianMs: read.value[0] });
      return undefined;
    });
    if (stage.failed === (this.#failedSeen.get(key) ?? 0)) return [running, median];
    const failed = reading(`failed ${key}`, 0, async ({ ask }) => {
      const read = await ask(lastFailedTasks(stage));
      if (!read.ok) return unlessMissing(read.error);
      this.#failedSeen.set(key, stage.failed);
      this.#updateTasks(key, { failed: read.value });
      return undefined;
    });
    return [failed, running, median];
  }

  readonly #readStages: ListReading["read"] = async ({ ask, now }) => {
    const read = await ask(activeStages);
    if (!read.ok) return read.error;
    const readAt = now();
    const stages = [...read.value].sort(byStage).slice(0, maxStages);
    const paces = new Map<string, StagePace>();
    const left = new Map<string, number>();
    for (const stage of stages) {
      const key = stageKeyOf(stage);
      const pace = observePace(this.#paces.get(key) ?? [], stage, readAt);
      paces.set(key, pace);
      const ms = remainingMs(pace, stage, readAt);
      if (ms !== undefined) left.set(key, ms);
    }
    this.#paces = paces;
    const tasks = new Map([...this.#current.tasks].filter(([key]) => paces.has(key)));
    for (const key of this.#failedSeen.keys()) if (!paces.has(key)) this.#failedSeen.delete(key);
    this.#current = { ...this.#current, stages, left, tasks };
    return undefined;
  };

  /** Reads SQL executions, jobs and stages together, so that the task counts of a job match those of its stages. */
  readonly #readRows: ListReading["read"] = async (driver) => {
    let problem: ProgressProblem | undefined;
    // A list that fails must not keep the others from being read.
    for (const read of [this.#readExecutions, this.#readJobs, this.#readStages]) {
      problem = (await read(driver)) ?? problem;
    }
    return problem;
  };

  readonly #readAllStages: ListReading["read"] = async ({ ask }) => {
    const read = await ask(allStages);
    if (!read.ok) return read.error;
    this.#allStages = read.value;
    return undefined;
  };

  readonly #readJobs: ListReading["read"] = async ({ ask }) => {
    const read = await ask(runningJobs);
    if (!read.ok) return read.error;
    const jobs = [...read.value].sort((a, b) => a.jobId - b.jobId);
    this.#current = { ...this.#current, jobs };
    return undefined;
  };

  // Pages begin at the oldest running execution, so that ended ones are not read repeatedly.
  readonly #readExecutions: ListReading["read"] = async ({ ask }) => {
    const offset = this.#executionOffset;
    const read = await ask(executionsFrom(offset));
    if (!read.ok) return unlessMissing(read.error);
    const executions = read.value.filter(({ isRunning }) => isRunning);
    const first = read.value.findIndex(({ isRunning }) => isRunning);
    if (first >= 0) this.#executionOffset += first;
    else if (read.value.length === executionsPage) this.#executionOffset += executionsPage;
    // Step back: the driver drops its oldest executions above spark.sql.ui.retainedExecutions.
    else if (read.value.length === 0) this.#executionOffset = Math.max(0, offset - executionsPage);
    this.#current = { ...this.#current, executions };
    return undefined;
  };

  #updateTasks(key: string, change: Partial<StageTasks>): void {
    const tasks = new Map(this.#current.tasks);
    tasks.set(key, { ...(tasks.get(key) ?? noTasks), ...change });
    this.#current = { ...this.#current, tasks };
  }
}

const reading = (name: string, everyMs: number, read: ListReading["read"]): ListReading => ({
  ...{ name, everyMs, read },
});

// Ignore 404: a driver may have no SQL, a stage may have no ended task, and the driver drops old stages.
const unlessMissing = (problem: ProgressProblem): ProgressProblem | undefined =>
  problem.kind === "missing" ? undefined : problem;

const byStage = (a: StageProgress, b: StageProgress): number =>
  a.stageId - b.stageId || a.attemptId - b.attemptId;
