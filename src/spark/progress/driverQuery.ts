import { fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";
import type { ExecutionProgress, JobProgress, StageProgress, TaskProgress } from "./progress.ts";

/** A GET request below `/api/v1/applications/ID/` of a driver. */
export interface DriverList<T> {
  readonly path: string;
  /** `object`: the response is one object, which is decoded as a list with one item. */
  readonly shape: "list" | "object";
  /** Decodes an item. Undefined if required fields are missing. Absent numbers count as 0. */
  readonly decode: (json: unknown) => T | undefined;
}

/** The maximum number of tasks in a response. A task takes 1.7 KB. */
const sampleLength = 20;

export const activeStages: DriverList<StageProgress> = {
  path: "stages?status=active",
  shape: "list",
  decode: decodeStage,
};

export const runningJobs: DriverList<JobProgress> = {
  path: "jobs?status=running",
  shape: "list",
  decode: decodeJob,
};

/** The maximum number of SQL executions in a response. An execution without its plan takes 0.5 KB. */
export const executionsPage = 50;

/** Returns the request for one page of SQL executions, oldest first. Spark has no filter for running ones. */
export const executionsFrom = (offset: number): DriverList<ExecutionProgress> => ({
  path: `sql?details=false&planDescription=false&offset=${offset}&length=${executionsPage}`,
  shape: "list",
  decode: decodeExecution,
});

type StageName = Pick<StageProgress, "stageId" | "attemptId">;

export const slowTasks = (stage: StageName): DriverList<TaskProgress> => ({
  path: `${stagePath(stage)}/taskList?status=running&sortBy=-runtime&offset=0&length=${sampleLength}`,
  shape: "list",
  decode: decodeTask,
});

/** Returns the request for the 20 failed tasks with the highest task ids, in ascending order. */
export const lastFailedTasks = (stage: StageProgress): DriverList<TaskProgress> => {
  const offset = Math.max(0, stage.failed - sampleLength);
  return {
    path: `${stagePath(stage)}/taskList?status=failed&offset=${offset}&length=${sampleLength}`,
    shape: "list",
    decode: decodeTask,
  };
};

/**
 * Returns the request for the median duration of the tasks that have started. The driver returns 404 before the first
 * task has ended.
 */
export const medianDuration = (stage: StageName): DriverList<number> => ({
  path: `${stagePath(stage)}/taskSummary?quantiles=0.5`,
  shape: "object",
  decode: (json) => numberOf(itemsOf(fieldsOf(json)["duration"])[0]),
});

const stagePath = ({ stageId, attemptId }: StageName): string => `stages/${stageId}/${attemptId}`;

function decodeStage(json: unknown): StageProgress | undefined {
  const item = fieldsOf(json);
  const stageId = idIn(item["stageId"]);
  const attemptId = idIn(item["attemptId"]);
  if (stageId === undefined || attemptId === undefined) return undefined;
  const tasks = countIn(item["numTasks"]);
  return {
    stageId,
    attemptId,
    name: plainText(textOf(item["name"]) ?? ""),
    description: descriptionIn(item),
    tasks,
    active: countIn(item["numActiveTasks"]),
    done: Math.min(tasks, countIn(item["numCompletedIndices"] ?? item["numCompleteTasks"])),
    failed: countIn(item["numFailedTasks"]),
    killed: countIn(item["numKilledTasks"]),
    startedAt: timeIn(item["firstTaskLaunchedTime"]),
  };
}

function decodeJob(json: unknown): JobProgress | undefined {
  const item = fieldsOf(json);
  const jobId = idIn(item["jobId"]);
  if (jobId === undefined) return undefined;
  const tasks = countIn(item["numTasks"]);
  const indices = countIn(item["numCompletedIndices"] ?? item["numCompletedTasks"]);
  return {
    jobId,
    name: plainText(textOf(item["name"]) ?? ""),
    description: descriptionIn(item),
    stageIds: idsIn(item["stageIds"]),
    tasks,
    // Limits the sum, because the tasks of a retried stage count twice.
    done: Math.min(tasks, indices + countIn(item["numSkippedTasks"])),
    failed: countIn(item["numFailedTasks"]),
    doneStages: countIn(item["numCompletedStages"]) + countIn(item["numSkippedStages"]),
    failedStages: countIn(item["numFailedStages"]),
  };
}

function decodeExecution(json: unknown): ExecutionProgress | undefined {
  const item = fieldsOf(json);
  const id = idIn(item["id"]);
  if (id === undefined) return undefined;
  return {
    id,
    rootId: idIn(item["rootExecutionId"]) ?? id,
    description: plainText(textOf(item["description"]) ?? ""),
    isRunning: textOf(item["status"]) === "RUNNING",
    durationMs: countIn(item["duration"]),
    runningJobs: idsIn(item["runningJobIds"]),
    failedJobs: itemsOf(item["failedJobIds"]).length,
  };
}

function decodeTask(json: unknown): TaskProgress | undefined {
  const item = fieldsOf(json);
  const taskId = idIn(item["taskId"]);
  if (taskId === undefined) return undefined;
  const error = textOf(item["errorMessage"]);
  return {
    taskId,
    index: countIn(item["index"]),
    attempt: countIn(item["attempt"]),
    executorId: plainText(textOf(item["executorId"]) ?? ""),
    host: plainText(textOf(item["host"]) ?? ""),
    locality: plainText(textOf(item["taskLocality"]) ?? ""),
    isSpeculative: item["speculative"] === true,
    launchedAt: timeIn(item["launchTime"]),
    durationMs: countIn(item["duration"]),
    error: error === undefined ? undefined : plainText(error),
  };
}

// Maximum length in characters. A stack trace has 4 KB and more, but its first lines contain the error.
const maxText = 1_000;

/** Truncates a string and removes HTML tags. Spark Streaming writes a link into the descriptions of its jobs. */
const plainText = (text: string): string => text.slice(0, maxText).replace(/<[^<>]*>/g, "");

function descriptionIn(item: ReturnType<typeof fieldsOf>): string | undefined {
  const text = plainText(textOf(item["description"]) ?? "").trim();
  return text === "" ? undefined : text;
}

const countIn = (value: unknown): number => {
  const count = numberOf(value) ?? 0;
  return Number.isFinite(count) ? Math.max(0, count) : 0;
};

// Accepts only non-negative integers, because ids become parts of request paths and of row ids.
const idIn = (value: unknown): number | undefined => {
  const id = numberOf(value);
  return id !== undefined && Number.isSafeInteger(id) && id >= 0 ? id : undefined;
};

const maxIds = 1_000;

const idsIn = (value: unknown): readonly number[] =>
  itemsOf(value)
    .slice(0, maxIds)
    .flatMap((id) => idIn(id) ?? []);

/** Parses Spark's format `2026-11-23T20:38:25.688GMT` to epoch milliseconds. */
function timeIn(value: unknown): number | undefined {
  const time = Date.parse((textOf(value) ?? "").slice(0, 40).replace(/GMT$/, "Z"));
  return Number.isNaN(time) ? undefined : time;
}
