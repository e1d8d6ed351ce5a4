import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A Spark installation: a distribution, or the folder of the Python package `pyspark`. */
export interface Distribution {
  readonly home: string;
  readonly version: string;
}

/** Reads the Spark version from the jars in a folder; undefined if the folder contains no Spark. */
export async function readDistribution(home: string): Promise<Distribution | undefined> {
  const names = await readdir(join(home, "jars")).catch((): readonly string[] => []);
  const version = names
    .map((name) => /^spark-core_[0-9.]+-(.+)\.jar$/.exec(name)?.[1])
    .find((found) => found !== undefined);
  return version === undefined ? undefined : { home, version };
}
