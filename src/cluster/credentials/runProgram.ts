import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { DisposableStore } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { abortError, onAbort } from "../../io/abort.ts";
import { ByteStore } from "../bytes/byteStore.ts";
import { deadline } from "../../io/deadline.ts";
import { systemCode } from "../../io/systemCode.ts";
import type { ProxyEnvironment } from "../../io/proxy/proxyOfEnvironment.ts";

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ProxyEnvironment;
}

export type ProgramEnd =
  | {
      readonly kind: "ended";
      /** Undefined if a signal ended the program. */
      readonly exitCode: number | undefined;
      readonly output: string;
      readonly errorOutput: string;
    }
  | { readonly kind: "notStarted"; readonly code: string }
  | { readonly kind: "tooLate"; readonly errorOutput: string }
  | { readonly kind: "tooMuchOutput" };

const maxOutput = 1 << 20;
const maxErrorOutput = 16 << 10;

/**
 * Runs a program without standard input. Kills its process tree after `limitMs`. Rejects with an AbortError and kills
 * the tree if `signal` aborts.
 */
export function runProgram(
  program: Program,
  limitMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError());
      return;
    }
    const child = trySpawn(program);
    if (typeof child === "string") {
      resolve({ kind: "notStarted", code: child });
      return;
    }
    const output = new ByteStore(maxOutput);
    let errorOutput = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      // Keep the end of the output, because the cause is usually there.
      errorOutput = (errorOutput + text).slice(-maxErrorOutput);
    });
    const owned = new DisposableStore();
    const settle = (): void => {
      owned.dispose();
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const finish = (end: ProgramEnd): void => {
      settle();
      resolve(end);
    };
    const onEnd = (code: number | null): void => {
      finish({
        kind: "ended",
        exitCode: code ?? undefined,
        output: output.take().toString(),
        errorOutput,
      });
    };

    child.stdout.on("data", (chunk: Buffer) => {
      output.add(chunk);
      if (!output.hasOverflowed) return;
      endTree(child, clock);
      finish({ kind: "tooMuchOutput" });
    });
    child.on("error", (error) => {
      finish({ kind: "notStarted", code: systemCode(error) ?? error.message });
    });
    child.on("close", onEnd);
    // An orphaned child process may keep stdout open, so do not wait long for "close".
    child.on("exit", (code) => {
      owned.add(
        deadline(clock, 2_000, () => {
          onEnd(code);
        }),
      );
    });
    owned.add(
      deadline(clock, limitMs, () => {
        endTree(child, clock);
        finish({ kind: "tooLate", errorOutput });
      }),
    );
    owned.add(
      onAbort(signal, () => {
        endTree(child, clock);
        settle();
        reject(abortError());
      }),
    );
  });
}

/** Starts the program. Returns the system error code if `spawn` throws, for example for a name with a NUL. */
function trySpawn({
  command,
  args,
  env,
}: Program): ChildProcessByStdio<null, Readable, Readable> | string {
  try {
    return spawn(command, args, {
      env,
      stdio: ["ignore", "pipe", "pipe"],
      // In its own process group, the program can be killed with its children and has no terminal for prompts.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

function endTree({ pid }: ChildProcess, clock: Clock): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
      "error",
      () => undefined,
    );
    return;
  }
  signalGroup(pid, "SIGTERM");
  deadline(clock, 1_000, () => {
    signalGroup(pid, "SIGKILL");
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The process has already exited.
    if (systemCode(error) !== "ESRCH") throw error;
  }
}
