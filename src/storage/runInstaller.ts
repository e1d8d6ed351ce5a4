import { spawn } from "node:child_process";
import { abortError } from "../io/abort.ts";

export type InstallerEnd =
  | { readonly kind: "done" }
  /** The program does not exist, or it is a Python interpreter without pip. */
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly output: string };

export interface InstallerPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const maxOutput = 16 * 1024;

/**
 * Runs a program without a shell. `output` is the end of its stderr, or the reason why it did not start. Rejects with
 * an AbortError when `signal` aborts.
 */
export function runInstaller(
  program: string,
  args: readonly string[],
  { cwd, environment }: InstallerPlace,
  signal: AbortSignal,
): Promise<InstallerEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
      windowsHide: true,
      signal,
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-maxOutput);
    });
    child.once("error", (error) => {
      if (signal.aborted) reject(abortError());
      else if ("code" in error && error.code === "ENOENT") resolve({ kind: "missing" });
      else resolve({ kind: "failed", output: error.message });
    });
    child.once("close", (code) => {
      if (signal.aborted) reject(abortError());
      else if (code === 0) resolve({ kind: "done" });
      else if (/No module named pip/.test(output)) resolve({ kind: "missing" });
      else resolve({ kind: "failed", output: output || `exit code ${String(code)}` });
    });
  });
}
