import type { DriverReport, ExecutorTotals, ReportedExecutors } from "../diagnosis/driverReport.ts";
import type { Application } from "../pods/application.ts";
import { lastOf } from "../pods/ordered.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { parseQuantity } from "../quantity.ts";

/** Metrics of all executors at one moment (`at`, epoch ms), from the driver's REST API. Excludes the driver itself. */
export interface DriverSample extends ExecutorTotals {
  readonly at: number;
  /** The number of executors that the driver requests; undefined if it is unknown. */
  readonly target: number | undefined;
  readonly registered: number;
  readonly activeTasks: number;
  /** The maximum and the minimum number of running tasks per executor. */
  readonly maxActive: number;
  readonly minActive: number;
  /** The sum of `maxTasks` of the registered executors. */
  readonly slots: number;
  /**
   * The highest memory peak of an executor, and the memory limit of the newest executor's container. Undefined if
   * unknown.
   */
  readonly peakBytes: number | undefined;
  readonly limitBytes: number | undefined;
  /** Sums over all stages. Undefined until the stages are read. */
  readonly memorySpilledBytes: number | undefined;
  readonly diskSpilledBytes: number | undefined;
}

/**
 * Builds a sample from a driver's report. Undefined if the report has no totals. `spilled`: sums over all stages in
 * bytes, if the stages were read.
 */
export function sampleOf(
  { registered, totals, usage }: Pick<ReportedExecutors, "registered" | "usage" | "totals">,
  facts: {
    readonly at: number;
    readonly allocation: DriverReport["allocation"];
    readonly limitBytes: number | undefined;
    readonly spilled: { readonly memory: number; readonly disk: number } | undefined;
  },
): DriverSample | undefined {
  if (totals === undefined) return undefined;
  const executors = [...(usage ?? [])].filter(([id]) => registered.has(id)).map(([, one]) => one);
  const tasks = executors.map(({ activeTasks }) => activeTasks);
  const peak = Math.max(0, ...executors.map(({ peakBytes }) => peakBytes ?? 0));
  const { allocation } = facts;
  return {
    at: facts.at,
    target: allocation?.kind === "fixed" ? allocation.instances : allocation?.target,
    registered: registered.size,
    activeTasks: tasks.reduce((sum, count) => sum + count, 0),
    maxActive: Math.max(0, ...tasks),
    minActive: tasks.length === 0 ? 0 : Math.min(...tasks),
    slots: executors.reduce((sum, { maxTasks }) => sum + (maxTasks ?? 0), 0),
    ...totals,
    peakBytes: peak === 0 ? undefined : peak,
    limitBytes: facts.limitBytes,
    memorySpilledBytes: facts.spilled?.memory,
    diskSpilledBytes: facts.spilled?.disk,
  };
}

/** Returns the memory limit of the newest executor's container, in bytes. Undefined if there is none. */
export function executorLimitOf({ live }: Application): number | undefined {
  const executor = lastOf(live);
  const limit = executor && sparkContainerOf(executor.pod)?.memoryLimit;
  return limit === undefined ? undefined : parseQuantity(limit);
}
