import { basename, dirname } from "node:path";
import { err, ok } from "../../base/result.ts";
import type { CodeCollector, CodeRules } from "../../engine/ports/files.ts";
import { abortError, throwIfAborted } from "../../io/abort.ts";
import { binarySize } from "../../spark/binarySize.ts";
import { codeNameProblem } from "../../spark/submit/code/codeName.ts";
import { maxConfigMapBytes } from "../../spark/submit/code/chooseDelivery.ts";
import type {
  CodeRequest,
  SentCode,
  SentFile,
  SentRole,
} from "../../spark/submit/code/sentCode.ts";
import { totalSize } from "../../spark/submit/code/sentCode.ts";
import { archiveFiles } from "./codeArchive.ts";
import { CodeFailure, largestOf } from "./codeFailure.ts";
import { diskTree, pathBelow, TreeTooLarge, type CodeTree } from "./codeTree.ts";
import { ImportClosure, maxModules, TooManyModules, type ModuleFile } from "./importClosure.ts";
import { includedFiles, type IncludedFile } from "./includedFiles.ts";
import { LeftOut } from "./leftOut.ts";
import { folderArchive, inBase64, modulesArchive, nameInPackage } from "./modulesArchive.ts";
import { ModuleFinder } from "./moduleFinder.ts";
import { byFolder, filesNamedBy, type PlacedFile } from "./filesNamedBy.ts";
import { WorkSlices } from "./slices.ts";
import { sourceRootsOf } from "./sourceRoots.ts";
import { readStableFile, stateOfFile, type FileState } from "./stableFile.ts";

/** Maximum total size in bytes, uncompressed, of the files that are read for the archives. Most of them are modules. */
const maxModuleBytes = 64 * 1024 * 1024;

/** Collects the code of an application from the local disk. */
export const codeCollector: CodeCollector = {
  collect: async (request, rules, signal) => {
    throwIfAborted(signal);
    try {
      return ok(await collectCode(request, rules, signal));
    } catch (error) {
      if (signal.aborted) throw abortError();
      const failure = limitFailure(error, request.main ?? rules.root);
      if (failure instanceof CodeFailure) return err(failure.codeError);
      throw failure;
    }
  },
  archive: archiveFiles,
};

const argumentsReason = "the arguments";

async function collectCode(
  request: CodeRequest,
  rules: CodeRules,
  signal: AbortSignal,
): Promise<SentCode> {
  const requested = [
    ...(request.main === undefined ? [] : [request.main]),
    ...request.dependencies,
  ];
  const named = new Set(requested);
  const tree = diskTree(rules.root, maxModuleBytes);
  const leftOut = await LeftOut.of(tree, rules, named);
  const included = (await includedFiles(tree, rules.include, leftOut, signal)).filter(
    ({ path }) => !named.has(path),
  );
  const wanted = requested.map((path): WantedFile => ({ path, role: { kind: "requested", path } }));
  checkNames(wanted);
  const { modules, paths: literals } = request.isPython
    ? await collectModules(request, { tree, included, leftOut }, signal)
    : { modules: undefined, paths: new Map<string, string>() };
  const byArguments = (request.named ?? []).map((path) => [path, argumentsReason] as const);
  const paths = new Map([...byArguments, ...literals]);
  const data = [
    ...included
      .filter(({ path }) => !request.isPython || !isPythonSource(path))
      .map(({ path, pattern }) => ({ path, place: pathBelow(path, rules.root), reason: pattern })),
    ...(request.main === undefined || paths.size === 0
      ? []
      : await filesNamedBy(tree, request.main, paths, leftOut, signal)),
  ].filter(({ path }, index, all) => {
    const isFirst = all.findIndex((other) => other.path === path) === index;
    return isFirst && !named.has(path);
  });
  const archives = await folderArchives(tree, data, leftOut);
  const files = [...wanted, ...flatFiles(data, wanted, archives)];
  const generated = [...archives, ...(modules === undefined ? [] : [modules])];
  const sent = [...(await readWanted(files, totalSize(generated), signal)), ...generated];
  // Do not report sent files as left out: an imported module is sent even if Git ignores it.
  const sentPaths = new Set([
    ...named,
    ...generated.flatMap(({ members }) => members.map(({ path }) => path)),
  ]);
  return {
    files: sent.sort((a, b) => (a.name < b.name ? -1 : 1)),
    leftOut: leftOut.files().filter(({ path }) => !sentPaths.has(path)),
  };
}

interface Workspace {
  readonly tree: CodeTree;
  readonly included: readonly IncludedFile[];
  readonly leftOut: LeftOut;
}

async function collectModules(
  request: CodeRequest,
  { tree, included, leftOut }: Workspace,
  signal: AbortSignal,
): Promise<{
  readonly modules: SentFile | undefined;
  readonly paths: ReadonlyMap<string, string>;
}> {
  const scripts = [request.main, ...request.dependencies].filter(
    (path): path is string => path !== undefined && isPythonSource(path),
  );
  const scriptFolder = dirname(request.main ?? scripts[0] ?? `${tree.root}/x`);
  const roots = await sourceRootsOf(tree, scriptFolder);
  const closure = new ImportClosure(
    tree,
    new ModuleFinder(tree, roots, scriptFolder, leftOut),
    leftOut,
  );
  await closure.follow(scripts, signal);
  const sources = included.filter(({ path }) => isPythonSource(path));
  await closure.include(sources, roots, signal);
  const files = withPackageFiles(closure, included, tree.root).filter(
    // Leave out Python files that the request already sends, because Spark adds them to PYTHONPATH.
    ({ archiveName, path }) =>
      !(archiveName === basename(path) && request.dependencies.includes(path)),
  );
  throwIfAborted(signal);
  return { modules: await modulesArchive(tree, files, leftOut), paths: await closure.paths() };
}

/**
 * Maximum size in bytes of the files in a folder archive, because archives are held in memory. Files in a larger folder
 * are sent only in `spark.files`, by base name.
 */
const maxFolderBytes = 16 * 1024 * 1024;

/**
 * Returns an archive for each folder with data files, so that the program finds them by their relative paths. Skips
 * folders that are too large.
 */
async function folderArchives(
  tree: CodeTree,
  data: readonly PlacedFile[],
  leftOut: LeftOut,
): Promise<readonly SentFile[]> {
  const archives: SentFile[] = [];
  for (const [folder, files] of byFolder(data)) {
    const states = await Promise.all(files.map(({ path }) => stateOfFile(path)));
    if (totalSize(states) > maxFolderBytes) continue;
    const members = files.map(({ path, place, reason }) => ({
      archiveName: place.slice(folder.length + 1),
      path,
      reason,
    }));
    const archive = await folderArchive(tree, folder, members, leftOut);
    if (archive !== undefined) archives.push(archive);
  }
  return archives;
}

/**
 * Returns the data files for `spark.files`. Spark copies them into one folder, so base names must be unique. A second
 * file with the same name is sent only in its folder's archive. Throws a CodeFailure if it is in no archive.
 */
function flatFiles(
  data: readonly PlacedFile[],
  wanted: readonly WantedFile[],
  archives: readonly SentFile[],
): readonly WantedFile[] {
  const archived = new Set(archives.flatMap(({ members }) => members.map(({ path }) => path)));
  const names = new Map(wanted.map(({ path }) => [basename(path), path]));
  const flat: WantedFile[] = [];
  // If several files have the same base name, send the one nearest to the working directory.
  const depth = ({ place }: PlacedFile): number => place.split("/").length;
  for (const { path } of data.toSorted((a, b) => depth(a) - depth(b))) {
    const name = basename(path);
    const problem = nameProblem(path, names.get(name));
    if (problem !== undefined) {
      if (archived.has(path)) continue;
      throw new CodeFailure(path, problem);
    }
    names.set(name, path);
    flat.push({ path, role: { kind: "data", path } });
  }
  return flat;
}

/** Returns the modules, and the included files inside package folders, because packages may read them as resources. */
function withPackageFiles(
  closure: ImportClosure,
  included: readonly IncludedFile[],
  root: string,
): readonly ModuleFile[] {
  const files = new Map(closure.files().map((file) => [file.archiveName, file]));
  for (const { path, pattern } of included) {
    if (isPythonSource(path)) continue;
    const archiveName = nameInPackage(path, root, (folder) => closure.packageFolder(folder));
    if (archiveName === undefined || files.has(archiveName)) continue;
    files.set(archiveName, { archiveName, path, reason: pattern });
  }
  return [...files.values()].sort((a, b) => (a.archiveName < b.archiveName ? -1 : 1));
}

/**
 * Converts an error about too many or too large modules into a CodeFailure for `path`. Returns other errors unchanged.
 */
function limitFailure(error: unknown, path: string): unknown {
  if (error instanceof TreeTooLarge) {
    const limit = binarySize(maxModuleBytes);
    const largest = largestOf(error.files);
    return new CodeFailure(
      path,
      `its modules are larger than ${limit}. Exclude files. The largest are ${largest}.`,
    );
  }
  if (error instanceof TooManyModules) {
    return new CodeFailure(
      path,
      `it needs more than ${maxModules} modules, such as ${error.example}. Exclude folders.`,
    );
  }
  return error;
}

interface WantedFile {
  readonly path: string;
  readonly role: SentRole;
}

/**
 * Throws a CodeFailure if Spark cannot read a base name in a list of files, or if two files have the same base name:
 * Spark keeps only one of them.
 */
function checkNames(files: readonly WantedFile[]): void {
  const known = new Map<string, string>();
  for (const { path } of files) {
    const name = basename(path);
    const problem = nameProblem(path, known.get(name));
    if (problem !== undefined) throw new CodeFailure(path, problem);
    known.set(name, path);
  }
}

/**
 * Returns the reason why a file name cannot be used; undefined if it can. `other`: the path of another sent file with
 * the same base name.
 */
const nameProblem = (path: string, other: string | undefined): string | undefined =>
  codeNameProblem(basename(path)) ??
  (other === undefined
    ? undefined
    : `${other} has the same name, and Spark keeps only one of them. Rename one.`);

/**
 * Returns the files with inline content. If they do not fit into a ConfigMap together with `otherSize` bytes of
 * archives, returns references to the files on disk instead.
 */
async function readWanted(
  files: readonly WantedFile[],
  otherSize: number,
  signal: AbortSignal,
): Promise<readonly SentFile[]> {
  const states: FileState[] = [];
  for (const { path } of files) {
    throwIfAborted(signal);
    states.push(await stateOfFile(path));
  }
  if (totalSize(states) + otherSize <= maxConfigMapBytes) {
    const inline = await readInline(files, signal);
    if (totalSize(inline) + otherSize <= maxConfigMapBytes) return inline;
  }
  return files.map(({ path, role }, index): SentFile => {
    const { size = 0, modifiedMs = 0, isExecutable = false } = states[index] ?? {};
    const content = { kind: "disk", path, modifiedMs } as const;
    return { name: basename(path), size, isExecutable, role, content, members: [] };
  });
}

async function readInline(
  files: readonly WantedFile[],
  signal: AbortSignal,
): Promise<readonly SentFile[]> {
  const slices = new WorkSlices();
  const sent: SentFile[] = [];
  for (const { path, role } of files) {
    throwIfAborted(signal);
    const { size, isExecutable, bytes } = await readStableFile(path);
    const content = { kind: "inline", base64: await inBase64(bytes, slices) } as const;
    sent.push({ name: basename(path), size, isExecutable, role, content, members: [] });
  }
  return sent;
}

const isPythonSource = (path: string): boolean => path.endsWith(".py");
