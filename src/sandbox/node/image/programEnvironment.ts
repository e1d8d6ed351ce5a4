import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment for local programs. A workspace must not choose the programs that run or the code that Python
 * loads. So PATH loses entries that are relative, empty or below an untrusted folder, and Python's variables are
 * removed.
 */
export function programEnvironment(
  environment: Variables,
  untrusted: readonly string[],
): Variables {
  const folders = untrusted.flatMap((folder) => [folder, realPath(folder)]);
  const isOutside = (entry: string): boolean =>
    [entry, realPath(entry)].every((path) => !folders.some((folder) => isWithin(path, folder)));
  const path = absoluteEntries(environment["PATH"] ?? environment["Path"])
    .filter(isOutside)
    .join(delimiter);
  const others = Object.entries(environment).filter(([name]) => !/^(?:PYTHON.*|PATH)$/i.test(name));
  return { ...Object.fromEntries(others), ...(path === "" ? {} : { PATH: path }) };
}

/** Returns the absolute path of a program on the PATH; undefined if there is none. */
export function programOnPath(name: string, { PATH }: Variables): string | undefined {
  return absoluteEntries(PATH)
    .map((entry) => join(entry, name))
    .find(isProgram);
}

/** Working directory for programs that load files from it. Only the system can write to this folder. */
export const neutralFolder = "/";

const absoluteEntries = (path: string | undefined): readonly string[] =>
  (path ?? "").split(delimiter).filter((entry) => isAbsolute(entry));

function isWithin(path: string, folder: string): boolean {
  const pathInside = relative(folder, path);
  return pathInside === "" || (!/^\.\.(?:[/\\]|$)/.test(pathInside) && !isAbsolute(pathInside));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // The file is missing or not executable.
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A missing path has no symbolic links.
    return path;
  }
}
