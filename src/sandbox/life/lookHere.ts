// What this machine has to run pods with: Spark where the environment names it, that of the Python at hand, and what
// was downloaded before.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { readDistribution } from "../node/image/distributions.ts";
import { findPrograms, type MachinePrograms } from "../node/image/machine.ts";
import { readSettings, type SandboxSettings } from "./settings.ts";

const run = promisify(execFile);

/** What can be run here. */
export interface Here {
  /** Settings without anybody's choice; without Java or Python nothing but rehearsals. */
  readonly settings: SandboxSettings;
  /** The folder of the first of them. */
  readonly home: string | undefined;
  /** Versions of the Spark that is on this machine, the one that is named first. */
  readonly sparkVersions: readonly string[];
  /** The version that Java and Python of this machine would run; undefined: they are not there. */
  readonly suits: string | undefined;
}

/** `downloads`: where Spark was downloaded to, if it was. `machine`: if it has been looked at already. */
export async function lookHere(
  environment: Readonly<Record<string, string | undefined>>,
  downloads: string,
  machine?: MachinePrograms,
): Promise<Here> {
  const standard = readSettings(undefined);
  const { javaHome, python } = machine ?? (await findPrograms(standard));
  const named = [environment["SPARK_HOME"], await sparkOf(python), ...(await sparksIn(downloads))];
  const distributions = named.filter((one): one is string => one !== undefined && one !== "");
  const read = await Promise.all(distributions.map((one) => readDistribution(one)));
  const found = read.filter((one) => one !== undefined);
  const sparkVersions = [...new Set(found.map(({ version }) => version))];
  const rehearse = javaHome === undefined;
  return {
    settings: { ...standard, distributions, rehearse, javaHome, python },
    home: found[0]?.home,
    sparkVersions,
    suits:
      javaHome === undefined || python === undefined ? undefined : await suitable(javaHome, python),
  };
}

const question =
  "import importlib.util as u; s = u.find_spec('pyspark'); print(s.submodule_search_locations[0] if s else '')";

async function sparkOf(python: string | undefined): Promise<string | undefined> {
  return python === undefined ? undefined : ask(python, question);
}

async function sparksIn(downloads: string): Promise<readonly string[]> {
  const names = await readdir(downloads).catch(() => []);
  return names
    .filter((name) => /^pyspark-[0-9.]+$/.test(name))
    .sort()
    .reverse()
    .map((name) => join(downloads, name, "pyspark"));
}

const newest = "4.3.0";
const lastForOlder = "3.5.9";

// Spark 4 needs Java 17 and Python 3.10; what is older runs Spark 3.5.
async function suitable(javaHome: string, python: string): Promise<string> {
  const release = await readFile(join(javaHome, "release"), "utf8").catch(() => "");
  const java = /^JAVA_VERSION="(\d+)/m.exec(release)?.[1];
  const minor = await ask(python, "import sys; print(sys.version_info[1])");
  const isOld = Number(java ?? "17") < 17 || Number(minor ?? "10") < 10;
  return isOld ? lastForOlder : newest;
}

async function ask(python: string, program: string): Promise<string | undefined> {
  try {
    return (await run(python, ["-c", program], { timeout: 10_000 })).stdout.trim();
  } catch {
    // A Python that cannot say has no Spark for us.
    return undefined;
  }
}
