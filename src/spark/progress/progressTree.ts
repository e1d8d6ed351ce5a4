import {
  stageKeyOf,
  type ApplicationProgress,
  type ExecutionProgress,
  type JobProgress,
  type StageProgress,
  type TaskProgress,
} from "./progress.ts";

/** A row below the progress of an application. `id` is unique among the row's siblings. */
export type ProgressPart =
  | { readonly kind: "execution"; readonly id: string; readonly executionId: number }
  | { readonly kind: "job"; readonly id: string; readonly jobId: number }
  | { readonly kind: "stage"; readonly id: string; readonly stageKey: string }
  | {
      readonly kind: "task";
      readonly id: string;
      readonly stageKey: string;
      readonly taskId: number;
    };

/**
 * Returns the child rows of `part`, or the top-level rows if it is undefined. Root SQL executions come first among
 * top-level rows.
 */
export function partsBelow(
  progress: ApplicationProgress,
  part: ProgressPart | undefined,
): readonly ProgressPart[] {
  switch (part?.kind) {
    case undefined:
      return topParts(progress);
    case "execution": {
      const jobs = jobIdsOf(progress, part.executionId);
      return (progress.jobs ?? []).filter(({ jobId }) => jobs.has(jobId)).map(jobPart);
    }
    case "job": {
      const job = findJob(progress, part.jobId);
      const ids = new Set(job?.stageIds);
      return progress.stages.filter(({ stageId }) => ids.has(stageId)).map(stagePart);
    }
    case "stage": {
      const { running = [], failed = [] } = progress.tasks.get(part.stageKey) ?? {};
      return [...failed, ...running].map((task) => taskPart(part.stageKey, task));
    }
    case "task":
      return [];
  }
}

/** Returns the top-level rows: root SQL executions, jobs without a known execution, and stages without a known job. */
function topParts(progress: ApplicationProgress): readonly ProgressPart[] {
  const { jobs = [], executions = [], stages } = progress;
  const outermost = outermostOf(executions);
  const ofQueries = new Set(outermost.flatMap(({ id }) => [...jobIdsOf(progress, id)]));
  const ofJobs = new Set(jobs.flatMap(({ stageIds }) => stageIds));
  return [
    ...outermost.map(executionPart),
    ...jobs.filter(({ jobId }) => !ofQueries.has(jobId)).map(jobPart),
    ...stages.filter(({ stageId }) => !ofJobs.has(stageId)).map(stagePart),
  ];
}

/**
 * Returns the executions that are roots or whose root is not running. In Spark 4, a command starts nested executions.
 */
function outermostOf(executions: readonly ExecutionProgress[]): readonly ExecutionProgress[] {
  const running = new Set(executions.map(({ id }) => id));
  return executions.filter(({ id, rootId }) => id === rootId || !running.has(rootId));
}

/** Returns the ids of the running jobs of an execution and of those nested in it. */
function jobIdsOf({ executions = [] }: ApplicationProgress, id: number): ReadonlySet<number> {
  const own = executions.filter((one) => one.id === id || one.rootId === id);
  return new Set(own.flatMap(({ runningJobs }) => runningJobs));
}

const executionPart = ({ id }: ExecutionProgress): ProgressPart => ({
  ...{ kind: "execution", id: `sql-${id}`, executionId: id },
});

const jobPart = ({ jobId }: JobProgress): ProgressPart => ({
  ...{ kind: "job", id: `job-${jobId}`, jobId },
});

function stagePart(stage: StageProgress): ProgressPart {
  const stageKey = stageKeyOf(stage);
  return { kind: "stage", id: `stage-${stageKey}`, stageKey };
}

const taskPart = (stageKey: string, { taskId }: TaskProgress): ProgressPart => ({
  ...{ kind: "task", id: `task-${taskId}`, stageKey, taskId },
});

export const findExecution = (
  { executions = [] }: ApplicationProgress,
  executionId: number,
): ExecutionProgress | undefined => executions.find(({ id }) => id === executionId);

export const findJob = (
  { jobs = [] }: ApplicationProgress,
  jobId: number,
): JobProgress | undefined => jobs.find((job) => job.jobId === jobId);

export const findStage = (
  { stages }: ApplicationProgress,
  stageKey: string,
): StageProgress | undefined => stages.find((stage) => stageKeyOf(stage) === stageKey);
