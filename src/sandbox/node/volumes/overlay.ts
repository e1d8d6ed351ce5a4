// The folder that represents a container's root: links to its mounts and to files of its image.
import { mkdir, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { partsOf, PathRefused } from "./containedFiles.ts";

/** A mount: the container sees `source` at `path`. */
export interface Shown {
  readonly path: string;
  /** Absolute path on this machine. */
  readonly source: string;
}

interface Tree {
  source: string | undefined;
  readonly below: Map<string, Tree>;
}

/**
 * Creates links below `root` so that each source appears at its path. A mount that contains another mount becomes a
 * folder of links to its current entries, because a link to the inner mount must not be created in the outer source.
 */
export async function makeOverlay(root: string, shown: readonly Shown[]): Promise<void> {
  const tree: Tree = { source: undefined, below: new Map() };
  for (const { path, source } of shown) {
    const parts = partsOf(path);
    if (parts.length === 0) throw new PathRefused("a volume cannot be mounted at /");
    let place = tree;
    for (const part of parts) {
      const next = place.below.get(part) ?? { source: undefined, below: new Map<string, Tree>() };
      place.below.set(part, next);
      place = next;
    }
    place.source = source;
  }
  await mkdir(root, { recursive: true, mode: 0o700 });
  await show(root, tree);
}

async function show(place: string, { source, below }: Tree): Promise<void> {
  if (source !== undefined) {
    for (const name of await readdir(source)) {
      if (!below.has(name)) await symlink(join(source, name), join(place, name));
    }
  }
  for (const [name, tree] of below) {
    const inner = tree.source ?? (await folderIn(source, name));
    const path = join(place, name);
    if (tree.below.size === 0 && inner !== undefined) {
      await symlink(inner, path);
      continue;
    }
    await mkdir(path, { mode: 0o700 });
    await show(path, { source: inner, below: tree.below });
  }
}

async function folderIn(source: string | undefined, name: string): Promise<string | undefined> {
  if (source === undefined) return undefined;
  const path = join(source, name);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? path : undefined;
}
