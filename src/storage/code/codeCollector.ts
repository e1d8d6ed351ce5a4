import { basename, dirname } from "node:path";
import { err, ok } from "../../base/result.ts";
import type { CodeCollector, CodeRules } from "../../engine/ports/files.ts";
import { abortError, throwIfAborted } from "../../io/abort.ts";
import { binarySize } from "../../spark/binarySize.ts";
import { codeNameProblem } from "../../spark/submit/code/codeName.ts";
import { maxConfigMapBytes } from "../../spark/submit/code/delivery.ts";
import type {
  CodeRequest,
  SentCode,
  SentFile,
  SentRole,
} from "../../spark/submit/code/sentCode.ts";
import { totalSize } from "../../spark/submit/code/sentCode.ts";
import { archiveFiles } from "./codeArchive.ts";
import { CodeFailure, largestOf } from "./codeFailure.ts";
import { diskTree, TreeTooLarge, type CodeTree } from "./codeTree.ts";
import { ImportClosure, maxModules, TooManyModules, type ModuleFile } from "./importClosure.ts";
import { includedFiles, type IncludedFile } from "./includedFiles.ts";
import { LeftOut } from "./leftOut.ts";
import { inBase64, modulesArchive, nameInPackage } from "./modulesArchive.ts";
import { ModuleFinder } from "./moduleFinder.ts";
import { WorkSlices } from "./slices.ts";
import { sourceRootsOf } from "./sourceRoots.ts";
import { readStableFile, stateOfFile, type FileState } from "./stableFile.ts";

/** Total size of the files in the modules archive, before compression. */
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
  const files: WantedFile[] = [
    ...requested.map((path): WantedFile => ({ path, role: { kind: "requested", path } })),
    ...included
      .filter(({ path }) => !request.isPython || !isPythonSource(path))
      .map(({ path }): WantedFile => ({ path, role: { kind: "data", path } })),
  ];
  checkNames(files);
  const modules = request.isPython
    ? await collectModules(request, { tree, included, leftOut }, signal)
    : undefined;
  const sent = [
    ...(await readWanted(files, modules?.size ?? 0, signal)),
    ...(modules === undefined ? [] : [modules]),
  ];
  // An imported module is sent even if `.gitignore` left it out of the included files.
  const sentPaths = new Set([...named, ...(modules?.members ?? []).map(({ path }) => path)]);
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
): Promise<SentFile | undefined> {
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
    // Spark adds requested Python files to the module path.
    ({ archiveName, path }) =>
      !(archiveName === basename(path) && request.dependencies.includes(path)),
  );
  throwIfAborted(signal);
  return modulesArchive(tree, files, leftOut);
}

/** With the included files below packages, which the packages may read as resources. */
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

/** Reports a limit of the modules as a failure of the main file; other errors are unchanged. */
function limitFailure(error: unknown, path: string): unknown {
  if (error instanceof TreeTooLarge) {
    const limit = binarySize(maxModuleBytes);
    const largest = largestOf(error.files);
    return new CodeFailure(
      path,
      `its modules have more than ${limit}. Exclude files. The largest are ${largest}.`,
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

/** Spark overwrites a file with another one of the same base name. */
function checkNames(files: readonly WantedFile[]): void {
  const known = new Map<string, string>();
  for (const { path } of files) {
    const name = basename(path);
    const problem = codeNameProblem(name);
    if (problem !== undefined) throw new CodeFailure(path, problem);
    const other = known.get(name);
    if (other !== undefined) {
      throw new CodeFailure(
        path,
        `${other} has the same name, and Spark keeps only one of them. Rename one.`,
      );
    }
    known.set(name, path);
  }
}

/** With their contents, unless all together are too large for that. */
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
