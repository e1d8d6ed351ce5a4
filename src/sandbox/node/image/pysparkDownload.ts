// Spark by way of the user's Python: the package `pyspark` of a version, from the index that their pip knows.
import { spawn } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../../base/result.ts";
import { readDistribution, type Distribution } from "./distributions.ts";

export interface PysparkDownloadOptions {
  readonly python: string;
  /** With what pip reads of it: its index, proxies, the home with its settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Kept from one sandbox to the next. */
  readonly cacheFolder: string;
  /** A line of pip's, for the user to see that it goes on. */
  readonly onProgress: (sparkVersion: string, line: string) => void;
}

/** Brings `pyspark==VERSION` with its jars into the cache; once there, nothing is asked of the index again. */
export async function downloadPyspark(
  sparkVersion: string,
  { python, environment, cacheFolder, onProgress }: PysparkDownloadOptions,
  signal: AbortSignal,
): Promise<Result<Distribution, string>> {
  if (!/^[0-9]+(?:\.[0-9]+){2}$/.test(sparkVersion))
    return err(`"${sparkVersion}" is no version of Spark`);
  const folder = join(cacheFolder, `pyspark-${sparkVersion}`);
  const cached = await readDistribution(join(folder, "pyspark"));
  if (cached !== undefined) return ok(cached);
  const unfinished = `${folder}.unfinished-${process.pid}`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    const args = ["-m", "pip", "install", "--target", unfinished, "--disable-pip-version-check"];
    const said = await run(
      python,
      [...args, "--no-input", `pyspark==${sparkVersion}`],
      environment,
      signal,
      (line) => {
        onProgress(sparkVersion, line);
      },
    );
    if (said !== undefined) return err(`pip could not bring pyspark ${sparkVersion}: ${said}`);
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  const brought = await readDistribution(join(folder, "pyspark"));
  return brought === undefined ? err(`pyspark ${sparkVersion} holds no Spark`) : ok(brought);
}

/** Undefined: it went well; else the last thing that pip said. */
function run(
  python: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(python, args, { stdio: ["ignore", "pipe", "pipe"], env, signal });
    let complaint = "";
    const hear = (isComplaint: boolean) => (chunk: Buffer) => {
      for (const line of chunk.toString("utf8").split(/[\r\n]+/)) {
        if (line.trim() === "") continue;
        onLine(line.trim());
        if (isComplaint && /^ERROR/.test(line)) complaint = line.trim();
      }
    };
    child.stdout.on("data", hear(false));
    child.stderr.on("data", hear(true));
    child.once("error", (error) => {
      if (error.name === "AbortError") reject(error);
      else resolve(error.message);
    });
    child.once("close", (code) => {
      resolve(
        code === 0 ? undefined : complaint === "" ? `pip ended with ${String(code)}` : complaint,
      );
    });
  });
}
