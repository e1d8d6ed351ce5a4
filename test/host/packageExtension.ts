// Makes the .vsix that the tests install, unless it is younger than all that goes into it.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { node22, outFolder, projectRoot, vsixFile } from "./places.ts";
import { takeTurns } from "./takeTurns.ts";

const sources = ["dist", "media", "syntaxes", "package.json", "package.nls.json", ".vscodeignore"];

export async function packageExtension(): Promise<string> {
  if (!existsSync(join(projectRoot, "dist/extension.cjs"))) {
    throw new Error("There is no dist/extension.cjs: run `npm run build` first.");
  }
  await takeTurns(join(outFolder, "package.lock"), async () => {
    const packed = existsSync(vsixFile) ? (await stat(vsixFile)).mtimeMs : 0;
    if ((await youngest(sources)) >= packed) await runVsce();
  });
  return vsixFile;
}

async function runVsce(): Promise<void> {
  await mkdir(dirname(vsixFile), { recursive: true });
  const vsce = join(projectRoot, "node_modules/@vscode/vsce/vsce");
  const parameters = ["package", "--no-dependencies", "--allow-missing-repository", "-o", vsixFile];
  await promisify(execFile)(node22, [vsce, ...parameters], { cwd: projectRoot });
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
