import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { runInstaller } from "../runInstaller.ts";

/** The version of debugpy to download. It supports Python 3.8 to 3.13; later versions of debugpy need Python 3.10. */
export const pinnedVersion = "1.8.20";
/** SHA-256 of `debugpy-1.8.20-py2.py3-none-any.whl`. */
const pinnedHash = "5be9bed9ae3be00665a06acaa48f8329d2b9632f15fd09f6a9a8c8d9907e54d7";

export interface InstallOptions {
  /** Names or paths of Python interpreters, tried in this order until one installs debugpy. */
  readonly pythons: readonly string[];
  /** Environment of pip, which reads its index, proxies and home folder from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Installs the pinned debugpy into the folder, with the user's pip and its configured index. pip verifies the hash.
 * Returns the folder of the package, or the reason why the installation failed.
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
    const end = await runInstaller(
      python,
      [
        // Isolated: Python does not load a "pip.py" from the working directory or PYTHONPATH.
        ...["-I", "-m", "pip"],
        ...["install", "--target", target, "--no-input", "--disable-pip-version-check"],
        ...["--no-deps", "--no-compile", "--require-hashes", "--requirement", requirements],
        // Select the wheel without native libraries, which supports every platform.
        ...["--only-binary", ":all:", "--platform", "any", "--implementation", "py"],
        ...["--abi", "none"],
      ],
      { cwd: folder, environment },
      signal,
    );
    if (end.kind === "done") return ok(join(target, "debugpy"));
    if (end.kind === "failed") failure = lastError(end.output) ?? "pip failed";
  }
  return err(failure);
}

const lastError = (errors: string): string | undefined =>
  errors
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith("ERROR"))
    .at(-1);
