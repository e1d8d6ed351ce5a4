import { fieldsOf, numberOf, type Fields } from "../../base/json.ts";
import type { LoggedTask, TaskMetrics } from "./eventLog.ts";

/** A writable sum of metrics. */
export type MetricSum = { -readonly [name in keyof TaskMetrics]: number };

export const noMetrics: TaskMetrics = Object.freeze({
  executorDeserializeTime: 0,
  executorDeserializeCpuTime: 0,
  executorRunTime: 0,
  executorCpuTime: 0,
  resultSize: 0,
  jvmGcTime: 0,
  resultSerializationTime: 0,
  memoryBytesSpilled: 0,
  diskBytesSpilled: 0,
  peakExecutionMemory: 0,
  inputBytes: 0,
  inputRecords: 0,
  outputBytes: 0,
  outputRecords: 0,
  shuffleReadBytes: 0,
  shuffleReadRecords: 0,
  shuffleRemoteBytesRead: 0,
  shuffleRemoteBytesReadToDisk: 0,
  shuffleFetchWaitTime: 0,
  shuffleWriteBytes: 0,
  shuffleWriteRecords: 0,
  shuffleWriteTime: 0,
});

const names = Object.keys(noMetrics) as readonly (keyof TaskMetrics)[];

/** Decodes the `Task Metrics` of an ended task. A lost task has none, so all its metrics are 0. */
export function decodeMetrics(value: unknown): TaskMetrics {
  if (value === undefined || value === null) return noMetrics;
  const task = fieldsOf(value);
  const read = fieldsOf(task["Shuffle Read Metrics"]);
  const written = fieldsOf(task["Shuffle Write Metrics"]);
  const input = fieldsOf(task["Input Metrics"]);
  const output = fieldsOf(task["Output Metrics"]);
  return {
    executorDeserializeTime: count(task, "Executor Deserialize Time"),
    executorDeserializeCpuTime: count(task, "Executor Deserialize CPU Time"),
    executorRunTime: count(task, "Executor Run Time"),
    executorCpuTime: count(task, "Executor CPU Time"),
    resultSize: count(task, "Result Size"),
    jvmGcTime: count(task, "JVM GC Time"),
    resultSerializationTime: count(task, "Result Serialization Time"),
    memoryBytesSpilled: count(task, "Memory Bytes Spilled"),
    diskBytesSpilled: count(task, "Disk Bytes Spilled"),
    peakExecutionMemory: count(task, "Peak Execution Memory"),
    inputBytes: count(input, "Bytes Read"),
    inputRecords: count(input, "Records Read"),
    outputBytes: count(output, "Bytes Written"),
    outputRecords: count(output, "Records Written"),
    shuffleReadBytes: count(read, "Remote Bytes Read") + count(read, "Local Bytes Read"),
    shuffleReadRecords: count(read, "Total Records Read"),
    shuffleRemoteBytesRead: count(read, "Remote Bytes Read"),
    shuffleRemoteBytesReadToDisk: count(read, "Remote Bytes Read To Disk"),
    shuffleFetchWaitTime: count(read, "Fetch Wait Time"),
    shuffleWriteBytes: count(written, "Shuffle Bytes Written"),
    shuffleWriteRecords: count(written, "Shuffle Records Written"),
    shuffleWriteTime: count(written, "Shuffle Write Time"),
  };
}

export function addMetrics(sum: MetricSum, metrics: TaskMetrics): void {
  if (metrics === noMetrics) return;
  for (const name of names) sum[name] += metrics[name];
}

/**
 * Returns quantiles over the successful tasks by Spark's own rule, as in the REST API's `taskSummary`: the sorted value
 * at index `floor(quantile * count)`. Undefined if no task succeeded.
 */
export function metricQuantiles(
  tasks: readonly LoggedTask[],
  of: (task: LoggedTask) => number,
  quantiles: readonly number[],
): readonly number[] | undefined {
  const values = tasks.filter(({ outcome }) => outcome === "succeeded").map(of);
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const last = sorted.length - 1;
  return quantiles.map((quantile) => {
    const position = Math.floor(quantile * sorted.length);
    return sorted[Math.min(last, Math.max(0, position))] ?? 0;
  });
}

const count = (fields: Fields, name: string): number => {
  const value = numberOf(fields[name]) ?? 0;
  return Number.isFinite(value) ? Math.max(0, value) : 0;
};
