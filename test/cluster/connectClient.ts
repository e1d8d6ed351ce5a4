import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rename } from "node:fs/promises";
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
  const python = "bin/python";
  if (await exists(folder)) return join(folder, python);
  await mkdir(cacheFolder, { recursive: true });
  // Only the interpreter is used, which finds its packages after the folder has moved.
  const part = await mkdtemp(`${folder}-`);
  await run("python3", ["-m", "venv", part]);
  const packages = requirements[version];
  await run(join(part, python), ["-m", "pip", "install", "--quiet", ...packages]);
  await rename(part, folder);
  return join(folder, python);
}

/** The jar of the Connect server for the image of Spark 3.5, as the pods of a test cluster may not reach Maven. */
export const connectJar = process.env["SPARK_K8S_CONNECT_JAR"];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
