import { listed, msg, verbatim, type Message } from "../../base/message.ts";
import { fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";
import { parseQuantity } from "../quantity.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { describeBytes } from "../binarySize.ts";
import { describeCores, requestOf } from "./amounts.ts";

/** The resource usage of an executor or the driver since its start, as the driver's REST API reports it. */
export interface ExecutorUsage {
  readonly cores: number;
  readonly activeTasks: number;
  readonly completedTasks: number;
  readonly failedTasks: number;
  /** Run time summed over all tasks, in milliseconds. */
  readonly taskMs: number;
  readonly gcMs: number;
  readonly storageBytes: number;
  readonly maxStorageBytes: number;
  /** Peak usage of the Java heap. 0 if unknown: Spark 3.0 and later report it with the first heartbeat. */
  readonly peakHeapBytes: number;
  /**
   * Peak memory of the executor's processes: heap plus off-heap memory, or the resident set sizes if they are larger. 0
   * if unknown.
   */
  readonly peakBytes?: number;
  /** The maximum number of tasks that run at the same time. */
  readonly maxTasks?: number;
}

/** Decodes an item of `allexecutors`. Absent fields count as 0. */
export function decodeUsage(json: unknown): ExecutorUsage {
  const item = fieldsOf(json);
  const amount = (name: string): number => Math.max(0, numberOf(item[name]) ?? 0);
  const peak = fieldsOf(item["peakMemoryMetrics"]);
  const sumOf = (...names: readonly string[]): number =>
    names.reduce((sum, name) => sum + Math.max(0, numberOf(peak[name]) ?? 0), 0);
  // Spark reports resident set sizes only with `spark.executor.processTreeMetrics.enabled`.
  const residentBytes = sumOf(
    "ProcessTreeJVMRSSMemory",
    "ProcessTreePythonRSSMemory",
    "ProcessTreeOtherRSSMemory",
  );
  return {
    cores: amount("totalCores"),
    activeTasks: amount("activeTasks"),
    completedTasks: amount("completedTasks"),
    failedTasks: amount("failedTasks"),
    taskMs: amount("totalDuration"),
    gcMs: amount("totalGCTime"),
    storageBytes: amount("memoryUsed"),
    maxStorageBytes: amount("maxMemory"),
    peakHeapBytes: sumOf("JVMHeapMemory"),
    peakBytes: Math.max(sumOf("JVMHeapMemory", "JVMOffHeapMemory"), residentBytes),
    maxTasks: amount("maxTasks"),
  };
}

export interface UsageWords {
  readonly tasks: Message;
  /** The garbage collection time and its share of the task time: `2.1 s, 3 % of task time`. */
  readonly gc: Message;
  readonly storage: Message;
  readonly heap: string | undefined;
}

export function describeUsage(usage: ExecutorUsage): UsageWords {
  const { cores, activeTasks, completedTasks, failedTasks, taskMs, gcMs } = usage;
  const { storageBytes, maxStorageBytes, peakHeapBytes } = usage;
  return {
    tasks: listed([
      cores === 0
        ? msg`${activeTasks} active`
        : msg`${activeTasks} active on ${describeCores(cores)}`,
      msg`${completedTasks} completed`,
      failedTasks === 0 ? undefined : msg`${failedTasks} failed`,
    ]),
    gc: listed([
      verbatim(`${Number((gcMs / 1000).toFixed(1))} s`),
      taskMs === 0 ? undefined : msg`${Math.round((100 * gcMs) / taskMs)} % of task time`,
    ]),
    storage: msg`${describeBytes(storageBytes)} of ${describeBytes(maxStorageBytes)}`,
    heap: peakHeapBytes === 0 ? undefined : describeBytes(peakHeapBytes),
  };
}

/** The current usage of a pod, as metrics-server reports it. */
export interface PodUsage {
  readonly cores: number;
  readonly memoryBytes: number;
}

/** Decodes a PodMetrics object to the sums over its containers. Undefined without containers. */
export function decodePodUsage(json: unknown): PodUsage | undefined {
  const containers = itemsOf(fieldsOf(json)["containers"]);
  if (containers.length === 0) return undefined;
  const sumOf = (resource: string): number =>
    containers.reduce<number>((sum, container) => {
      const text = textOf(fieldsOf(fieldsOf(container)["usage"])[resource]) ?? "";
      return sum + (parseQuantity(text) ?? 0);
    }, 0);
  return { cores: sumOf("cpu"), memoryBytes: sumOf("memory") };
}

/**
 * Returns texts such as `0.5 cores, 1 core requested` and `800 MiB of 1.4 GiB`. The second amount of memory is the
 * limit of Spark's container.
 */
export function describePodUsage(
  { cores, memoryBytes }: PodUsage,
  pod: PodRecord,
): { readonly cpu: Message; readonly memory: Message } {
  const requested = requestOf(pod, "cpu");
  const limit = parseQuantity(sparkContainerOf(pod)?.memoryLimit ?? "") ?? 0;
  const memory = describeBytes(memoryBytes);
  return {
    cpu:
      requested === 0
        ? describeCores(cores)
        : msg`${describeCores(cores)}, ${describeCores(requested)} requested`,
    memory: limit === 0 ? verbatim(memory) : msg`${memory} of ${describeBytes(limit)}`,
  };
}
