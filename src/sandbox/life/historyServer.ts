// Starts Spark's history server on this machine to show one event log.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  neutralFolder,
  programEnvironment,
  type Variables,
} from "../node/image/programEnvironment.ts";
import { findSpark } from "./findSpark.ts";

interface LocalSparkOptions {
  readonly environment: Variables;
  /** Folder for Spark downloads. */
  readonly downloads: string;
  /** Workspace folders; programs in them must not run. */
  readonly untrusted: () => readonly string[];
}

interface Started extends Disposable {
  readonly port: number;
}

interface InstalledSpark {
  readonly version: string;
  startHistoryServer(path: string, signal: AbortSignal): Promise<Result<Started, string>>;
}

const startMs = 120_000;
const maxOutput = 16_384;
const listens = /Bound HistoryServer to .*started at https?:\/\/\S+:(\d+)/;

/** Finds the preferred Spark of this machine; undefined without Spark or Java, and on Windows. */
export async function findInstalledSpark({
  untrusted,
  downloads,
  ...given
}: LocalSparkOptions): Promise<InstalledSpark | undefined> {
  // The history server is started by `bin/spark-class`, a shell script that Windows cannot run.
  if (process.platform === "win32") return undefined;
  const environment = programEnvironment(given.environment, untrusted());
  const { home, settings, sparkVersions } = await findSpark(environment, downloads);
  const [version] = sparkVersions;
  const { javaHome } = settings;
  if (home === undefined || javaHome === undefined || version === undefined) return undefined;
  const programs = { ...environment, JAVA_HOME: javaHome, SPARK_HOME: home };
  return {
    version,
    startHistoryServer: (path, signal) => startHistoryServer(path, home, programs, signal),
  };
}

/** Starts a history server for one log, on a free port of the loopback address. The error is a message for the user. */
async function startHistoryServer(
  path: string,
  home: string,
  environment: Variables,
  signal: AbortSignal,
): Promise<Result<Started, string>> {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-history-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    // The server lists all logs of its folder, so link the log into a folder of its own.
    await symlink(resolve(path), join(folder, basename(path)));
    const conf = {
      "spark.history.fs.logDirectory": pathToFileURL(folder).href,
      "spark.history.ui.port": "0",
      "spark.history.fs.update.interval": "1d",
      "spark.history.fs.cleaner.enabled": "false",
    };
    const child = spawn(
      join(home, "bin/spark-class"),
      ["org.apache.spark.deploy.history.HistoryServer"],
      {
        cwd: neutralFolder,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          ...environment,
          SPARK_LOCAL_IP: "127.0.0.1",
          SPARK_DAEMON_MEMORY: "1g",
          SPARK_HISTORY_OPTS: Object.entries(conf)
            .map(([key, value]) => `-D${key}=${value}`)
            .join(" "),
        },
      },
    );
    child.once("close", () => {
      void remove();
    });
    return await portOf(child, signal);
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Waits until the server listens, and returns its port. Ends the server on abort, or if it does not listen within two
 * minutes.
 */
async function portOf(child: ChildProcess, signal: AbortSignal): Promise<Result<Started, string>> {
  const end = (): void => {
    if (child.exitCode === null && child.signalCode === null) child.kill();
  };
  const tooLate = AbortSignal.timeout(startMs);
  const ended = AbortSignal.any([signal, tooLate]);
  const started = await new Promise<Result<Started, string>>((resolve) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString("utf8")).slice(-maxOutput);
      const port = listens.exec(output)?.[1];
      if (port !== undefined) resolve(ok({ port: Number(port), dispose: end }));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", ({ message }) => {
      resolve(err(`Cannot start Spark: ${message}`));
    });
    child.once("close", (code) => {
      const last = output.trim().split("\n").at(-1) ?? "";
      resolve(err(`The history server exited with code ${code ?? "unknown"}: ${last}`));
    });
    ended.addEventListener("abort", end, { once: true });
  });
  ended.removeEventListener("abort", end);
  signal.throwIfAborted();
  return tooLate.aborted ? err("The history server did not start within two minutes.") : started;
}
