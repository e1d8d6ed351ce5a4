// Reads the Spark conf of a simulated driver, and the number and size of executors from it.
import { fieldsOf, textOf } from "../../../base/json.ts";
import type { ConfigSources } from "../env/containerEnv.ts";
import type { SandboxPodSpec } from "../spec/podSpec.ts";

export type SimulatedConf = ReadonlyMap<string, string>;

/** Reads `spark.properties` from the ConfigMap that the driver mounts; empty if there is none. */
export function driverConf({ volumes }: SandboxPodSpec, holdings: ConfigSources): SimulatedConf {
  for (const { source } of volumes) {
    const name = textOf(fieldsOf(source["configMap"])["name"]);
    const bytes =
      name === undefined ? undefined : holdings.configMap(name)?.get("spark.properties");
    if (bytes !== undefined) return readProperties(new TextDecoder().decode(bytes));
  }
  return new Map();
}

/** Parses the properties file of a submission: `key=value`, special characters escaped by a backslash. */
export function readProperties(text: string): SimulatedConf {
  return new Map(
    text.split("\n").flatMap((line) => {
      const [, key, value] = /^((?:[^\\=#!]|\\.)+)=(.*)$/.exec(line) ?? [];
      if (key === undefined || value === undefined) return [];
      return [[unescape(key), unescape(value)] as const];
    }),
  );
}

const unescape = (text: string): string => text.replaceAll(/\\(.)/g, "$1");

interface ExecutorTargets {
  readonly initial: number;
  readonly max: number;
  /** True for dynamic allocation, which removes idle executors. */
  readonly isDynamic: boolean;
}

export function executorTargets(conf: SimulatedConf): ExecutorTargets {
  const number = (key: string): number | undefined => {
    const value = Number.parseInt(conf.get(key) ?? "", 10);
    return Number.isNaN(value) ? undefined : value;
  };
  const instances = number("spark.executor.instances") ?? 2;
  if (conf.get("spark.dynamicAllocation.enabled") !== "true") {
    return { initial: instances, max: instances, isDynamic: false };
  }
  const min = number("spark.dynamicAllocation.minExecutors") ?? 0;
  const first = number("spark.dynamicAllocation.initialExecutors") ?? min;
  const max = number("spark.dynamicAllocation.maxExecutors") ?? Math.max(first, 4);
  return { initial: Math.max(1, first), max: Math.max(1, max), isDynamic: true };
}

/** Converts a Spark size to MiB, rounded up. A size without a unit is in MiB. Returns 0 for an invalid size. */
export function mebibytes(size: string): number {
  const [, digits = "0", unit = "m"] = /^([0-9]+)([kmgt]?)b?$/i.exec(size.trim()) ?? [];
  const factors: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2 };
  return Math.ceil(Number(digits) * (factors[unit.toLowerCase() || "m"] ?? 1));
}
