// Installs the dependencies of the host tests and the demo from the npm registry: two versions of VS Code and a
// headless Chromium. Needs no root, no compiler and no install script. Skips parts that are up to date.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { kitFolder, outFolder } from "./places.ts";
import { takeTurns } from "./takeTurns.ts";

const run = promisify(execFile);

const parts = ["newest", "oldest", "browser"] as const;
type Part = (typeof parts)[number];

export async function setUpHost(say: (line: string) => void): Promise<void> {
  const refusal = whyNotHere();
  if (refusal !== undefined) throw new Error(refusal);
  await takeTurns(join(outFolder, "setUp.lock"), async () => {
    for (const part of parts) await setUpPart(part, say);
  });
}

/**
 * Returns the reason why the host tests cannot run on this machine; undefined if they can. The packages contain
 * binaries for Linux x64 with glibc only.
 */
export function whyNotHere(): string | undefined {
  const here = `${process.platform}-${process.arch}`;
  const elsewhere =
    "On other machines, `npm run test:desktop` runs the same suite in the desktop build of VS Code, " +
    "and `npm run test:unit` runs everything that needs no VS Code.";
  if (here !== "linux-x64") {
    return `The host tests run on Linux x64; this machine is ${here}. ${elsewhere}`;
  }
  if (glibcVersion() === undefined) {
    return `The host tests need glibc 2.34 or later; this Linux has another C library. ${elsewhere}`;
  }
  return undefined;
}

function glibcVersion(): unknown {
  const report: unknown = process.report.getReport();
  if (typeof report !== "object" || report === null || !("header" in report)) return undefined;
  const { header } = report;
  if (typeof header !== "object" || header === null) return undefined;
  return "glibcVersionRuntime" in header ? header.glibcVersionRuntime : undefined;
}

async function setUpPart(part: Part, say: (line: string) => void): Promise<void> {
  const folder = join(kitFolder, part);
  const stamp = join(folder, "node_modules/.stamp");
  const wanted = await fingerprint(part);
  if (existsSync(stamp) && (await readFile(stamp, "utf8")) === wanted) return;
  const begun = performance.now();
  say(`setting up ${part} …`);
  await runNpm(["ci", "--ignore-scripts", "--install-links=false", "--loglevel=error"], folder);
  if (part === "browser") await unpackChromium(folder);
  else await showModules(folder);
  await writeFile(stamp, wanted);
  say(`set up ${part} in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

/** Returns a hash of all files that define a part, except the installed ones. */
async function fingerprint(part: Part): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of [join(kitFolder, "stubs"), join(kitFolder, part)]) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/\/(?:node_modules|\.chromium)\//.test(file))
      .sort();
    for (const file of files)
      hash.update(file.slice(kitFolder.length)).update(await readFile(file));
  }
  return hash.digest("hex");
}

/** Runs the npm that started this script, if any, so that both use the same configuration. */
async function runNpm(parameters: readonly string[], cwd: string): Promise<void> {
  const cli = process.env["npm_execpath"];
  const [command, first] = cli?.endsWith("npm-cli.js") ? [process.execPath, [cli]] : ["npm", []];
  await run(command, [...first, ...parameters, "--no-audit", "--no-fund"], { cwd });
}

/** Links `lib/vscode/node_modules`, from which the page loads modules, to the modules installed beside code-server. */
async function showModules(folder: string): Promise<void> {
  const link = join(folder, "node_modules/code-server/lib/vscode/node_modules");
  await rm(link, { force: true });
  await symlink("../../..", link);
}

/** Unpacks Chromium with Node and `tar`, as the package's own function writes to the shared temporary folder. */
async function unpackChromium(folder: string): Promise<void> {
  const source = join(folder, "node_modules/@sparticuz/chromium/bin");
  const target = join(folder, ".chromium");
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const inflate = (from: string, to: string): Promise<void> =>
    pipeline(
      createReadStream(join(source, from)),
      createBrotliDecompress(),
      createWriteStream(join(target, to)),
    );
  await inflate("chromium.br", "chromium.part");
  for (const name of ["al2023", "fonts", "swiftshader"]) {
    const archive = `${name}.tar`;
    await inflate(`${archive}.br`, archive);
    await run("tar", ["xf", archive], { cwd: target });
    await rm(join(target, archive));
  }
  await chmod(join(target, "chromium.part"), 0o755);
  await rename(join(target, "chromium.part"), join(target, "chromium"));
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? "")).href) {
  await setUpHost((line) => {
    console.log(line);
  });
}
