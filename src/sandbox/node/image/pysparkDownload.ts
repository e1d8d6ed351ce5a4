// Downloads Spark as the Python package `pyspark`, with the user's pip and its configured index.
import { spawn } from "node:child_process";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { disposable, type Disposable } from "../../../base/disposable.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { ownFolder } from "../../../io/ownFolder.ts";
import { neutralFolder } from "./programEnvironment.ts";
import { readDistribution, type Distribution } from "./distributions.ts";

interface PysparkDownloadOptions {
  /** Absolute path of the interpreter. */
  readonly python: string;
  /** SHA-256 of the package's archive, by version. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Environment for pip, which reads its index, proxies and home folder from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder for downloads. It is not deleted with the sandbox. */
  readonly cacheFolder: string;
  readonly onProgress: (progress: PysparkProgress) => void;
}

/** Progress of a download. */
export interface PysparkProgress {
  /** The last line of pip's output, without progress bars. */
  readonly line: string;
  /** Downloaded share of a large file, from 0 to 1; undefined if unknown. */
  readonly share: number | undefined;
}

/**
 * Returns the cached Spark of this version. If it is missing, first downloads `pyspark==VERSION`, which contains the
 * jars. The error is a message for the user. Rejects with an AbortError if `signal` aborts.
 */
export async function downloadPyspark(
  sparkVersion: string,
  { python, hashes, environment, cacheFolder, onProgress }: PysparkDownloadOptions,
  signal: AbortSignal,
): Promise<Result<Distribution, string>> {
  if (!/^[0-9]+(?:\.[0-9]+){2}$/.test(sparkVersion))
    return err(`"${sparkVersion}" is not a Spark version`);
  const folder = join(cacheFolder, `pyspark-${sparkVersion}`);
  const cached = await readDistribution(join(folder, "pyspark"));
  if (cached !== undefined) return ok(cached);
  const hash = hashes.get(sparkVersion);
  if (hash === undefined) {
    return err(
      `the checksum of pyspark ${sparkVersion} is unknown. Install this version yourself, and set SPARK_HOME to its folder`,
    );
  }
  const unfinished = `${folder}.unfinished-${process.pid}`;
  // pip's temporary folder, whose size shows the progress.
  const partial = join(unfinished, "partial");
  // A wider mode would let other users change the programs of pods.
  await ownFolder(cacheFolder);
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const watch = watchProgress(partial, onProgress);
  try {
    const target = join(unfinished, "target");
    const requirements = join(unfinished, "requirements.txt");
    await writeFile(requirements, `pyspark==${sparkVersion} --hash=sha256:${hash}\n`, {
      mode: 0o600,
    });
    const failure = await run(
      python,
      [
        // Isolated: do not load a "pip.py" from the working directory or PYTHONPATH.
        ...["-I", "-m", "pip", "install", "--target", target, "--disable-pip-version-check"],
        // The archive includes the dependencies.
        ...["--no-input", "--no-deps", "--require-hashes", "--requirement", requirements],
      ],
      { ...environment, TMPDIR: partial },
      signal,
      watch.onLine,
    );
    if (failure !== undefined) return err(`pip cannot install pyspark ${sparkVersion}: ${failure}`);
    await rm(folder, { recursive: true, force: true });
    await rename(target, folder);
  } finally {
    watch.dispose();
    await rm(unfinished, { recursive: true, force: true });
  }
  const brought = await readDistribution(join(folder, "pyspark"));
  return brought === undefined ? err(`pyspark ${sparkVersion} contains no Spark`) : ok(brought);
}

interface Arrival extends Disposable {
  readonly onLine: (line: string) => void;
}

const lookMs = 500;

/**
 * Reports the progress of pip. Without a terminal, pip prints only the total size, so compare it with the size of pip's
 * temporary folder.
 */
function watchProgress(folder: string, onProgress: PysparkDownloadOptions["onProgress"]): Arrival {
  let line = "";
  let total: number | undefined;
  const checkStop = async (): Promise<void> => {
    const [expected, of] = [total, line];
    if (expected === undefined) return;
    const share = Math.min(1, (await sizeOf(folder)) / expected);
    // Skip the report if pip has moved on to another line.
    if (line === of) onProgress({ line, share });
  };
  const timer = setInterval(() => void checkStop().catch(() => undefined), lookMs);
  return {
    onLine: (printed) => {
      const size = /^Downloading .*\(([0-9.]+) MB\)$/.exec(printed)?.[1];
      if (/^[\u2501\u2578 ]*$|eta /.test(printed)) return;
      line = printed;
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

/** Runs pip. Returns undefined on success, else its last `ERROR` line or its exit code. Rejects if `signal` aborts. */
function run(
  python: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Use a process group, so that an abort also ends pip's child processes.
    const child = spawn(python, args, {
      cwd: neutralFolder,
      stdio: ["ignore", "pipe", "pipe"],
      env,
      detached: true,
    });
    const abort = (): void => {
      // The pid of a reaped child may belong to another process.
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (child.pid !== undefined && isRunning) endGroup(child.pid);
    };
    signal.addEventListener("abort", abort, { once: true });
    let lastError = "";
    const read = (isError: boolean) => (chunk: Buffer) => {
      for (const line of chunk.toString("utf8").split(/[\r\n]+/)) {
        if (line.trim() === "") continue;
        onLine(line.trim());
        if (isError && /^ERROR/.test(line)) lastError = line.trim();
      }
    };
    child.stdout.on("data", read(false));
    child.stderr.on("data", read(true));
    child.once("error", (error) => {
      resolve(error.message);
    });
    child.once("close", (code) => {
      signal.removeEventListener("abort", abort);
      if (signal.aborted) reject(new DOMException("The download was canceled.", "AbortError"));
      else if (code === 0) resolve(undefined);
      else resolve(lastError === "" ? `pip exited with code ${String(code)}` : lastError);
    });
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has ended meanwhile.
  }
}
