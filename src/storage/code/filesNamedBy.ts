import { dirname } from "node:path";
import { pathBelow, isBelow, type CodeTree } from "./codeTree.ts";
import { includedFiles } from "./includedFiles.ts";
import type { LeftOut } from "./leftOut.ts";
import { stateOfFile } from "./stableFile.ts";

/** A data file. `place`: its path relative to the program's working directory, with `/` as separator. */
export interface PlacedFile {
  readonly path: string;
  readonly place: string;
  /** The pattern that includes it, or the source file or the arguments that name it. */
  readonly reason: string;
}

/** Maximum total size in bytes of the files that are sent only because a program names them. */
const maxNamedBytes = 16 * 1024 * 1024;

/**
 * Returns the data files that `paths` name. Looks up each path in the workspace folder and in the program's folder, as
 * both are common working directories. On the cluster, the program then finds them by the same relative path. `paths`
 * maps each path to its source: a file or the arguments.
 */
export async function filesNamedBy(
  tree: CodeTree,
  program: string,
  paths: ReadonlyMap<string, string>,
  leftOut: LeftOut,
  signal: AbortSignal,
): Promise<readonly PlacedFile[]> {
  const files: PlacedFile[] = [];
  const known = new Set<string>();
  let total = 0;
  for (const base of new Set([tree.root, dirname(program)])) {
    if (base !== tree.root && !isBelow(base, tree.root)) continue;
    const entries = await tree.entries(base);
    const below = base === tree.root ? "" : `${pathBelow(base, tree.root)}/`;
    const patterns = [...paths.keys()].filter((text) => entries.has(text.split("/")[0] ?? ""));
    const found = await includedFiles(
      tree,
      patterns.map((text) => below + text),
      leftOut,
      signal,
    );
    for (const { path, pattern } of found) {
      const place = pathBelow(path, base);
      if (path.endsWith(".py") || known.has(place)) continue;
      const { size } = await stateOfFile(path);
      if (total + size > maxNamedBytes) {
        leftOut.add(path, "large");
        continue;
      }
      total += size;
      known.add(place);
      const namer = paths.get(pattern.slice(below.length)) ?? program;
      const reason = isBelow(namer, tree.root) ? pathBelow(namer, tree.root) : namer;
      files.push({ path, place, reason });
    }
  }
  return files;
}

/**
 * Groups files by the top-level folder of their relative path. Skips files that are not in a folder, and folders whose
 * name is not allowed in a URI.
 */
export function byFolder(files: readonly PlacedFile[]): ReadonlyMap<string, readonly PlacedFile[]> {
  const folders = new Map<string, PlacedFile[]>();
  for (const file of files) {
    const end = file.place.indexOf("/");
    const folder = file.place.slice(0, Math.max(0, end));
    // Skip other names, because the folder's name becomes the fragment of a URI.
    if (!/^\w[\w.-]*$/.test(folder)) continue;
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return folders;
}
