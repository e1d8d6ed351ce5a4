import { dirname, join, resolve } from "node:path";
import { readCondaEnvironment } from "../../spark/submit/packages/condaEnvironment.ts";
import {
  lockedPackage,
  lockTables,
  type LockedPackage,
  type LockFormat,
} from "../../spark/submit/packages/lockFile.ts";
import { readProjectFile } from "../../spark/submit/packages/projectFile.ts";
import {
  needsFileNames,
  type NeedsFormat,
  type PythonNeeds,
} from "../../spark/submit/packages/pythonNeeds.ts";
import { readRequirementsFile } from "../../spark/submit/packages/requirementsFile.ts";
import { diskTree, isBelow, TreeTooLarge, type CodeTree } from "../code/codeTree.ts";
import { WorkSlices } from "../code/slices.ts";

const maxBytes = 16 * 1024 * 1024;
const maxIncludes = 50;

/**
 * Implements `PythonPackages.needs`. Never reads a file outside `root`. Returns undefined if the files are larger than
 * 16 MiB in total.
 */
export async function readNeeds(program: string, root: string): Promise<PythonNeeds | undefined> {
  if (!isBelow(program, root)) return undefined;
  const tree = diskTree(root, maxBytes);
  try {
    for (let folder = dirname(program); ; folder = dirname(folder)) {
      const entries = await tree.entries(folder);
      for (const name of needsFileNames) {
        if (entries.get(name) !== "file") continue;
        const needs = await readFormat(tree, join(folder, name), name);
        if (needs !== undefined) return needs;
      }
      if (folder === root) return undefined;
    }
  } catch (error) {
    if (error instanceof TreeTooLarge) return undefined;
    throw error;
  }
}

/**
 * Reads a file in this format. Returns undefined if it cannot be read or if it declares no packages, for example a
 * `pyproject.toml` with only tool settings.
 */
async function readFormat(
  tree: CodeTree,
  path: string,
  format: NeedsFormat,
): Promise<PythonNeeds | undefined> {
  const text = (await tree.read(path))?.toString("utf8");
  if (text === undefined) return undefined;
  switch (format) {
    case "uv.lock":
    case "poetry.lock":
      return readLock(tree, path, format, text);
    case "requirements.txt":
      return readRequirements(tree, path);
    case "pyproject.toml": {
      const { requirements, unread } = readProjectFile(text);
      if (requirements.length === 0) return undefined;
      return { ...nothing, path, format, direct: requirements, unread };
    }
    case "environment.yml":
    case "environment.yaml": {
      const { pip, conda, options } = readCondaEnvironment(text);
      if (pip.length === 0 && conda.length === 0) return undefined;
      return { ...nothing, path, format, direct: pip, conda, options };
    }
  }
}

const nothing = {
  direct: [],
  locked: undefined,
  constraints: [],
  options: [],
  unread: [],
  conda: [],
} as const;

async function readLock(
  tree: CodeTree,
  path: string,
  format: LockFormat,
  text: string,
): Promise<PythonNeeds> {
  const slices = new WorkSlices();
  const locked: LockedPackage[] = [];
  const unread: string[] = [];
  for (const table of lockTables(text)) {
    const found = lockedPackage(table, format);
    if (found === undefined) unread.push(table.slice(0, 200));
    else locked.push(found);
    await slices.rest();
  }
  const projectText = await tree.read(join(dirname(path), "pyproject.toml"));
  const project = readProjectFile(projectText?.toString("utf8") ?? "");
  const projects = locked.filter(({ source }) => source === "project");
  const own = projects.find(({ name }) => name === project.name) ?? projects[0];
  const direct = format === "uv.lock" ? (own?.dependencies ?? []) : project.requirements;
  // A lock file decides the versions, so ignore the specifiers of `pyproject.toml`.
  const names = direct.map((one) => ({
    ...one,
    specifier: format === "uv.lock" ? one.specifier : "",
  }));
  return { ...nothing, path, format, direct: names, locked, unread };
}

/**
 * Reads a requirements file and the files that it includes. Does not read files outside the workspace, but lists them
 * in `unread`.
 */
async function readRequirements(tree: CodeTree, path: string): Promise<PythonNeeds> {
  const seen = new Set<string>();
  const direct: PythonNeeds["direct"][number][] = [];
  const constraints: PythonNeeds["constraints"][number][] = [];
  const options = new Set<string>();
  const unread: string[] = [];
  const queue = [{ path, isConstraint: false }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (seen.has(next.path) || seen.size >= maxIncludes) continue;
    seen.add(next.path);
    const bytes = isBelow(next.path, tree.root) ? await readLinked(tree, next.path) : undefined;
    if (bytes === undefined) {
      unread.push(`-r ${next.path}`);
      continue;
    }
    const file = readRequirementsFile(bytes.toString("utf8"));
    (next.isConstraint ? constraints : direct).push(...file.requirements);
    for (const option of file.options) options.add(option);
    unread.push(...file.unread);
    for (const include of file.includes) {
      const isConstraint = next.isConstraint || include.kind === "constraints";
      queue.push({ path: resolve(dirname(next.path), include.path), isConstraint });
    }
  }
  return {
    ...nothing,
    path,
    format: "requirements.txt",
    direct,
    constraints,
    options: [...options],
    unread,
  };
}

/** Reads a file; undefined if it does not exist or is a link out of the workspace. */
async function readLinked(tree: CodeTree, path: string): Promise<Buffer | undefined> {
  const entries = await tree.entries(dirname(path));
  const name = path.slice(dirname(path).length).replace(/^[/\\]/, "");
  return entries.get(name) === "file" ? tree.read(path) : undefined;
}
