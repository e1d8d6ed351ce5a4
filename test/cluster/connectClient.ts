import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The newest clients on PyPI for the images. pandas 3 and numpy 2 are later than Spark 3.5. */
const requirements = {
  "3.5": ["pyspark[connect]==3.5.9", "pandas<3", "numpy<2"],
  "4": ["pyspark-client==4.2.0", "pandas<3"],
} as const;

const cacheFolder = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "spark-k8s-test",
);

/** The Python of a virtual environment with a Spark Connect client from PyPI, cached. */
export async function connectClient(version: keyof typeof requirements): Promise<string> {
  const folder = join(cacheFolder, `connect-client-${version}`);
  const python = join(folder, "bin/python");
  const done = join(folder, "installed");
  if (await exists(done)) return python;
  await mkdir(cacheFolder, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  await run("python3", ["-m", "venv", folder]);
  await run(python, ["-m", "pip", "install", "--quiet", ...requirements[version]]);
  await mkdir(done);
  return python;
}

/** The Connect server of Spark 3.5 from Maven, cached: the pods of a test cluster may not reach Maven. */
export async function connectJar(): Promise<string> {
  // The nearest release of 3.5.9 on Maven.
  const name = "spark-connect_2.12-3.5.7.jar";
  const file = join(cacheFolder, name);
  if (await exists(file)) return file;
  await mkdir(cacheFolder, { recursive: true });
  const part = join(await mkdtemp(`${file}-`), name);
  const address = `https://repo1.maven.org/maven2/org/apache/spark/spark-connect_2.12/3.5.7/${name}`;
  await run("curl", ["--silent", "--fail", "--output", part, address]);
  await rename(part, file);
  await rm(join(part, ".."), { recursive: true });
  return file;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
