import { once } from "node:events";
import { quotedWord } from "../../../base/quotedWord.ts";
import type { ExecCommand, ExecEnd, ExecStreams } from "../node.ts";
import { findProgram, type LocalRun, type ProgramStart } from "./localRun.ts";
import { followSizes } from "./terminalSize.ts";

/** Runs a command in a container, with the container's environment. Kills it and rejects if `signal` aborts. */
export async function execInside(
  run: LocalRun,
  start: ProgramStart,
  { tty, platform }: Pick<ExecCommand, "tty"> & { readonly platform: NodeJS.Platform },
  streams: ExecStreams,
  signal: AbortSignal,
): Promise<ExecEnd> {
  signal.throwIfAborted();
  if ((await findProgram(start)) === undefined) {
    const [program = ""] = start.command;
    const words = `exec: ${JSON.stringify(program)}: executable file not found in $PATH: unknown`;
    return {
      kind: "failed",
      message: `OCI runtime exec failed: exec failed: unable to start container process: ${words}`,
    };
  }
  const child = run.start(tty ? withTerminal(start, platform) : start);
  const end = (): void => void run.end(child);
  signal.addEventListener("abort", end, { once: true });
  child.stdout?.on("data", streams.stdout);
  child.stderr?.on("data", tty ? streams.stdout : streams.stderr);
  child.stdin?.on("error", () => undefined);
  void feed(child.stdin, streams.stdin);
  const over = new AbortController();
  if (tty && child.pid !== undefined)
    void followSizes(child.pid, streams.sizes, platform, over.signal);
  try {
    const [code, ending] = (await once(child, "close")) as [number | null, string | null];
    signal.throwIfAborted();
    return { kind: "exited", exitCode: code ?? (ending === "SIGKILL" ? 137 : 143) };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  } finally {
    over.abort();
    signal.removeEventListener("abort", end);
  }
}

/**
 * Connects a client with the first process of a container. Resolves with exit code 0 when the container ends. Rejects
 * if `signal` aborts; the process continues.
 */
export async function attachInside(
  run: LocalRun,
  { tty, platform }: Pick<ExecCommand, "tty"> & { readonly platform: NodeJS.Platform },
  streams: ExecStreams,
  signal: AbortSignal,
): Promise<ExecEnd> {
  signal.throwIfAborted();
  const { stdin, stdout, stderr, pid } = run.firstChild;
  const toErrors = tty ? streams.stdout : streams.stderr;
  stdout?.on("data", streams.stdout);
  stderr?.on("data", toErrors);
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  void pass(stdin, streams.stdin, ended);
  if (tty && pid !== undefined) void followSizes(pid, streams.sizes, platform, ended);
  try {
    await Promise.race([run.done, once(signal, "abort")]);
    signal.throwIfAborted();
    return { kind: "exited", exitCode: 0 };
  } finally {
    over.abort();
    stdout?.off("data", streams.stdout);
    stderr?.off("data", toErrors);
  }
}

async function pass(
  stdin: NodeJS.WritableStream | null,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  for await (const chunk of chunks) {
    if (stdin === null || signal.aborted) return;
    stdin.write(chunk);
  }
}

async function feed(
  stdin: NodeJS.WritableStream | null,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  if (stdin === null) return;
  try {
    for await (const chunk of chunks) if (!stdin.write(chunk)) await once(stdin, "drain");
  } catch {
    // The client disconnected or the command ended, so ignore the error.
  } finally {
    stdin.end();
  }
}

/** Wraps the command in `script`, because Node cannot create pseudoterminals. */
export function withTerminal(start: ProgramStart, platform: NodeJS.Platform): ProgramStart {
  const env = new Map([["TERM", "xterm"], ...start.env]);
  const command =
    platform === "linux"
      ? ["script", "-qefc", start.command.map(quotedWord).join(" "), "/dev/null"]
      : ["script", "-q", "/dev/null", ...start.command];
  return { ...start, command, env };
}
