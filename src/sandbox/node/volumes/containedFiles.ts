// Writes below a folder and nowhere else, whatever a path says and whatever links a program has put in the way.
import { lstat, mkdir, open, realpath, symlink } from "node:fs/promises";
import { constants } from "node:fs";
import { join, posix, sep } from "node:path";

/** A path of a pod that would lead out of its place. */
export class PathRefused extends Error {
  override readonly name = "PathRefused";
}

/** The parts of a container's path; `..` ends at its root, as in a real container. */
export const partsOf = (path: string): readonly string[] =>
  posix
    .normalize(`/${path}`)
    .split("/")
    .filter((part) => part !== "");

/** Makes the folder `parts` below `root` and all between. A link on the way is refused. */
export async function makeFolder(root: string, parts: readonly string[]): Promise<string> {
  let folder = root;
  for (const part of parts) {
    if (part === ".." || part === "." || part.includes("/") || part.includes("\0")) {
      throw new PathRefused(`"${part}" is not the name of a file`);
    }
    folder = join(folder, part);
    const found = await lstat(folder).catch(ignoreAbsent);
    if (found === undefined) await mkdir(folder, { mode: 0o700 });
    else if (!found.isDirectory()) {
      throw new PathRefused(`"${part}" is ${found.isSymbolicLink() ? "a link" : "no folder"}`);
    }
  }
  return folder;
}

/** Writes a new file; one that is there is written anew only when it is a plain file. */
export async function writeContained(root: string, path: string, bytes: Uint8Array): Promise<void> {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) throw new PathRefused("a file without a name");
  const folder = await makeFolder(root, parts.slice(0, -1));
  const name = parts.at(-1) ?? "";
  if (name === ".." || name.includes("\0"))
    throw new PathRefused(`"${name}" is not the name of a file`);
  const { O_CREAT, O_WRONLY, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(join(folder, name), O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

/** A link at `parts` below `root` to `target`; what lies there already is refused. */
export async function linkContained(
  root: string,
  parts: readonly string[],
  target: string,
): Promise<void> {
  const folder = await makeFolder(root, parts.slice(0, -1));
  const name = parts.at(-1);
  if (name === undefined) throw new PathRefused("nothing can be mounted at /");
  await symlink(target, join(folder, name));
}

/** The folder below `root` that a sub-path names, made when it is not there. */
export async function subFolder(root: string, subPath: string): Promise<string> {
  const parts = subPath.split("/").filter((part) => part !== "" && part !== ".");
  if (subPath.startsWith("/") || parts.includes("..")) {
    throw new PathRefused(`subPath "${subPath}" must be relative and must not hold ".."`);
  }
  const folder = join(root, ...parts);
  const found = await lstat(folder).catch(ignoreAbsent);
  // A program may have put links into its volume: where they lead must still be inside of it.
  if (found === undefined) return makeFolder(root, parts);
  const [real, realRoot] = await Promise.all([realpath(folder), realpath(root)]);
  if (real !== realRoot && !real.startsWith(realRoot + sep)) {
    throw new PathRefused(`subPath "${subPath}" leads out of its volume`);
  }
  return real;
}

function ignoreAbsent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
