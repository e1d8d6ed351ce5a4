import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { systemCode } from "../../io/systemCode.ts";
import { CodeFailure, type SizedFile } from "./codeFailure.ts";
import { readStableFile } from "./stableFile.ts";

/** `outside`: a symbolic link to a target outside the workspace folder. */
export type TreeEntry = "file" | "folder" | "outside";

/** Read access to the files in a workspace folder. Paths are absolute. Tests use a tree in memory. */
export interface CodeTree {
  readonly root: string;
  /** Returns the entries, sorted by name. Empty if the folder cannot be read. */
  entries(folder: string): Promise<ReadonlyMap<string, TreeEntry>>;
  /** Resolves symbolic links in the folder's path, so that callers can detect loops. */
  realFolder(folder: string): Promise<string>;
  /** Returns the content; undefined if the file cannot be read. */
  read(path: string): Promise<Buffer | undefined>;
}

/**
 * Returns the tree of a folder on disk. Reads each folder and each file at most once. `read` throws a TreeTooLarge if
 * the total size of all files read exceeds `maxBytes`.
 */
export function diskTree(root: string, maxBytes: number): CodeTree {
  const listed = new Map<string, Promise<ReadonlyMap<string, TreeEntry>>>();
  const files = new Map<string, Promise<Buffer | undefined>>();
  const realRoot = realpath(root).catch(() => root);
  const sizes: SizedFile[] = [];
  let total = 0;
  const read = async (path: string): Promise<Buffer | undefined> => {
    try {
      const { bytes } = await readStableFile(path, (size) => {
        total += size;
        sizes.push({ path, size });
        if (total > maxBytes) throw new TreeTooLarge(sizes);
      });
      return bytes;
    } catch (error) {
      if (!(error instanceof CodeFailure)) throw error;
      return undefined;
    }
  };
  return {
    root,
    entries: (folder) => memoized(listed, folder, () => listFolder(folder, realRoot)),
    realFolder: (folder) => realpath(folder).catch(() => folder),
    read: (path) => memoized(files, path, () => read(path)),
  };
}

/** Thrown if the total size of all files read exceeds the limit. `files`: the files that were read. */
export class TreeTooLarge extends Error {
  readonly files: readonly SizedFile[];

  constructor(files: readonly SizedFile[]) {
    super("too large");
    this.files = files;
  }
}

async function listFolder(
  folder: string,
  realRoot: Promise<string>,
): Promise<ReadonlyMap<string, TreeEntry>> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    found.sort((a, b) => (a.name < b.name ? -1 : 1));
    const entries = new Map<string, TreeEntry>();
    for (const item of found) {
      if (item.isFile()) entries.set(item.name, "file");
      else if (item.isDirectory()) entries.set(item.name, "folder");
      else if (item.isSymbolicLink()) {
        const kind = await kindOfLink(join(folder, item.name), await realRoot);
        if (kind !== undefined) entries.set(item.name, kind);
      }
    }
    return entries;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return new Map();
  }
}

/**
 * Returns the kind of a link's target. Undefined for a broken link and for a link to anything but a file or a folder.
 */
async function kindOfLink(path: string, realRoot: string): Promise<TreeEntry | undefined> {
  try {
    const target = await realpath(path);
    if (!isBelow(target, realRoot)) return "outside";
    const found = await stat(target);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** True if the path is the folder or is inside it. Compares strings; does not resolve symbolic links. */
export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Returns the path relative to the folder, with `/` as separator; empty for the folder itself. */
export const pathBelow = (path: string, folder: string): string =>
  relative(folder, path).split(sep).join("/");

function memoized<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}
