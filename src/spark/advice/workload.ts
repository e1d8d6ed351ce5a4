import { fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";

/** The aggregates that advice rests on. The driver's REST API and an event log can both fill them. */
export interface Workload {
  readonly stages: readonly StageLoad[];
  /** Without the driver; removed ones included. */
  readonly executors: readonly ExecutorLoad[];
  readonly conf: ReadonlyMap<string, string>;
  /** When the values were read, in epoch milliseconds of the driver's clock. */
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
  /** The run time of all tasks together. */
  readonly runMs: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly shuffleReadBytes: number;
  readonly memorySpilled: number;
  readonly diskSpilled: number;
  /** Undefined until the first task has ended. */
  readonly duration: Quantiles | undefined;
  readonly shuffleRead: Quantiles | undefined;
}

/** Order statistics of the tasks of a stage. */
export interface Quantiles {
  readonly median: number;
  readonly max: number;
}

export interface ExecutorLoad {
  readonly id: string;
  readonly cores: number;
  /** Epoch milliseconds. */
  readonly addedAt: number;
  /** Undefined while it is active. */
  readonly removedAt: number | undefined;
  /** The time of all tasks together. */
  readonly taskMs: number;
  readonly gcMs: number;
  /** 0 if unknown. */
  readonly peakHeapBytes: number;
  /** Resident memory of Python processes; 0 without `spark.executor.processTreeMetrics.enabled`. */
  readonly peakPythonBytes: number;
}

/** Median and maximum are the quantiles of the query of stages. */
export const stagesPath = "stages?details=false&withSummaries=true&quantiles=0.5,1.0" as const;

/** Decodes an item of `stages`; undefined for one without ids. Absent numbers count as 0. */
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
    runMs: amount("executorRunTime"),
    inputBytes: amount("inputBytes"),
    outputBytes: amount("outputBytes"),
    shuffleReadBytes: amount("shuffleReadBytes"),
    memorySpilled: amount("memoryBytesSpilled"),
    diskSpilled: amount("diskBytesSpilled"),
    duration: quantiles(summary["duration"]),
    shuffleRead: quantiles(fieldsOf(summary["shuffleReadMetrics"])["readBytes"]),
  };
}

/** Decodes an item of `allexecutors`; undefined for the driver, whose times are those of its process. */
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
    addedAt: timeOf(item["addTime"]) ?? 0,
    removedAt,
    taskMs: amount("totalDuration"),
    gcMs: amount("totalGCTime"),
    peakHeapBytes: Math.max(0, numberOf(peak["JVMHeapMemory"]) ?? 0),
    peakPythonBytes: Math.max(0, numberOf(peak["ProcessTreePythonRSSMemory"]) ?? 0),
  };
}

// Spark writes `2026-11-23T20:28:15.307GMT`.
function timeOf(value: unknown): number | undefined {
  const time = Date.parse((textOf(value) ?? "").replace(/GMT$/, "Z"));
  return Number.isNaN(time) ? undefined : time;
}
