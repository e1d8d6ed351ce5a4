import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  driverModule,
  driverModuleText,
  executorModule,
  executorModuleText,
} from "../../spark/submit/debug/pythonPrograms.ts";
import { tarArchive, type ArchivedFile } from "./tarArchive.ts";

/** Maximum size in bytes. debugpy has 12 MB without native libraries, so a larger folder has other content. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Returns an archive of the parts of debugpy that run on Linux without native libraries, and of the modules that start
 * it. `folder`: the folder of the package `debugpy`. Throws a RangeError if it is too large.
 */
export async function debuggerArchive(folder: string): Promise<Buffer> {
  const names = (await readdir(folder, { recursive: true })).map((name) =>
    name.replaceAll("\\", "/"),
  );
  const files: ArchivedFile[] = [];
  let size = 0;
  for (const name of names.filter(isNeeded).sort()) {
    const bytes = await readFile(join(folder, name));
    size += bytes.length;
    if (size > maxBytes) throw new RangeError(`"${folder}" is too large for debugpy`);
    files.push({ name: `debugpy/${name}`, bytes });
  }
  return tarArchive([...files, ...ownModules]);
}

const ownModules: readonly ArchivedFile[] = [
  { name: `${executorModule}.py`, bytes: Buffer.from(executorModuleText) },
  { name: `${driverModule}.py`, bytes: Buffer.from(driverModuleText) },
];

/**
 * Hash of the extension's own modules in the archive. Names of cached archives contain it, so that an update of these
 * modules creates a new archive.
 */
export const ownModulesId = createHash("sha256")
  .update(executorModuleText)
  .update(driverModuleText)
  .digest("hex")
  .slice(0, 8);

const attaching = "pydevd_attach_to_process/";

/**
 * True for Python sources, except those that attach to a process id, and for one native library. Attaching needs native
 * libraries, and Python 3.10 and 3.11 warn if this one is missing.
 */
const isNeeded = (name: string): boolean =>
  name.includes(attaching)
    ? name.endsWith(`${attaching}attach_linux_amd64.so`)
    : name.endsWith(".py");

/** Returns the version of the package `debugpy`; undefined if the folder does not contain it. */
export async function debugpyVersion(folder: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(folder, "_version.py"), "utf8");
    return /"version": "(\d+(?:\.\w+)*)"/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}
