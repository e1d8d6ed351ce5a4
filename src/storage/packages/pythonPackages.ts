import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { ownFolder } from "../../io/ownFolder.ts";
import { fieldsOf, isRecord, itemsOf, numberOf, parseJson, textAt } from "../../base/json.ts";
import type { KnownImage, PythonPackages } from "../../engine/ports/packages.ts";
import { replaceFile } from "../../io/replaceFile.ts";
import { maxConfigMapBytes } from "../../spark/submit/code/chooseDelivery.ts";
import type { ImageQuestion } from "../../spark/submit/packages/imagePod.ts";
import { imagePythonOf } from "../../spark/submit/packages/imagePython.ts";
import { installFailure, type InstallFailure } from "../../spark/submit/packages/installFailure.ts";
import {
  installArguments,
  overrideLines,
  planText,
  type InstallPlan,
  type InstallTool,
} from "../../spark/submit/packages/installPlan.ts";
import type {
  ArchivedPackage,
  PackageArchive,
} from "../../spark/submit/packages/packageArchive.ts";
import type { PythonNeeds } from "../../spark/submit/packages/pythonNeeds.ts";
import { binarySize } from "../../spark/binarySize.ts";
import { largestOf } from "../code/codeFailure.ts";
import { installedTree } from "./installedTree.ts";
import { writePackagesArchive } from "./packagesArchive.ts";
import { readNeeds } from "./readNeeds.ts";
import { runInstaller } from "../runInstaller.ts";

export interface PackagesOptions {
  /** Created if it is missing. Only this user may read it. */
  readonly cacheFolder: string;
  /** Names or paths of uv, and of Python interpreters with pip. The first one that exists is used. */
  readonly tools: readonly { readonly tool: InstallTool; readonly program: string }[];
  /** Environment of the tools, which read their index, proxies and home folder from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const maxUnpackedBytes = 3 * 1024 ** 3;
/** Maximum total size of the stored archives in bytes. The newest archive is kept even if it is larger. */
const maxStoredBytes = 4 * 1024 ** 3;
const maxImages = 50;

export function pythonPackages(options: PackagesOptions): PythonPackages {
  const { cacheFolder } = options;
  const images = join(cacheFolder, "images.json");
  const change = async (
    { image, python }: ImageQuestion,
    known: readonly KnownImage[],
  ): Promise<void> => {
    const others = (await readImages(images)).filter(
      (one) => textAt(one, "image") !== image || textAt(one, "interpreter") !== python,
    );
    const stored = known.map((one) => ({ ...one, image, interpreter: python }));
    const text = JSON.stringify([...stored, ...others].slice(0, maxImages));
    await ownFolder(cacheFolder);
    await replaceFile(images, (part) => writeFile(part, text, { mode: 0o600 }));
  };
  return {
    needs: readNeeds,
    image: async ({ image, python }) => {
      const found = (await readImages(images)).find(
        (one) => textAt(one, "image") === image && textAt(one, "interpreter") === python,
      );
      const facts = imagePythonOf(fieldsOf(found)["python"]);
      return facts && { imageId: textAt(found, "imageId") ?? "", python: facts };
    },
    keepImage: (question, known) => change(question, [known]),
    forgetImage: (question) => change(question, []),
    archived: (plan, needs) => storedArchive(cacheFolder, plan, needs),
    build: async (plan, needs, signal) => {
      await ownFolder(cacheFolder);
      const own = await mkdtemp(join(cacheFolder, "unfinished-"));
      try {
        const installed = await install(plan, own, options, signal);
        if (!installed.ok) return installed;
        const kept = await keepArchive(installed.value, cacheFolder, plan, signal);
        if (!kept.ok) return kept;
        const archive = await storedArchive(cacheFolder, plan, needs);
        await prune(cacheFolder, keyOf(plan));
        return archive === undefined
          ? err({ kind: "other", detail: "the archive was removed" })
          : ok(archive);
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
  };
}

// ---- Installation ------------------------------------------------------------------------------

/** Installs the packages with the first available tool. Returns the folder that contains them. */
async function install(
  plan: InstallPlan,
  own: string,
  { tools, environment }: PackagesOptions,
  signal: AbortSignal,
): Promise<Result<string, InstallFailure>> {
  const place = {
    target: join(own, "target"),
    requirements: join(own, "requirements.txt"),
    constraints: join(own, "constraints.txt"),
    overrides: join(own, "overrides.txt"),
  };
  const write = (path: string, lines: readonly string[]): Promise<void> =>
    writeFile(path, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  await write(place.requirements, plan.requirements);
  await write(place.constraints, plan.constraints);
  await write(place.overrides, overrideLines);
  for (const { tool, program } of tools) {
    const args = installArguments(tool, plan, place);
    // The working directory is outside the workspace, because uv would use the interpreter of a ".venv" in the
    // workspace. pip runs isolated, because Python would otherwise load a "pip.py" from PYTHONPATH.
    const all = tool === "uv" ? args : ["-I", "-m", "pip", ...args];
    const end = await runInstaller(program, all, { cwd: own, environment }, signal);
    if (end.kind === "done") return ok(place.target);
    if (end.kind === "failed") return err(installFailure(end.output));
  }
  return err({ kind: "noTool" });
}

async function keepArchive(
  folder: string,
  cacheFolder: string,
  plan: InstallPlan,
  signal: AbortSignal,
): Promise<Result<void, InstallFailure>> {
  const { files, packages } = await installedTree(folder);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > maxUnpackedBytes) {
    const largest = largestOf(packages.map(({ name, size }) => ({ path: name, size })));
    return err({ kind: "tooLarge", detail: `${binarySize(total)}; the largest are ${largest}` });
  }
  const { archive, list } = pathsOf(cacheFolder, plan);
  await replaceFile(archive, (part) => writePackagesArchive(part, files, signal));
  // Write the list last, because it marks the archive as complete.
  await replaceFile(list, (part) => writeFile(part, JSON.stringify(packages), { mode: 0o600 }));
  return ok(undefined);
}

// ---- Stored archives ---------------------------------------------------------------------------

const formatVersion = 1;
const keyOf = (plan: InstallPlan): string =>
  createHash("sha256")
    .update(`${formatVersion}\n${planText(plan)}`)
    .digest("hex")
    .slice(0, 16);

function pathsOf(
  cacheFolder: string,
  plan: InstallPlan,
): { readonly name: string; readonly archive: string; readonly list: string } {
  const key = keyOf(plan);
  const name = `packages-${key}.tar.gz`;
  return {
    name,
    archive: join(cacheFolder, name),
    list: join(cacheFolder, `packages-${key}.json`),
  };
}

async function storedArchive(
  cacheFolder: string,
  plan: InstallPlan,
  needs: PythonNeeds,
): Promise<PackageArchive | undefined> {
  const { name, archive, list } = pathsOf(cacheFolder, plan);
  try {
    const packages = packagesIn(await readFile(list, "utf8"));
    const { size, mtimeMs } = await stat(archive);
    const now = new Date();
    // The modification time of the list is the time of the last use. Do not touch the archive: a transfer fails if its
    // modification time changes.
    await utimes(list, now, now);
    const content =
      size <= maxConfigMapBytes / 2
        ? ({ kind: "inline", base64: (await readFile(archive)).toString("base64") } as const)
        : ({ kind: "disk", path: archive, modifiedMs: mtimeMs } as const);
    return { name, size, content, packages, declaredIn: needs.path };
  } catch {
    return undefined;
  }
}

function packagesIn(text: string): readonly ArchivedPackage[] {
  const read = parseJson(text);
  return itemsOf(read.ok ? read.value : undefined).map((one) => ({
    name: textAt(one, "name") ?? "",
    version: textAt(one, "version") ?? "",
    size: numberOf(fieldsOf(one)["size"]) ?? 0,
  }));
}

/**
 * Removes the least recently used archives above the size limit, and temporary files of killed processes after a day.
 */
async function prune(cacheFolder: string, current: string): Promise<void> {
  const names = await readdir(cacheFolder);
  const stored: { readonly key: string; readonly size: number; readonly usedMs: number }[] = [];
  for (const name of names) {
    const key = /^packages-([0-9a-f]{16})\.tar\.gz$/.exec(name)?.[1];
    if (key === undefined) continue;
    const { size } = await stat(join(cacheFolder, name));
    const used = await stat(join(cacheFolder, `packages-${key}.json`)).catch(() => undefined);
    stored.push({ key, size, usedMs: used?.mtimeMs ?? 0 });
  }
  stored.sort(
    (a, b) => Number(b.key === current) - Number(a.key === current) || b.usedMs - a.usedMs,
  );
  let total = 0;
  for (const { key, size } of stored) {
    total += size;
    if (key === current || total <= maxStoredBytes) continue;
    await rm(join(cacheFolder, `packages-${key}.tar.gz`), { force: true });
    await rm(join(cacheFolder, `packages-${key}.json`), { force: true });
  }
  const oldMs = Date.now() - staleMs;
  for (const name of names.filter(
    (one) => one.startsWith("unfinished-") || one.endsWith(".part"),
  )) {
    const path = join(cacheFolder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < oldMs)
      await rm(path, { recursive: true, force: true });
  }
}

const staleMs = 24 * 3_600_000;

// ---- Inspected images --------------------------------------------------------------------------

async function readImages(path: string): Promise<readonly unknown[]> {
  try {
    const read = parseJson(await readFile(path, "utf8"));
    return itemsOf(read.ok ? read.value : undefined).filter(isRecord);
  } catch {
    return [];
  }
}
