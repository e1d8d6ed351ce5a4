// Finds the programs that run pods: Java, Python and Spark. Searches for Spark in SPARK_HOME, in Python's packages and
// in earlier downloads.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readDistribution } from "../node/image/distributions.ts";
import { askIsolated, findPrograms, type MachinePrograms } from "../node/image/machine.ts";
import type { Variables } from "../node/image/programEnvironment.ts";
import { readSettings, type SandboxSettings } from "./settings.ts";

/** The Spark installations of this machine. */
export interface FoundSpark {
  /** Settings for a sandbox with the found programs. Without Java, they select the simulation of all applications. */
  readonly settings: SandboxSettings;
  /** Folder of the preferred installation; undefined if there is none. */
  readonly home: string | undefined;
  /** Installed Spark versions, the preferred one first. */
  readonly sparkVersions: readonly string[];
  /** The Spark version to download for this machine's Java and Python; undefined if either is missing. */
  readonly suits: string | undefined;
}

/**
 * Finds the Spark installations of this machine. `downloads`: folder of earlier downloads. `machine`: the programs, if
 * already known.
 */
export async function findSpark(
  environment: Readonly<Record<string, string | undefined>>,
  downloads: string,
  machine?: MachinePrograms,
): Promise<FoundSpark> {
  const defaults = readSettings(undefined);
  const { javaHome, python } = machine ?? (await findPrograms(defaults, environment));
  const named = [
    environment["SPARK_HOME"],
    ...(await sparksOf(python, environment)),
    ...(await sparksIn(downloads)),
  ];
  const distributions = named.filter((one): one is string => one !== undefined && one !== "");
  const read = await Promise.all(distributions.map((one) => readDistribution(one)));
  const found = read.filter((one) => one !== undefined);
  const sparkVersions = [...new Set(found.map(({ version }) => version))];
  const simulate = javaHome === undefined;
  return {
    settings: { ...defaults, distributions, simulate, javaHome, python },
    home: found[0]?.home,
    sparkVersions,
    suits:
      javaHome === undefined || python === undefined
        ? undefined
        : await suitable(javaHome, python, environment),
  };
}

// An isolated Python does not search the user's packages, so the script prints their folder too.
const script = `
import importlib.util as u, os, site
s = u.find_spec('pyspark')
if s: print(s.submodule_search_locations[0])
print(os.path.join(site.getusersitepackages(), 'pyspark'))
`;

async function sparksOf(
  python: string | undefined,
  environment: Variables,
): Promise<readonly string[]> {
  const answer = python && (await askIsolated(python, script, environment));
  return (answer ?? "").split("\n").filter((line) => line !== "");
}

async function sparksIn(downloads: string): Promise<readonly string[]> {
  const names = await readdir(downloads).catch(() => []);
  return names
    .filter((name) => /^pyspark-[0-9.]+$/.test(name))
    .sort()
    .reverse()
    .map((name) => join(downloads, name, "pyspark"));
}

const newestVersion = "4.3.0";
const olderVersion = "3.5.9";

// Spark 4 needs Java 17 and Python 3.10. Spark 3.5 runs with older versions.
async function suitable(javaHome: string, python: string, environment: Variables): Promise<string> {
  const release = await readFile(join(javaHome, "release"), "utf8").catch(() => "");
  const java = /^JAVA_VERSION="(\d+)/m.exec(release)?.[1];
  const minor = await askIsolated(python, "import sys; print(sys.version_info[1])", environment);
  const isOld = Number(java ?? "17") < 17 || Number(minor ?? "10") < 10;
  return isOld ? olderVersion : newestVersion;
}
