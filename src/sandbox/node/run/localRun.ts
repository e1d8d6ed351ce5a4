// A container as local processes: one that begins, in a session of its own, and all that it starts.
import { spawn, type ChildProcess } from "node:child_process";
import { access, readdir, readFile, stat } from "node:fs/promises";
import { constants as fsConstants } from "node:fs";
import { constants } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { LogWriter } from "../logs/logFiles.ts";
import type { ContainerEnd, ContainerRun } from "./containerRun.ts";
import { listProcesses, processesOf } from "./pidTable.ts";
import { markName, type Watchdog } from "./watchdog.ts";

export interface ProgramStart {
  readonly command: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDirectory: string;
}

/** Undefined: there is no such program. */
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
  readonly pid: number | undefined;
  readonly #mark: string;
  readonly #platform: NodeJS.Platform;
  readonly #guests = new Set<number>();
  #reason: "OOMKilled" | undefined;
  #begun: ReturnType<Watchdog["watch"]> | undefined;

  /** `id` tells this container from all others of the sandbox. */
  constructor(
    start: ProgramStart,
    id: string,
    log: LogWriter,
    watchdog: Watchdog,
    platform: NodeJS.Platform,
  ) {
    const [program = "", ...args] = start.command;
    this.#platform = platform;
    this.#mark = `${watchdog.mark[markName] ?? ""}.${id}`;
    const child = spawn(program, args, {
      cwd: start.workingDirectory,
      env: { ...Object.fromEntries(start.env), [markName]: this.#mark },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.pid = child.pid;
    if (child.pid !== undefined) this.#begun = watchdog.watch(child.pid);
    child.stdout.on("data", (chunk: Buffer) => {
      log.write("stdout", chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      log.write("stderr", chunk);
    });
    this.done = this.#follow(child, log);
  }

  terminate(): void {
    if (this.pid !== undefined) send(this.pid, "SIGTERM");
  }

  kill(reason?: "OOMKilled"): void {
    this.#reason ??= reason;
    if (this.pid !== undefined) send(this.pid, "SIGKILL");
  }

  /** A command that somebody runs inside of it: it ends with the container. */
  start(start: ProgramStart): ChildProcess {
    const [program = "", ...args] = start.command;
    const child = spawn(program, args, {
      cwd: start.workingDirectory,
      env: { ...Object.fromEntries(start.env), [markName]: this.#mark },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    const { pid } = child;
    if (pid !== undefined) {
      this.#guests.add(pid);
      child.once("exit", () => this.#guests.delete(pid));
    }
    return child;
  }

  /** Ends a command and all that it has started. */
  async end(child: ChildProcess): Promise<void> {
    if (child.pid === undefined) return;
    const rows = processesOf(child.pid, await listProcesses(this.#platform));
    for (const { pid } of rows) send(pid, "SIGKILL");
  }

  async #follow(child: ChildProcess, log: LogWriter): Promise<ContainerEnd> {
    // The pipes stay open for as long as anything of the container holds them.
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
    // In a real container the first process takes all others along.
    await this.#killRest();
    if (child.pid !== undefined) await closed;
    this.#begun?.dispose();
    log.dispose();
    return { exitCode, reason: this.#reason };
  }

  async #killRest(): Promise<void> {
    for (;;) {
      const rows = await listProcesses(this.#platform);
      const roots = [this.pid, ...this.#guests].filter((pid) => pid !== undefined);
      const found = new Set(roots.flatMap((root) => processesOf(root, rows)).map(({ pid }) => pid));
      for (const pid of await this.#marked()) found.add(pid);
      if (found.size === 0) return;
      for (const pid of found) send(pid, "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Those that have left the session and lost their parent still carry the mark. */
  async #marked(): Promise<readonly number[]> {
    if (this.#platform !== "linux") return [];
    const pids = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name));
    const wanted = `${markName}=${this.#mark}`;
    const found = await Promise.all(
      pids.map((pid) =>
        readFile(`/proc/${pid}/environ`, "latin1").then(
          (text) => text.includes(wanted),
          () => false,
        ),
      ),
    );
    return pids.filter((_, index) => found[index] === true).map(Number);
  }
}

const startErrorCode = 128;
/** A shell's way to tell that a signal ended a program. */
const signalBase = 128;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
