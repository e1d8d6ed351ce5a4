import { fieldsOf, itemsOf, numberOf, textOf } from "../pods/fields.ts";

/** What the driver itself says of its executors, through its REST API. */
export interface DriverReport {
  /** Ids of executors that have registered and that it has not given up. */
  readonly registered: ReadonlySet<string>;
  /** Of those that it has given up: its reason, by executor id. At most the last 100. */
  readonly removed: ReadonlyMap<string, string>;
  /** Undefined where the driver does not tell its conf. */
  readonly allocation: AllocationConf | undefined;
}

/** What it says of its executors alone. */
export interface ReportedExecutors extends Pick<DriverReport, "registered" | "removed"> {
  /** How many tasks run there, of those that run any. */
  readonly activeTasks: ReadonlyMap<string, number>;
}

export type AllocationConf =
  | { readonly kind: "fixed"; readonly instances: number }
  | {
      readonly kind: "dynamic";
      readonly min: number;
      /** Infinity where there is no bound. */
      readonly max: number;
      /** How many it wants now, of all profiles; undefined where no gauge tells. */
      readonly target: number | undefined;
    };

/** One item of `allexecutors`; undefined for the driver, which is one of them. */
export function decodeReported(json: unknown):
  | {
      readonly id: string;
      readonly isActive: boolean;
      readonly reason: string;
      readonly activeTasks: number;
    }
  | undefined {
  const item = fieldsOf(json);
  const id = textOf(item["id"]);
  if (id === undefined || id === "driver") return undefined;
  const isActive = item["isActive"] === true;
  const activeTasks = numberOf(item["activeTasks"]) ?? 0;
  return { id, isActive, reason: textOf(item["removeReason"]) ?? "", activeTasks };
}

/** From what the driver calls its environment; its target stands elsewhere. */
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
    return { kind: "fixed", instances: number("spark.executor.instances") ?? defaultInstances };
  }
  return {
    kind: "dynamic",
    min: number("spark.dynamicAllocation.minExecutors") ?? 0,
    max: number("spark.dynamicAllocation.maxExecutors") ?? Infinity,
    target: undefined,
  };
}

// What the Kubernetes backend takes where the conf names no number.
const defaultInstances = 2;

const targetGauge = ".ExecutorAllocationManager.executors.numberTargetExecutors";

/** From its metrics; undefined without dynamic allocation. */
export function targetIn(metrics: unknown): number | undefined {
  for (const [name, gauge] of Object.entries(fieldsOf(fieldsOf(metrics)["gauges"]))) {
    if (name.endsWith(targetGauge)) return numberOf(fieldsOf(gauge)["value"]);
  }
  return undefined;
}
