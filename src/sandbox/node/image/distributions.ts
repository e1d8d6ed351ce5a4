import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Spark on this machine: a distribution, or what the Python package `pyspark` brings. */
export interface Distribution {
  readonly home: string;
  readonly version: string;
}

/** Undefined: no Spark lies there. */
export async function readDistribution(home: string): Promise<Distribution | undefined> {
  const names = await readdir(join(home, "jars")).catch((): readonly string[] => []);
  const version = names
    .map((name) => /^spark-core_[0-9.]+-(.+)\.jar$/.exec(name)?.[1])
    .find((found) => found !== undefined);
  return version === undefined ? undefined : { home, version };
}
