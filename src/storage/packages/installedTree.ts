// Lists the files and packages in the folder that an installer filled.
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { packagesOfSpark } from "../../spark/submit/packages/missingPackages.ts";
import type { ArchivedPackage } from "../../spark/submit/packages/packageArchive.ts";
import { normalizedName } from "../../spark/submit/packages/requirement.ts";

export interface InstalledFile {
  /** Path relative to the folder, with `/` as separator. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly isExecutable: boolean;
}

export interface InstalledTree {
  /** Sorted by name. */
  readonly files: readonly InstalledFile[];
  readonly packages: readonly ArchivedPackage[];
}

const folderNames = new Set(["pyspark", "py4j"]);

/**
 * Deletes the scripts in `bin`, which would start this machine's Python. Returns the other files, without compiled
 * modules and without Spark's own packages.
 */
export async function installedTree(folder: string): Promise<InstalledTree> {
  await rm(join(folder, "bin"), { recursive: true, force: true });
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: InstalledFile[] = [];
  for (const entry of names) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    if (name.includes("__pycache__/") || name === ".lock" || isOfSpark(name)) continue;
    const { size, mode } = await stat(path);
    files.push({ name, path, size, isExecutable: (mode & 0o111) !== 0 });
  }
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { files, packages: await packagesOf(files) };
}

function isOfSpark(name: string): boolean {
  const [top = ""] = name.split("/");
  const distribution = /^(.+?)-[^-]+\.dist-info$/.exec(top)?.[1];
  return distribution === undefined
    ? folderNames.has(top)
    : packagesOfSpark.includes(normalizedName(distribution));
}

/** Returns each distribution with the total size in bytes of the files in its RECORD, sorted by name. */
async function packagesOf(files: readonly InstalledFile[]): Promise<readonly ArchivedPackage[]> {
  const sizes = new Map(files.map(({ name, size }) => [name, size]));
  const packages: ArchivedPackage[] = [];
  for (const { name, path } of files) {
    const [, distribution, version] = /^(.+?)-([^-/]+)\.dist-info\/RECORD$/.exec(name) ?? [];
    if (distribution === undefined || version === undefined) continue;
    const rows = (await readFile(path, "utf8")).split("\n");
    const size = rows.reduce((sum, row) => {
      const [, quoted, plain] = /^(?:"([^"]*)"|([^,]*)),/.exec(row) ?? [];
      return sum + (sizes.get(quoted ?? plain ?? "") ?? 0);
    }, 0);
    packages.push({ name: normalizedName(distribution), version, size });
  }
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}
