// Runs a container as local processes: the first one, in its own session, and all its descendants.
import { spawn, type ChildProcess } from "node:child_process";
import { access, readdir, readFile, stat } from "node:fs/promises";
import { constants as fsConstants } from "node:fs";
import { constants } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { LogWriter } from "../logs/logFiles.ts";
import type { ContainerEnd, ContainerRun } from "./containerRun.ts";
import { isServedOnLoopback } from "./loopback.ts";
import { listProcesses, processesOf } from "./pidTable.ts";
import { identityOf, signalPid, type StartedPid } from "./startedPid.ts";
import { markName, type Watchdog } from "./watchdog.ts";

export interface ProgramStart {
  readonly command: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDirectory: string;
}

/**
 * Returns the path of a command's program. Searches the PATH if the name contains no slash, else resolves it against
 * the working directory. Undefined if there is no such executable file.
 */
export async function findProgram(start: ProgramStart): Promise<string | undefined> {
  const [program = ""] = start.command;
  const folders = (start.env.get("PATH") ?? "").split(delimiter).filter((one) => one !== "");
  const places = program.includes("/")
    ? [isAbsolute(program) ? program : join(start.workingDirectory, program)]
    : folders.map((folder) => join(folder, program));
  for (const place of places) {
    if (program !== "" && (await isProgram(place))) return place;
  }
  return undefined;
}

const isProgram = (path: string): Promise<boolean> =>
  Promise.all([access(path, fsConstants.X_OK), stat(path)]).then(
    ([, found]) => found.isFile(),
    () => false,
  );

export class LocalRun implements ContainerRun {
  readonly done: Promise<ContainerEnd>;
  readonly first: StartedPid | undefined;
  readonly #mark: string;
  readonly #platform: NodeJS.Platform;
  readonly #child: ChildProcess;
  readonly #guests = new Map<ChildProcess, StartedPid>();
  #reason: "OOMKilled" | undefined;
  #begun: ReturnType<Watchdog["watch"]> | undefined;

  /** `id` is unique in the sandbox. */
  constructor(
    start: ProgramStart,
    id: string,
    log: LogWriter,
    watchdog: Watchdog,
    { hasInput, platform }: { readonly hasInput: boolean; readonly platform: NodeJS.Platform },
  ) {
    const [program = "", ...args] = start.command;
    this.#platform = platform;
    this.#mark = `${watchdog.mark[markName] ?? ""}.${id}`;
    const child = spawn(program, args, {
      cwd: start.workingDirectory,
      env: { ...Object.fromEntries(start.env), [markName]: this.#mark },
      stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    this.first = identityOf(child.pid, platform);
    if (this.first !== undefined) this.#begun = watchdog.watch(this.first);
    child.stdin?.on("error", () => undefined);
    child.stdout?.on("data", (chunk: Buffer) => {
      log.write("stdout", chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      log.write("stderr", chunk);
    });
    this.done = this.#follow(child, log);
  }

  terminate(): void {
    // Safe after the end: Node does not signal a reaped child.
    this.#child.kill("SIGTERM");
  }

  kill(reason?: "OOMKilled"): void {
    this.#reason ??= reason;
    this.#child.kill("SIGKILL");
  }

  /** The first process, for `attach`. */
  get firstChild(): ChildProcess {
    return this.#child;
  }

  /** Starts another command in the container; it ends with the container. */
  start(start: ProgramStart): ChildProcess {
    const [program = "", ...args] = start.command;
    const child = spawn(program, args, {
      cwd: start.workingDirectory,
      env: { ...Object.fromEntries(start.env), [markName]: this.#mark },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    const guest = identityOf(child.pid, this.#platform);
    if (guest !== undefined) {
      this.#guests.set(child, guest);
      child.once("close", () => this.#guests.delete(child));
    }
    return child;
  }

  /** Kills a command that `start` began, with its descendants. */
  async end(child: ChildProcess): Promise<void> {
    const guest = this.#guests.get(child);
    if (guest === undefined) return;
    const rows = processesOf(guest, await listProcesses(this.#platform));
    for (const row of rows) signalPid(row, "SIGKILL", this.#platform);
  }

  /** True if a process of the container listens on this port of the machine's loopback address. */
  async isServedOnLoopback(port: number): Promise<boolean> {
    const own = await this.#marked();
    return isServedOnLoopback(
      own.map(({ pid }) => pid),
      port,
    );
  }

  async #follow(child: ChildProcess, log: LogWriter): Promise<ContainerEnd> {
    // `close` fires when no process of the container has the pipes open any more.
    const closed = new Promise<void>((resolve) =>
      child.once("close", () => {
        resolve();
      }),
    );
    const exitCode = await new Promise<number>((resolve) => {
      child.once("error", () => {
        resolve(startErrorCode);
      });
      child.once("exit", (code, signal) => {
        resolve(code ?? signalBase + (signal === null ? 0 : constants.signals[signal]));
      });
    });
    // As in a real container, the end of the first process kills all others.
    await this.#killRest();
    if (child.pid !== undefined) await closed;
    this.#begun?.dispose();
    log.dispose();
    return { exitCode, reason: this.#reason };
  }

  async #killRest(): Promise<void> {
    for (;;) {
      const rows = await listProcesses(this.#platform);
      const roots = [this.first, ...this.#guests.values()].filter((root) => root !== undefined);
      const own = roots.flatMap((root) => processesOf(root, rows));
      const found = new Map([...own, ...(await this.#marked())].map((one) => [one.pid, one]));
      if (found.size === 0) return;
      for (const one of found.values()) signalPid(one, "SIGKILL", this.#platform);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /**
   * Finds the processes with the container's mark in their environment, even after they left its session and lost their
   * parent. Empty on systems other than Linux.
   */
  async #marked(): Promise<readonly StartedPid[]> {
    if (this.#platform !== "linux") return [];
    const pids = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name)).map(Number);
    const wanted = `${markName}=${this.#mark}`;
    const found = await Promise.all(
      pids.map((pid) =>
        readFile(`/proc/${pid}/environ`, "latin1").then(
          (text) => text.includes(wanted),
          () => false,
        ),
      ),
    );
    return pids
      .filter((_, index) => found[index] === true)
      .flatMap((pid) => identityOf(pid, this.#platform) ?? []);
  }
}

const startErrorCode = 128;
/** A program that a signal ended has the exit code 128 + signal number, as in shells. */
const signalBase = 128;
