import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A Spark installation: a distribution, or the folder of the Python package `pyspark`. */
export interface Distribution {
  readonly home: string;
  readonly version: string;
}

/** Reads the version of a Spark folder; undefined if it contains no Spark. */
export async function readDistribution(home: string): Promise<Distribution | undefined> {
  const names = await readdir(join(home, "jars")).catch((): readonly string[] => []);
  const version = names
    .map((name) => /^spark-core_[0-9.]+-(.+)\.jar$/.exec(name)?.[1])
    .find((found) => found !== undefined);
  return version === undefined ? undefined : { home, version };
}
