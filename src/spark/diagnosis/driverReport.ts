import { fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";
import { decodeUsage, type ExecutorUsage } from "./executorUsage.ts";

/** The state of the executors, as the driver's REST API reports it. */
export interface DriverReport {
  /** The time of the report, in epoch milliseconds of the cluster's clock. */
  readonly readAt: number;
  /** Ids of registered executors that the driver has not removed. */
  readonly registered: ReadonlySet<string>;
  /** Removal reasons by executor id. By default, the driver keeps the last 100 (`spark.ui.retainedDeadExecutors`). */
  readonly removed: ReadonlyMap<string, string>;
  /** Ids of registered executors that get no tasks (`spark.excludeOnFailure.enabled`). */
  readonly excluded?: ReadonlySet<string>;
  /** Usage by executor id. The driver has the id `driver`. */
  readonly usage?: ReadonlyMap<string, ExecutorUsage>;
  readonly totals?: ExecutorTotals;
  /** Undefined if the driver's conf cannot be read. */
  readonly allocation: AllocationConf | undefined;
}

/** The part of the report that is decoded from the driver's list of executors, plus the running tasks. */
export interface ReportedExecutors extends Pick<
  DriverReport,
  "registered" | "removed" | "excluded" | "usage" | "totals"
> {
  /** Running tasks by executor id; idle executors are absent. */
  readonly activeTasks: ReadonlyMap<string, number>;
}

export type AllocationConf = Allocation & {
  /** The condition under which the driver schedules its first tasks. */
  readonly start?: StartCondition;
};

/** Tasks start when `minRegistered` executors have registered, or after the wait (sufficientResourcesRegistered). */
interface StartCondition {
  readonly minRegistered: number;
  /** `spark.scheduler.minRegisteredResourcesRatio`. */
  readonly ratio: number;
  /** `spark.scheduler.maxRegisteredResourcesWaitingTime`. */
  readonly maxWaitMs: number;
}

type Allocation =
  | { readonly kind: "fixed"; readonly instances: number }
  | {
      readonly kind: "dynamic";
      readonly min: number;
      /** The maximum number of executors. Infinity without a limit. */
      readonly max: number;
      /**
       * The current target number of executors, summed over all resource profiles. Undefined if the metric is absent.
       */
      readonly target: number | undefined;
    };

/**
 * Decodes the usage in an item of `allexecutors`. Returns it with the executor id; undefined for a removed executor.
 */
export function decodeReportedUsage(json: unknown): readonly [string, ExecutorUsage] | undefined {
  const item = fieldsOf(json);
  const id = textOf(item["id"]);
  return id === undefined || item["isActive"] !== true ? undefined : [id, decodeUsage(item)];
}

/** Sums over all executors that the driver lists, including removed ones. The driver itself is not included. */
export interface ExecutorTotals {
  readonly completedTasks: number;
  readonly failedTasks: number;
  /** Run time summed over all tasks, in milliseconds. */
  readonly taskMs: number;
  readonly gcMs: number;
  readonly inputBytes: number;
  readonly shuffleReadBytes: number;
  readonly shuffleWriteBytes: number;
}

export const noTotals: ExecutorTotals = {
  ...{ completedTasks: 0, failedTasks: 0, taskMs: 0, gcMs: 0 },
  ...{ inputBytes: 0, shuffleReadBytes: 0, shuffleWriteBytes: 0 },
};

/** Returns the totals plus the values of an item of `allexecutors`. Ignores the driver's item. */
export function addToTotals(totals: ExecutorTotals, json: unknown): ExecutorTotals {
  const item = fieldsOf(json);
  if (item["id"] === "driver") return totals;
  const amount = (name: string): number => Math.max(0, numberOf(item[name]) ?? 0);
  return {
    completedTasks: totals.completedTasks + amount("completedTasks"),
    failedTasks: totals.failedTasks + amount("failedTasks"),
    // The driver's item, which is skipped above, has the driver's wall time here.
    taskMs: totals.taskMs + amount("totalDuration"),
    gcMs: totals.gcMs + amount("totalGCTime"),
    inputBytes: totals.inputBytes + amount("totalInputBytes"),
    shuffleReadBytes: totals.shuffleReadBytes + amount("totalShuffleRead"),
    shuffleWriteBytes: totals.shuffleWriteBytes + amount("totalShuffleWrite"),
  };
}

/** Decodes an item of `allexecutors`. Undefined for the driver, which the list contains too. */
export function decodeReported(json: unknown):
  | {
      readonly id: string;
      readonly isActive: boolean;
      readonly isExcluded: boolean;
      readonly reason: string;
      readonly activeTasks: number;
    }
  | undefined {
  const item = fieldsOf(json);
  const id = textOf(item["id"]);
  if (id === undefined || id === "driver") return undefined;
  const isActive = item["isActive"] === true;
  const activeTasks = numberOf(item["activeTasks"]) ?? 0;
  // Spark before 3.1 has only `isBlacklisted`.
  const isExcluded = item["isExcluded"] === true || item["isBlacklisted"] === true;
  return { id, isActive, isExcluded, reason: textOf(item["removeReason"]) ?? "", activeTasks };
}

/**
 * Decodes the allocation from the REST API's `environment` response. The target is undefined, because only a metric has
 * it.
 */
export function decodeAllocation(environment: unknown): AllocationConf {
  const conf = new Map<string, string>();
  for (const pair of itemsOf(fieldsOf(environment)["sparkProperties"])) {
    const [key, value] = itemsOf(pair).map(textOf);
    if (key !== undefined && value !== undefined) conf.set(key, value);
  }
  const number = (key: string): number | undefined => {
    const value = Number(conf.get(key) ?? NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  if (conf.get("spark.dynamicAllocation.enabled") !== "true") {
    const instances = number("spark.executor.instances") ?? defaultInstances;
    return { kind: "fixed", instances, start: startConditionOf(conf, instances) };
  }
  const initial = Math.max(
    number("spark.dynamicAllocation.minExecutors") ?? 0,
    number("spark.dynamicAllocation.initialExecutors") ?? 0,
    number("spark.executor.instances") ?? 0,
  );
  return {
    kind: "dynamic",
    min: number("spark.dynamicAllocation.minExecutors") ?? 0,
    max: number("spark.dynamicAllocation.maxExecutors") ?? Infinity,
    target: undefined,
    start: startConditionOf(conf, initial),
  };
}

/** Computes the start condition in the same way as Spark's KubernetesClusterSchedulerBackend. */
function startConditionOf(
  conf: ReadonlyMap<string, string>,
  initialExecutors: number,
): StartCondition {
  const ratio = Number(conf.get("spark.scheduler.minRegisteredResourcesRatio") ?? NaN);
  const known = Number.isFinite(ratio) ? Math.min(1, ratio) : defaultRatio;
  const wait = conf.get("spark.scheduler.maxRegisteredResourcesWaitingTime");
  return {
    minRegistered: Math.ceil(initialExecutors * known),
    ratio: known,
    maxWaitMs: (wait === undefined ? undefined : millisecondsOf(wait)) ?? defaultWaitMs,
  };
}

const defaultRatio = 0.8;
const defaultWaitMs = 30_000;

const unitMs: ReadonlyMap<string, number> = new Map(
  Object.entries({ "": 1, ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }),
);

/** Parses a duration of the Spark conf to milliseconds, which are the default unit. Undefined for any other text. */
function millisecondsOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  const factor = unitMs.get(unit);
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

// The default of spark.executor.instances on Kubernetes.
const defaultInstances = 2;

const targetGauge = ".ExecutorAllocationManager.executors.numberTargetExecutors";

/** Returns the executor target in the metrics. Undefined without dynamic allocation. */
export function targetIn(metrics: unknown): number | undefined {
  for (const [name, gauge] of Object.entries(fieldsOf(fieldsOf(metrics)["gauges"]))) {
    if (name.endsWith(targetGauge)) return numberOf(fieldsOf(gauge)["value"]);
  }
  return undefined;
}
