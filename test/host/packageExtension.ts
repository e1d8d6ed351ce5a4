// Builds the .vsix that the tests install, unless it is newer than all its source files.
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { makePackage, packageSources } from "../../src/build/package/makePackage.ts";
import { outFolder, projectRoot, vsixFile } from "./places.ts";
import { takeTurns } from "./takeTurns.ts";

export async function packageExtension(): Promise<string> {
  if (!existsSync(join(projectRoot, "dist/extension.cjs"))) {
    throw new Error("There is no dist/extension.cjs: run `npm run build` first.");
  }
  await takeTurns(join(outFolder, "package.lock"), async () => {
    const packed = existsSync(vsixFile) ? (await stat(vsixFile)).mtimeMs : 0;
    if ((await youngest(packageSources)) >= packed) {
      await makePackage(projectRoot, vsixFile);
    }
  });
  return vsixFile;
}

async function youngest(names: readonly string[]): Promise<number> {
  const times = await Promise.all(names.map((name) => timeOf(join(projectRoot, name))));
  return Math.max(...times);
}

async function timeOf(path: string): Promise<number> {
  if (!existsSync(path)) return 0;
  const { mtimeMs } = await stat(path);
  const inside = await readdir(path, { recursive: true }).catch(() => []);
  const times = await Promise.all(
    inside.map(async (name) => (await stat(join(path, name))).mtimeMs),
  );
  return Math.max(mtimeMs, ...times);
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? "")).href) {
  console.log(await packageExtension());
}
