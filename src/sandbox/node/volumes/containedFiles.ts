// Writes only below a folder, even if a path contains ".." or a program has created symbolic links.
import { lstat, mkdir, open, realpath } from "node:fs/promises";
import { constants } from "node:fs";
import { join, posix, sep } from "node:path";

/** Thrown for a path that is invalid or leads outside its folder. */
export class PathRefused extends Error {
  override readonly name = "PathRefused";
}

/** Splits a container path into its segments. `..` at the root has no effect, as in a real container. */
export const partsOf = (path: string): readonly string[] =>
  posix
    .normalize(`/${path}`)
    .split("/")
    .filter((part) => part !== "");

/**
 * Creates nested folders below `root`, unless they exist, and returns the innermost one. Throws a PathRefused for `..`
 * and other invalid names, and for a symbolic link or a file in place of a folder.
 */
export async function makeFolder(root: string, parts: readonly string[]): Promise<string> {
  let folder = root;
  for (const part of parts) {
    if (part === ".." || part === "." || part.includes("/") || part.includes("\0")) {
      throw new PathRefused(`"${part}" is not a valid file name`);
    }
    folder = join(folder, part);
    const found = await lstat(folder).catch(ignoreAbsent);
    if (found === undefined) await mkdir(folder, { mode: 0o700 });
    else if (!found.isDirectory()) {
      throw new PathRefused(
        `"${part}" is ${found.isSymbolicLink() ? "a symbolic link" : "not a directory"}`,
      );
    }
  }
  return folder;
}

/** Writes a file below `root`, replacing an existing one. Throws if a part of the path is a symbolic link or `..`. */
export async function writeContained(
  root: string,
  path: string,
  bytes: Uint8Array,
  isExecutable = false,
): Promise<void> {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) throw new PathRefused("the file name is empty");
  const folder = await makeFolder(root, parts.slice(0, -1));
  const name = parts.at(-1) ?? "";
  if (name === ".." || name.includes("\0"))
    throw new PathRefused(`"${name}" is not a valid file name`);
  const mode = isExecutable ? 0o700 : 0o600;
  const { O_CREAT, O_WRONLY, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(join(folder, name), O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW, mode);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

/** Finds or creates the folder of a subPath, and returns its path. Throws a PathRefused if it is outside `root`. */
export async function subFolder(root: string, subPath: string): Promise<string> {
  const parts = subPath.split("/").filter((part) => part !== "" && part !== ".");
  if (subPath.startsWith("/") || parts.includes("..")) {
    throw new PathRefused(`subPath "${subPath}" must be relative and must not contain ".."`);
  }
  const folder = join(root, ...parts);
  const found = await lstat(folder).catch(ignoreAbsent);
  // A program may have created links in its volume: their targets must be inside the volume.
  if (found === undefined) return makeFolder(root, parts);
  const [real, realRoot] = await Promise.all([realpath(folder), realpath(root)]);
  if (real !== realRoot && !real.startsWith(realRoot + sep)) {
    throw new PathRefused(`subPath "${subPath}" is outside its volume`);
  }
  return real;
}

function ignoreAbsent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
