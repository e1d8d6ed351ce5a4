// Spark by way of the user's Python: the package `pyspark` of a version, from the index that their pip knows.
import { spawn } from "node:child_process";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { disposable, type Disposable } from "../../../base/disposable.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { readDistribution, type Distribution } from "./distributions.ts";

export interface PysparkDownloadOptions {
  readonly python: string;
  /** With what pip reads of it: its index, proxies, the home with its settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Kept from one sandbox to the next. */
  readonly cacheFolder: string;
  readonly onProgress: (progress: DownloadProgress) => void;
}

/** For the user to see that it goes on. */
export interface DownloadProgress {
  /** The last one of pip's. */
  readonly line: string;
  /** From 0 to 1 while what is large comes over the network; undefined where that is not known. */
  readonly share: number | undefined;
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
  // Where pip keeps what has come so far.
  const arriving = join(unfinished, "arriving");
  await mkdir(arriving, { recursive: true, mode: 0o700 });
  const watch = watchArrival(arriving, onProgress);
  try {
    const target = join(unfinished, "target");
    const args = ["-m", "pip", "install", "--target", target, "--disable-pip-version-check"];
    const said = await run(
      python,
      [...args, "--no-input", `pyspark==${sparkVersion}`],
      { ...environment, TMPDIR: arriving },
      signal,
      watch.hear,
    );
    if (said !== undefined) return err(`pip could not bring pyspark ${sparkVersion}: ${said}`);
    await rm(folder, { recursive: true, force: true });
    await rename(target, folder);
  } finally {
    watch.dispose();
    await rm(unfinished, { recursive: true, force: true });
  }
  const brought = await readDistribution(join(folder, "pyspark"));
  return brought === undefined ? err(`pyspark ${sparkVersion} holds no Spark`) : ok(brought);
}

interface Arrival extends Disposable {
  readonly hear: (line: string) => void;
}

const lookMs = 500;

/** pip draws no bar where nobody sees it, but says how much is to come: the rest is seen in its folder. */
function watchArrival(folder: string, onProgress: PysparkDownloadOptions["onProgress"]): Arrival {
  let line = "";
  let total: number | undefined;
  const look = async (): Promise<void> => {
    const [expected, of] = [total, line];
    if (expected === undefined) return;
    const share = Math.min(1, (await sizeOf(folder)) / expected);
    // pip may be at something else by now.
    if (line === of) onProgress({ line, share });
  };
  const timer = setInterval(() => void look().catch(() => undefined), lookMs);
  return {
    hear: (heard) => {
      const size = /^Downloading .*\(([0-9.]+) MB\)$/.exec(heard)?.[1];
      if (/^[\u2501\u2578 ]*$|eta /.test(heard)) return;
      line = heard;
      total = size === undefined ? undefined : Number(size) * 1_000_000;
      onProgress({ line, share: total === undefined ? undefined : 0 });
    },
    ...disposable(() => {
      clearInterval(timer);
    }),
  };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
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
    signal.throwIfAborted();
    // A group of its own: what pip has started to build with ends with it.
    const child = spawn(python, args, { stdio: ["ignore", "pipe", "pipe"], env, detached: true });
    const abort = (): void => {
      if (child.pid !== undefined) endGroup(child.pid);
    };
    signal.addEventListener("abort", abort, { once: true });
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
      resolve(error.message);
    });
    child.once("close", (code) => {
      signal.removeEventListener("abort", abort);
      if (signal.aborted) reject(new DOMException("The download was given up.", "AbortError"));
      else if (code === 0) resolve(undefined);
      else resolve(complaint === "" ? `pip ended with ${String(code)}` : complaint);
    });
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}
