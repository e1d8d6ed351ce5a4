import { objectAt, type Json, type JsonObject } from "../../../base/json.ts";
import type { Manifest } from "../plan/manifest.ts";
import { parseJavaBoolean, parseJavaInt } from "../conf/sparkValues.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { containersOf } from "./podParts.ts";
import { previewExecutor } from "./previewExecutor.ts";
import { podAmount } from "../../podAmount.ts";
import { parseQuantity } from "../../quantity.ts";

export interface PodTotals {
  readonly cores: number;
  readonly memoryBytes: number;
}

export interface ExecutorCount {
  readonly initial: number;
  readonly minimum: number;
  /** The maximum number of executors. Undefined: only the cluster's capacity limits it. */
  readonly maximum: number | undefined;
}

/** The total requests of an application, including sidecars from pod templates. */
interface PlanTotals {
  readonly driver: PodTotals;
  /** The requests of one executor. */
  readonly executor: PodTotals;
  readonly executors: ExecutorCount;
  /** The requests of the driver together with its initial, minimum or maximum number of executors. */
  readonly initial: PodTotals;
  readonly minimum: PodTotals;
  readonly maximum: PodTotals | undefined;
}

export function planTotals(plan: SubmissionPlan): PlanTotals {
  const pod = plan.writes.find(({ role }) => role === "driverPod")?.manifest;
  const driver = pod ? podAmounts(pod, "requests") : { cores: 0, memoryBytes: 0 };
  const executor = podAmounts(previewExecutor(plan, "1").value, "requests");
  const executors = executorCount(plan);
  const withExecutors = (count: number): PodTotals => ({
    cores: driver.cores + count * executor.cores,
    memoryBytes: driver.memoryBytes + count * executor.memoryBytes,
  });
  return {
    driver,
    executor,
    executors,
    initial: withExecutors(executors.initial),
    minimum: withExecutors(executors.minimum),
    maximum: executors.maximum === undefined ? undefined : withExecutors(executors.maximum),
  };
}

/** Returns the number of executors by Spark's rules for static and dynamic allocation. */
export function executorCount({ conf }: Pick<SubmissionPlan, "conf">): ExecutorCount {
  const read = (key: string, fallback: number): number =>
    parseJavaInt(conf.get(key)?.value ?? "") ?? fallback;
  const isDynamic = parseJavaBoolean(conf.get("spark.dynamicAllocation.enabled")?.value ?? "");
  const instancesKey = "spark.executor.instances";
  if (isDynamic !== true) {
    const count = read(instancesKey, 2);
    return { initial: count, minimum: count, maximum: count };
  }
  const minimum = read("spark.dynamicAllocation.minExecutors", 0);
  const initial = Math.max(
    minimum,
    read("spark.dynamicAllocation.initialExecutors", minimum),
    read(instancesKey, 0),
  );
  const maximum = read("spark.dynamicAllocation.maxExecutors", 2 ** 31 - 1);
  return { initial, minimum, maximum: maximum === 2 ** 31 - 1 ? undefined : maximum };
}

/** Returns the requests or limits of a pod, as the scheduler counts them. Invalid quantities count as zero. */
export function podAmounts(pod: Manifest, kind: "requests" | "limits"): PodTotals {
  const amount = (resource: "cpu" | "memory"): number => {
    const own = (container: JsonObject): number => amountOf(container, kind, resource) ?? 0;
    return podAmount(
      containersOf(pod).map(own),
      containersOf(pod, "initContainers").map((container) => ({
        amount: own(container),
        isSidecar: container["restartPolicy"] === "Always",
      })),
    );
  };
  return { cores: amount("cpu"), memoryBytes: amount("memory") };
}

/**
 * Returns the amount of a resource. Undefined if the container does not set it, or sets an invalid quantity. A limit
 * without a request is also the request.
 */
export function amountOf(
  container: JsonObject,
  kind: "requests" | "limits",
  resource: string,
): number | undefined {
  const resources = objectAt(container, "resources");
  const own = objectAt(resources, kind)[resource];
  const written = kind === "requests" ? (own ?? objectAt(resources, "limits")[resource]) : own;
  return written === undefined ? undefined : parseQuantity(textOf(written));
}

const textOf = (value: Json): string =>
  typeof value === "string" || typeof value === "number" ? `${value}` : "";
