// What this machine has to run pods with: Spark where the environment names it, and that of the Python at hand.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findPrograms } from "../node/image/machine.ts";
import { readSettings, type SandboxSettings } from "./settings.ts";

const run = promisify(execFile);

/** Settings without anybody's choice; without Java, applications are rehearsed. */
export async function settingsHere(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<SandboxSettings> {
  const standard = readSettings(undefined);
  const { javaHome, python } = await findPrograms(standard);
  const found = [environment["SPARK_HOME"], await sparkOf(python)];
  return {
    ...standard,
    distributions: found.filter((one) => one !== undefined && one !== "").map(String),
    rehearse: javaHome === undefined,
    javaHome,
    python,
  };
}

const question =
  "import importlib.util as u; s = u.find_spec('pyspark'); print(s.submodule_search_locations[0] if s else '')";

async function sparkOf(python: string | undefined): Promise<string | undefined> {
  if (python === undefined) return undefined;
  try {
    return (await run(python, ["-c", question], { timeout: 10_000 })).stdout.trim();
  } catch {
    // A Python that cannot say has no Spark for us.
    return undefined;
  }
}
