import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { DisposableStore } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports.ts";
import { abortError, onAbort } from "../abort.ts";
import { ByteStore } from "../bytes/byteStore.ts";
import { deadline } from "../deadline.ts";
import { systemCode } from "../textFile.ts";
import type { Environment } from "../transport/proxy.ts";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
}

export type ProgramEnd =
  | {
      readonly kind: "ended";
      /** Undefined: ended by a signal. */
      readonly exitCode: number | undefined;
      readonly output: string;
      readonly errorOutput: string;
    }
  | { readonly kind: "notStarted"; readonly code: string }
  | { readonly kind: "tooLate"; readonly errorOutput: string }
  | { readonly kind: "tooMuchOutput" };

const longestOutput = 1 << 20;
const longestErrorOutput = 16 << 10;

/**
 * Runs a program that can read nothing from us and that ends, with all that it started, when `limitMs`
 * have passed or `signal` aborts.
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
    const output = new ByteStore(longestOutput);
    let errorOutput = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      // Its end is what tells why.
      errorOutput = (errorOutput + text).slice(-longestErrorOutput);
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
    // Something that the program left behind may keep its output open.
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

/** The system's code where what is to be run cannot even be tried: a name with a NUL in it, say. */
function trySpawn({
  command,
  args,
  env,
}: Program): ChildProcessByStdio<null, Readable, Readable> | string {
  try {
    return spawn(command, args, {
      env,
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own can be ended whole, and has no terminal to ask questions on.
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
    // Gone already.
    if (systemCode(error) !== "ESRCH") throw error;
  }
}
