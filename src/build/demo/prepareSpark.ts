// Selects the Spark installation that runs pi in the demo: an installed or downloaded one, or none (simulated).
import { homedir } from "node:os";
import { join } from "node:path";
import { openSandboxes } from "../../sandbox/life/openSandboxes.ts";

export interface PreparedSpark {
  readonly isReal: boolean;
  readonly version: string;
  /** Environment of all child processes of the demo. */
  readonly environment: NodeJS.ProcessEnv;
}

const newestVersion = "4.3.0";

export async function prepareSpark(
  simulateOnly: boolean,
  say: (line: string) => void,
): Promise<PreparedSpark> {
  const { env } = process;
  const cache = join(env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "spark-k8s/spark");
  const simulated = (why: string): PreparedSpark => {
    say(`${why}: pi is simulated. Its pods start, print logs and end, but compute nothing`);
    return { isReal: false, version: newestVersion, environment: env };
  };
  if (simulateOnly) return simulated("As you asked");
  const sandboxes = openSandboxes({
    ...unstartable,
    downloads: cache,
    environment: env,
    untrusted: () => [],
  });
  const machine = await sandboxes.look();
  const { lacksJava, suits, sparkVersions } = machine;
  const [version] = sparkVersions;
  if (lacksJava) return simulated("This machine has no Java");
  if (version !== undefined) {
    say(`Found Java and Spark ${version}: pi is computed`);
    return { isReal: true, version, environment: withSpark(env, machine.home) };
  }
  if (suits === undefined) return simulated("This machine has neither Spark nor Python");
  say(`Found Java and Python; pip downloads Spark ${suits} (about 450 MB) into ${cache}, once`);
  const downloaded = await machine.download(
    suits,
    ({ line, share }) => {
      if (share === undefined || share === 0) say(`pip: ${line}`);
    },
    new AbortController().signal,
  );
  if (!downloaded.ok) return simulated(downloaded.error);
  say(`Downloaded Spark ${suits}: pi is computed`);
  return { isReal: true, version: suits, environment: withSpark(env, downloaded.value.home) };
}

/** Options to inspect this machine only. They cannot start a sandbox. */
const unstartable = { folder: "", program: "", node: process.execPath };

const withSpark = (env: NodeJS.ProcessEnv, home: string | undefined): NodeJS.ProcessEnv =>
  home === undefined ? env : { ...env, SPARK_HOME: home };
