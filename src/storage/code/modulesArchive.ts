import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { SentFile } from "../../spark/submit/code/sentCode.ts";
import { writeZip, type ZipMember } from "../zipWriter.ts";
import type { CodeTree } from "./codeTree.ts";
import type { ModuleFile } from "./importClosure.ts";
import type { LeftOut } from "./leftOut.ts";
import { WorkSlices } from "./slices.ts";

/**
 * Returns the archive of the modules; undefined if none can be read. The archive's name contains a hash of its content.
 */
export const modulesArchive = (
  tree: CodeTree,
  files: readonly ModuleFile[],
  leftOut: LeftOut,
): Promise<SentFile | undefined> => archiveOf(tree, files, leftOut, "modules", { kind: "modules" });

/** Returns the archive of a folder's files, named relative to the folder. Spark unpacks it under the folder's name. */
export const folderArchive = (
  tree: CodeTree,
  folder: string,
  files: readonly ModuleFile[],
  leftOut: LeftOut,
): Promise<SentFile | undefined> =>
  archiveOf(tree, files, leftOut, `folder-${folder}`, { kind: "folder", folder });

async function archiveOf(
  tree: CodeTree,
  files: readonly ModuleFile[],
  leftOut: LeftOut,
  prefix: string,
  role: SentFile["role"],
): Promise<SentFile | undefined> {
  const read: { readonly file: ModuleFile; readonly bytes: Buffer }[] = [];
  for (const file of files) {
    const bytes = await tree.read(file.path);
    if (bytes === undefined) leftOut.add(file.path, "unreadable");
    else read.push({ file, bytes });
  }
  if (read.length === 0) return undefined;
  const slices = new WorkSlices();
  const members = read.map(({ file, bytes }): ZipMember => ({ name: file.archiveName, bytes }));
  const zip = await writeZip([...foldersOf(files), ...members].sort(byName), slices);
  return {
    name: `${prefix}-${(await hashOf(zip, slices)).slice(0, 12)}.zip`,
    size: zip.length,
    isExecutable: false,
    role,
    content: { kind: "inline", base64: await inBase64(zip, slices) },
    members: read.map(({ file, bytes }) => ({
      name: file.archiveName,
      path: file.path,
      size: bytes.length,
      reason: file.reason,
    })),
  };
}

/**
 * Returns an archive member for each folder of the files. Before 3.13, Python finds a package without `__init__.py`
 * only if its folder is a member.
 */
function foldersOf(files: readonly ModuleFile[]): readonly ZipMember[] {
  const folders = new Set<string>();
  for (const { archiveName } of files) {
    let at = archiveName.indexOf("/");
    for (; at >= 0; at = archiveName.indexOf("/", at + 1)) {
      folders.add(archiveName.slice(0, at + 1));
    }
  }
  return [...folders].map((name) => ({ name, bytes: Buffer.alloc(0) }));
}

const byName = (a: ZipMember, b: ZipMember): number => (a.name < b.name ? -1 : 1);

const chunkBytes = 3 * 256 * 1024;

async function hashOf(bytes: Buffer, slices: WorkSlices): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    hash.update(bytes.subarray(at, at + chunkBytes));
    await slices.rest();
  }
  return hash.digest("hex");
}

// Yields to the event loop between chunks. Each chunk is a multiple of three bytes, so the parts join without padding.
export async function inBase64(bytes: Buffer, slices: WorkSlices): Promise<string> {
  let text = "";
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    text += bytes.toString("base64", at, Math.min(at + chunkBytes, bytes.length));
    await slices.rest();
  }
  return text;
}

/**
 * Returns the archive name of a file inside a sent package's folder; undefined for other files. `packageFolder` returns
 * the archive name of a package's folder.
 */
export function nameInPackage(
  path: string,
  root: string,
  packageFolder: (folder: string) => string | undefined,
): string | undefined {
  for (let at = dirname(path); at !== root && at !== dirname(at); at = dirname(at)) {
    const name = packageFolder(at);
    if (name !== undefined) return `${name}${path.slice(at.length).replaceAll("\\", "/")}`;
  }
  return undefined;
}
