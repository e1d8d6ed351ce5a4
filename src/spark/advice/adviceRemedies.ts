import { executorOverheadRemedy, raisedHeap, raisedPython, setRemedy } from "../remedy/remedies.ts";
import { sizeText } from "../remedy/memorySizing.ts";
import type { DefinitionEdit, Remedy } from "../remedy/remedy.ts";
import { parseJavaBoolean, parseSize, parseTime } from "../submit/conf/sparkValues.ts";
import type { StageLoad, Workload } from "./workload.ts";

type Conf = Workload["conf"];
type Facts = Pick<Workload, "conf" | "node" | "minor">;

export const isEnabled = (conf: Conf, key: string, otherwise: boolean): boolean =>
  parseJavaBoolean(conf.get(key) ?? "") ?? otherwise;

const integerOf = (conf: Conf, key: string, otherwise: number): number => {
  const value = Number(conf.get(key) ?? otherwise);
  return Number.isInteger(value) ? value : otherwise;
};

const mebibyte = 2 ** 20;

const mebibytesIn = (conf: Conf, key: string, otherwise: number): number => {
  const bytes = parseSize(conf.get(key) ?? "", 1, true);
  return bytes === undefined ? otherwise : Math.ceil(Number(bytes) / mebibyte);
};

const aqe = "spark.sql.adaptive.enabled";
const skewJoin = "spark.sql.adaptive.skewJoin.enabled";

/** Returns a fix that enables the splitting of skewed join partitions. Empty if it is enabled, which is the default. */
export function splitSkew({ conf }: Facts): readonly Remedy[] {
  const missing = [aqe, skewJoin].filter((key) => !isEnabled(conf, key, true));
  const [first, ...others] = missing.map((key): Extract<DefinitionEdit, { kind: "set" }> => ({
    kind: "set",
    key,
    value: "true",
  }));
  return first === undefined ? [] : [setRemedy(first.key, first.value, others)];
}

const partitionsKey = "spark.sql.shuffle.partitions";
const advisorySize = "spark.sql.adaptive.advisoryPartitionSizeInBytes";
const splitSize = "spark.sql.files.maxPartitionBytes";
const smallestSplitMib = 8;

/**
 * Returns a fix that increases the number of tasks: at least twofold, and so that each processes at most `targetBytes`
 * of `bytes`. Sizes are not lowered below 8 MiB, so the increase may be smaller. Empty if no conf key can do so. If AQE
 * has coalesced small partitions up to its advisory size, more partitions alone would not increase the tasks. The fix
 * then lowers that size.
 */
export function morePartitions(
  { tasks, shuffleReadBytes, inputBytes }: StageLoad,
  bytes: number,
  targetBytes: number,
  { conf }: Facts,
): readonly Remedy[] {
  const factor = Math.max(2, Math.ceil(bytes / tasks / targetBytes));
  const smaller = (key: string, presentMib: number): readonly Remedy[] => {
    const next = Math.max(smallestSplitMib, Math.floor(presentMib / factor));
    return next < presentMib ? [setRemedy(key, `${next}m`)] : [];
  };
  if (shuffleReadBytes === 0) {
    return inputBytes === 0 ? [] : smaller(splitSize, mebibytesIn(conf, splitSize, 128));
  }
  const partitions = integerOf(conf, partitionsKey, 200);
  return isEnabled(conf, aqe, true) && tasks < partitions
    ? smaller(advisorySize, mebibytesIn(conf, advisorySize, 64))
    : [setRemedy(partitionsKey, `${factor * tasks}`)];
}

/**
 * Returns a fix that sets two shuffle partitions per core. Empty if the number of tasks does not come from
 * `spark.sql.shuffle.partitions`, or is already as low. `cores`: in all live executors.
 */
export function fewerPartitions(
  { tasks, shuffleReadBytes }: StageLoad,
  cores: number,
  { conf }: Facts,
): readonly Remedy[] {
  const next = Math.max(2, 2 * cores);
  const isOfConf = shuffleReadBytes > 0 && tasks === integerOf(conf, partitionsKey, 200);
  return isOfConf && next < tasks ? [setRemedy(partitionsKey, `${next}`)] : [];
}

export const withoutBroadcast = (): readonly Remedy[] => [
  setRemedy("spark.sql.autoBroadcastJoinThreshold", "-1"),
];

/**
 * Returns two alternative fixes: dynamic allocation, and the number of executors that the tasks needed. If dynamic
 * allocation is already enabled, returns an idle timeout of 30 s instead, or nothing if the timeout is not longer.
 * `usedShare`: the share of core time with running tasks, from 0 to 1.
 */
export function fewerExecutors(usedShare: number, { conf, minor }: Facts): readonly Remedy[] {
  const dynamic = "spark.dynamicAllocation.enabled";
  const idleTimeout = "spark.dynamicAllocation.executorIdleTimeout";
  if (isEnabled(conf, dynamic, false)) {
    // Spark's default is 60 s.
    const present = Number(/^(\d{1,6})s?$/.exec(conf.get(idleTimeout) ?? "60")?.[1] ?? NaN);
    return present > 30 ? [setRemedy(idleTimeout, "30s")] : [];
  }
  const instances = integerOf(conf, "spark.executor.instances", 2);
  const needed = Math.max(1, Math.ceil(usedShare * instances));
  const tracking = "spark.dynamicAllocation.shuffleTracking.enabled";
  // Off by default in Spark 3.3, where dynamic allocation then ends the driver at its start.
  const more = isEnabled(conf, tracking, minor !== "3.3")
    ? []
    : [{ kind: "set", key: tracking, value: "true" } as const];
  return [
    setRemedy(dynamic, "true", more),
    ...(needed < instances ? [setRemedy("spark.executor.instances", `${needed}`)] : []),
  ];
}

export const moreHeap = ({ conf, node, minor }: Facts): readonly Remedy[] =>
  raisedHeap({ conf, node, minor, role: "executor" });

const stepMib = 128;

/**
 * Returns a fix that lowers the heap by a fifth, but to no less than 125 % of `peakBytes`, rounded up to 128 MiB. Empty
 * if the heap would not shrink.
 */
export function lessHeap(heapBytes: number, peakBytes: number): readonly Remedy[] {
  const heap = heapBytes / mebibyte;
  const next = Math.max(heap * 0.8, (peakBytes / mebibyte) * 1.25);
  const rounded = Math.ceil(next / stepMib) * stepMib;
  return rounded < heap ? [setRemedy("spark.executor.memory", sizeText(rounded))] : [];
}

export const morePython = ({ conf, node, minor }: Facts): readonly Remedy[] =>
  conf.has("spark.executor.pyspark.memory")
    ? raisedPython({ conf, node, minor, role: "executor" })
    : executorOverheadRemedy({ conf, node, minor, role: "executor" });

export const trackShuffles = (): readonly Remedy[] => [
  setRemedy("spark.dynamicAllocation.shuffleTracking.enabled", "true"),
];

/** Returns a fix that waits at most 500 ms for a local core, or not at all if Spark waits no longer already. */
export function waitLess({ conf }: Facts): readonly Remedy[] {
  const wait = "spark.locality.wait";
  // Spark's default is 3 s.
  const present = parseTime(conf.get(wait) ?? "3s", 1) ?? Infinity;
  return [setRemedy(wait, present > 500 ? "500ms" : "0s")];
}

/**
 * Returns a fix that enables speculation. Empty if it is enabled. Empty with one executor, because a copy of a slow
 * task helps only on another executor.
 */
export const speculate = ({ conf }: Facts, executors: number): readonly Remedy[] =>
  executors > 1 && !isEnabled(conf, "spark.speculation", false)
    ? [setRemedy("spark.speculation", "true")]
    : [];
