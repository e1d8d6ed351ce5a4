import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The newest clients on PyPI for the images. Spark 3.5 predates pandas 3 and numpy 2; pyarrow 26 requires numpy 2. */
const requirements = {
  "3.5": ["pyspark[connect]==3.5.9", "pandas<3", "numpy<2", "pyarrow<22"],
  "4": ["pyspark-client==4.2.0", "pandas<3"],
} as const;

const cacheFolder = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "spark-k8s-test",
);

/** Returns the path of the Python in a cached virtual environment with a Spark Connect client from PyPI. */
export async function connectClient(version: keyof typeof requirements): Promise<string> {
  const packages = requirements[version];
  const key = createHash("sha256").update(packages.join()).digest("hex").slice(0, 8);
  const folder = join(cacheFolder, `connect-client-${version}-${key}`);
  const python = "bin/python";
  if (await exists(folder)) return join(folder, python);
  await mkdir(cacheFolder, { recursive: true });
  // The virtual environment can be renamed later: only its interpreter is used, which then still finds its packages.
  const part = await mkdtemp(`${folder}-`);
  await run("python3", ["-m", "venv", part]);
  await run(join(part, python), ["-m", "pip", "install", "--quiet", ...packages]);
  await rename(part, folder);
  return join(folder, python);
}

/** The jar of the Connect server for the Spark 3.5 image, because pods of a test cluster may not reach Maven. */
export const connectJar = process.env["SPARK_K8S_CONNECT_JAR"];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
