import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";

/** The version of debugpy. It supports Python 3.8 to 3.13; later versions of debugpy need Python 3.10. */
export const pinnedVersion = "1.8.20";
/** SHA-256 of `debugpy-1.8.20-py2.py3-none-any.whl`. */
const pinnedHash = "5be9bed9ae3be00665a06acaa48f8329d2b9632f15fd09f6a9a8c8d9907e54d7";

export interface InstallOptions {
  /** Names or paths of Python interpreters, tried in this order until one installs the package. */
  readonly pythons: readonly string[];
  /** Environment of pip, which reads its index, proxies and home folder from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Installs the pinned debugpy into the folder, with the user's pip and its configured index. pip verifies the hash.
 * Returns the folder of the package. The error completes a sentence.
 */
export async function installDebugpy(
  folder: string,
  { pythons, environment }: InstallOptions,
  signal: AbortSignal,
): Promise<Result<string, string>> {
  const requirements = join(folder, "requirements.txt");
  const target = join(folder, "target");
  await writeFile(requirements, `debugpy==${pinnedVersion} --hash=sha256:${pinnedHash}\n`, {
    mode: 0o600,
  });
  let failure = "no Python interpreter with pip was found";
  for (const python of pythons) {
    const ended = await runPip(
      python,
      [
        ...["install", "--target", target, "--no-input", "--disable-pip-version-check"],
        ...["--no-deps", "--no-compile", "--require-hashes", "--requirement", requirements],
        // The wheel without native libraries, for every Python.
        ...["--only-binary", ":all:", "--platform", "any", "--implementation", "py"],
        ...["--abi", "none"],
      ],
      { cwd: folder, environment, signal },
    );
    if (ended.kind === "done") return ok(join(target, "debugpy"));
    if (ended.kind === "failed") failure = ended.words;
  }
  return err(failure);
}

type PipEnd =
  | { readonly kind: "done" }
  /** There is no such program, or it has no pip. */
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly words: string };

interface PipPlace {
  readonly cwd: string;
  readonly environment: InstallOptions["environment"];
  readonly signal: AbortSignal;
}

function runPip(
  python: string,
  args: readonly string[],
  { cwd, environment, signal }: PipPlace,
): Promise<PipEnd> {
  return new Promise((resolve, reject) => {
    // Isolated: does not load a "pip.py" from the working directory or PYTHONPATH.
    const child = spawn(python, ["-I", "-m", "pip", ...args], {
      cwd,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
      signal,
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4096);
    });
    child.once("error", (error) => {
      if (signal.aborted) reject(error);
      else resolve({ kind: "missing" });
    });
    child.once("close", (code) => {
      if (signal.aborted) reject(new DOMException("The download was canceled", "AbortError"));
      else if (code === 0) resolve({ kind: "done" });
      else if (/No module named pip/.test(errors)) resolve({ kind: "missing" });
      else
        resolve({ kind: "failed", words: lastError(errors) ?? `pip ended with ${String(code)}` });
    });
  });
}

const lastError = (errors: string): string | undefined =>
  errors
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith("ERROR"))
    .at(-1);
