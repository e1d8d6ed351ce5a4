import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Returns the paths of the test files directly in a folder. */
export const testsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name));

// The longest file takes 5 minutes on two loaded cores. The limit stops a file that never ends.
const fileTimeoutMs = 1_200_000;

/** Runs test files one after the other, because they share the few cores of a cluster. Returns the exit code. */
export function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (files.length === 0) return Promise.resolve(0);
  const timeout = `--test-timeout=${fileTimeoutMs}`;
  const options = ["--test", "--test-reporter=spec", "--test-concurrency=1", timeout];
  const child = spawn(process.execPath, [...options, ...files], { stdio: "inherit", env });
  return new Promise((ended) => {
    child.once("exit", (code) => {
      ended(code ?? 1);
    });
  });
}
