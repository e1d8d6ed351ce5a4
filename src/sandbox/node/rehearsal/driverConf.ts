// What a rehearsed driver reads of its application's conf: as much as it needs to ask for executors.
import { fieldsOf, textOf } from "../../../spark/pods/fields.ts";
import type { Holdings } from "../env/containerEnv.ts";
import type { PodSpec } from "../spec/podSpec.ts";

export type Conf = ReadonlyMap<string, string>;

/** Of the ConfigMap that the driver mounts. */
export function driverConf({ volumes }: PodSpec, holdings: Holdings): Conf {
  for (const { source } of volumes) {
    const name = textOf(fieldsOf(source["configMap"])["name"]);
    const bytes =
      name === undefined ? undefined : holdings.configMap(name)?.get("spark.properties");
    if (bytes !== undefined) return readProperties(new TextDecoder().decode(bytes));
  }
  return new Map();
}

/** As submissions write it: `key=value`, with `\` before what is special. */
export function readProperties(text: string): Conf {
  return new Map(
    text.split("\n").flatMap((line) => {
      const [, key, value] = /^((?:[^\\=#!]|\\.)+)=(.*)$/.exec(line) ?? [];
      if (key === undefined || value === undefined) return [];
      return [[unescape(key), unescape(value)] as const];
    }),
  );
}

const unescape = (text: string): string => text.replaceAll(/\\(.)/g, "$1");

export interface Staffing {
  readonly atFirst: number;
  readonly atMost: number;
  /** Idle ones leave. */
  readonly isDynamic: boolean;
}

export function staffing(conf: Conf): Staffing {
  const number = (key: string): number | undefined => {
    const value = Number.parseInt(conf.get(key) ?? "", 10);
    return Number.isNaN(value) ? undefined : value;
  };
  const instances = number("spark.executor.instances") ?? 2;
  if (conf.get("spark.dynamicAllocation.enabled") !== "true") {
    return { atFirst: instances, atMost: instances, isDynamic: false };
  }
  const least = number("spark.dynamicAllocation.minExecutors") ?? 0;
  const first = number("spark.dynamicAllocation.initialExecutors") ?? least;
  const most = number("spark.dynamicAllocation.maxExecutors") ?? Math.max(first, 4);
  return { atFirst: Math.max(1, first), atMost: Math.max(1, most), isDynamic: true };
}

/** MiB of a size as Spark writes it; without a unit, MiB. */
export function mebibytes(size: string): number {
  const [, digits = "0", unit = "m"] = /^([0-9]+)([kmgt]?)b?$/i.exec(size.trim()) ?? [];
  const factors: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2 };
  return Math.ceil(Number(digits) * (factors[unit.toLowerCase() || "m"] ?? 1));
}
