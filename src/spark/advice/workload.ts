import type { NodeSize } from "../diagnosis/diagnosis.ts";
import type { SparkMinor } from "../submit/conf/sparkVersion.ts";
import { fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";

/** The metrics on which advice is based. Both the driver's REST API and an event log can provide them. */
export interface Workload {
  readonly stages: readonly StageLoad[];
  /** All executors, including removed ones. Without the driver. */
  readonly executors: readonly ExecutorLoad[];
  /** The tasks of stages during which many cores were free; see `stagesWithFreeCores`. */
  readonly placements?: readonly StagePlacement[];
  readonly conf: ReadonlyMap<string, string>;
  readonly minor: SparkMinor;
  /** The size of the largest node. Undefined if nodes cannot be listed. */
  readonly node?: NodeSize | undefined;
  /** The time at which the metrics were read, in epoch milliseconds of the driver's clock. */
  readonly readAt: number;
}

/** A stage attempt. Times in milliseconds, amounts in bytes. */
export interface StageLoad {
  readonly stageId: number;
  readonly attemptId: number;
  readonly name: string;
  readonly isComplete: boolean;
  readonly tasks: number;
  readonly failed: number;
  readonly failureReason: string | undefined;
  /** The time from the launch of the first task to the end of the stage. Undefined while the stage runs. */
  readonly wallMs?: number | undefined;
  /** The sum of the run times of all tasks. */
  readonly runMs: number;
  readonly inputBytes: number;
  readonly shuffleReadBytes: number;
  readonly memorySpilled: number;
  readonly diskSpilled: number;
  /** Undefined until the first task has ended. */
  readonly duration: Quantiles | undefined;
  readonly shuffleRead: Quantiles | undefined;
}

/** The tasks of a stage attempt. */
export interface StagePlacement {
  readonly stageId: number;
  readonly attemptId: number;
  readonly tasks: readonly TaskPlacement[];
}

export interface TaskPlacement {
  /** Epoch milliseconds. */
  readonly launchedAt: number;
  readonly durationMs: number;
  /** `PROCESS_LOCAL`, `NODE_LOCAL`, `RACK_LOCAL`, `ANY` or `NO_PREF`. */
  readonly locality: string;
}

/** Quantiles over the tasks of a stage, in milliseconds or bytes. */
export interface Quantiles {
  readonly median: number;
  readonly max: number;
}

export interface ExecutorLoad {
  readonly id: string;
  readonly cores: number;
  /** Epoch milliseconds; infinite if unknown, so that no time counts as idle. */
  readonly addedAt: number;
  /** Undefined while the executor is active. */
  readonly removedAt: number | undefined;
  /** The sum of the durations of all tasks, in milliseconds. */
  readonly taskMs: number;
  readonly gcMs: number;
  /** 0 if unknown. */
  readonly peakHeapBytes: number;
  /** Resident memory of Python processes; 0 without `spark.executor.processTreeMetrics.enabled`. */
  readonly peakPythonBytes: number;
}

/** The REST path of the stages, with the median and the maximum as quantiles. */
export const stagesPath = "stages?details=false&withSummaries=true&quantiles=0.5,1.0" as const;

/** Decodes an item of `stages`. Undefined if it has no stage or attempt id. Absent numbers count as 0. */
export function decodeStageLoad(json: unknown): StageLoad | undefined {
  const item = fieldsOf(json);
  const stageId = numberOf(item["stageId"]);
  const attemptId = numberOf(item["attemptId"]);
  if (stageId === undefined || attemptId === undefined) return undefined;
  const amount = (name: string): number => Math.max(0, numberOf(item[name]) ?? 0);
  const summary = fieldsOf(item["taskMetricsDistributions"]);
  const at = itemsOf(summary["quantiles"]).map(numberOf);
  const quantiles = (values: unknown): Quantiles | undefined => {
    const list = itemsOf(values).map(numberOf);
    const median = list[at.indexOf(0.5)];
    const max = list[at.indexOf(1)];
    return median === undefined || max === undefined ? undefined : { median, max };
  };
  return {
    stageId,
    attemptId,
    name: textOf(item["name"]) ?? "",
    isComplete: item["status"] === "COMPLETE",
    tasks: amount("numTasks"),
    failed: amount("numFailedTasks"),
    failureReason: textOf(item["failureReason"]),
    ...wallOf(item),
    runMs: amount("executorRunTime"),
    inputBytes: amount("inputBytes"),
    shuffleReadBytes: amount("shuffleReadBytes"),
    memorySpilled: amount("memoryBytesSpilled"),
    diskSpilled: amount("diskBytesSpilled"),
    duration: quantiles(summary["duration"]),
    shuffleRead: quantiles(fieldsOf(summary["shuffleReadMetrics"])["readBytes"]),
  };
}

/** Decodes an item of `allexecutors`. Undefined for the driver, whose times are those of its process. */
export function decodeExecutorLoad(json: unknown): ExecutorLoad | undefined {
  const item = fieldsOf(json);
  const id = textOf(item["id"]);
  if (id === undefined || id === "driver") return undefined;
  const amount = (name: string): number => Math.max(0, numberOf(item[name]) ?? 0);
  const peak = fieldsOf(item["peakMemoryMetrics"]);
  const removedAt = timeOf(item["removeTime"]);
  return {
    id,
    cores: amount("totalCores"),
    addedAt: timeOf(item["addTime"]) ?? Infinity,
    removedAt,
    taskMs: amount("totalDuration"),
    gcMs: amount("totalGCTime"),
    peakHeapBytes: Math.max(0, numberOf(peak["JVMHeapMemory"]) ?? 0),
    peakPythonBytes: Math.max(0, numberOf(peak["ProcessTreePythonRSSMemory"]) ?? 0),
  };
}

function wallOf(item: ReturnType<typeof fieldsOf>): Pick<StageLoad, "wallMs"> {
  const began = timeOf(item["firstTaskLaunchedTime"]);
  const ended = timeOf(item["completionTime"]);
  return began === undefined || ended === undefined ? {} : { wallMs: Math.max(0, ended - began) };
}

// Maximum number of tasks per response: a task takes 1.7 KB, and the whole response is kept in memory.
const maxTasks = 200;
const maxStages = 2;
const shortMs = 10_000;

/**
 * Returns the complete stages whose tasks are worth a request, because cores were free for more than a third of the
 * core time. At most two, the stage with the most free core time first.
 */
export function stagesWithFreeCores({
  stages,
  executors,
}: Pick<Workload, "stages" | "executors">): readonly StageLoad[] {
  const slots = executors.reduce((sum, { cores }) => sum + cores, 0);
  const freeMs = ({ wallMs = 0, runMs }: StageLoad): number => wallMs * slots - runMs;
  return stages
    .filter(({ isComplete, tasks }) => isComplete && tasks > 1 && tasks <= maxTasks)
    .filter((stage) => (stage.wallMs ?? 0) >= shortMs && freeMs(stage) > stage.runMs / 2)
    .sort((a, b) => freeMs(b) - freeMs(a))
    .slice(0, maxStages);
}

export const placementsPath = ({
  stageId,
  attemptId,
}: Pick<StageLoad, "stageId" | "attemptId">): `stages/${string}` =>
  `stages/${stageId}/${attemptId}/taskList?length=${maxTasks}`;

/** Decodes an item of `taskList`; undefined for a task that was not launched. */
export function decodePlacement(json: unknown): TaskPlacement | undefined {
  const item = fieldsOf(json);
  const launchedAt = timeOf(item["launchTime"]);
  if (launchedAt === undefined) return undefined;
  const durationMs = Math.max(0, numberOf(item["duration"]) ?? 0);
  return { launchedAt, durationMs, locality: textOf(item["taskLocality"]) ?? "" };
}

// Parses Spark's format `2026-11-23T20:28:15.307GMT` to epoch milliseconds.
function timeOf(value: unknown): number | undefined {
  const time = Date.parse((textOf(value) ?? "").replace(/GMT$/, "Z"));
  return Number.isNaN(time) ? undefined : time;
}
