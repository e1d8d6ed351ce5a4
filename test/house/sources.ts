import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** A file of the project. Its path is relative to the root, with slashes on all platforms. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

const notOurs = new Set([".git", "node_modules", "dist", "out", ".chromium"]);

/** Returns the sorted paths of the files below a folder, without dependencies and build output. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(projectRoot, folder), { withFileTypes: true });
  const lists = entries.map(async (entry) => {
    const path = join(folder, entry.name).replaceAll("\\", "/");
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !notOurs.has(entry.name) ? listFiles(path) : [];
  });
  return (await Promise.all(lists)).flat().sort();
}

export async function readSources(folder: string, suffix: string): Promise<readonly Source[]> {
  const paths = (await listFiles(folder)).filter((path) => path.endsWith(suffix));
  return Promise.all(paths.map(async (path) => ({ path, text: await readText(path) })));
}

export const readText = (path: string): Promise<string> =>
  readFile(join(projectRoot, path), "utf8");

/** Returns the target of a relative import in the file `from`, as a path from the root. */
export const resolveImport = (from: string, specifier: string): string =>
  relative(projectRoot, resolve(projectRoot, dirname(from), specifier)).replaceAll("\\", "/");
