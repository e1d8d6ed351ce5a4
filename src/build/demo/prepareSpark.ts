// What the demo runs pi with: the Spark that is here, or one that pip brings, or nothing, and then pi is rehearsed.
import { homedir } from "node:os";
import { join } from "node:path";
import { openSandboxes } from "../../sandbox/life/openSandboxes.ts";

export interface Prepared {
  readonly isReal: boolean;
  readonly version: string;
  /** For all that the demo starts. */
  readonly environment: NodeJS.ProcessEnv;
}

const newest = "4.3.0";

export async function prepareSpark(
  rehearseOnly: boolean,
  say: (line: string) => void,
): Promise<Prepared> {
  const { env } = process;
  const cache = join(env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "spark-k8s/spark");
  const rehearsal = (why: string): Prepared => {
    say(`${why}: pi is rehearsed. Its pods come and go and print logs, and nothing is computed`);
    return { isReal: false, version: newest, environment: env };
  };
  if (rehearseOnly) return rehearsal("As you asked");
  const here = openSandboxes({ ...nobody, downloads: cache, environment: env });
  const ground = await here.look();
  const { lacksJava, suits, sparkVersions } = ground;
  const [version] = sparkVersions;
  if (lacksJava) return rehearsal("There is no Java on this machine");
  if (version !== undefined) {
    say(`Java and Spark ${version} are here: pi is computed for real`);
    return { isReal: true, version, environment: withSpark(env, ground.home) };
  }
  if (suits === undefined) return rehearsal("There is no Spark on this machine, and no Python");
  say(`Java and Python are here; pip brings Spark ${suits}, some 450 MB, into ${cache}, once`);
  const brought = await ground.download(
    suits,
    ({ line, share }) => {
      if (share === undefined || share === 0) say(`pip: ${line}`);
    },
    new AbortController().signal,
  );
  if (!brought.ok) return rehearsal(brought.error);
  say(`Spark ${suits} has come: pi is computed for real`);
  return { isReal: true, version: suits, environment: withSpark(env, brought.value.home) };
}

/** For looking around: no sandbox is started with it. */
const nobody = { folder: "", program: "", node: process.execPath };

const withSpark = (env: NodeJS.ProcessEnv, home: string | undefined): NodeJS.ProcessEnv =>
  home === undefined ? env : { ...env, SPARK_HOME: home };
