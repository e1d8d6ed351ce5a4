import { basename } from "node:path";
import {
  pythonImportSteps,
  type PythonImport,
  type PythonImports,
} from "../../spark/submit/code/pythonImports.ts";
import { isBelow, pathBelow, type CodeTree } from "./codeTree.ts";
import type { FoundModule, ModuleFinder, PackageFolder } from "./moduleFinder.ts";
import type { LeftOut } from "./leftOut.ts";
import { WorkSlices } from "./slices.ts";

/** A file in the modules archive. */
export interface ModuleFile {
  readonly archiveName: string;
  readonly path: string;
  /** The source file that imports it, or the pattern that includes it. */
  readonly reason: string;
}

export const maxModules = 2_000;
// Larger sources are usually generated. They are sent, but not searched for imports.
const maxScannedBytes = 1_000_000;

/** Thrown if more than `maxModules` modules would be sent. */
export class TooManyModules extends Error {
  readonly example: string;

  constructor(example: string) {
    super("too many modules");
    this.example = example;
  }
}

/** A source file whose imports have not been followed yet. */
interface Importer {
  readonly path: string;
  /** The name of its package, for relative imports; undefined if it has none. */
  readonly packageName: string | undefined;
}

/** Collects the modules in the workspace that scripts import, directly or through other modules. */
export class ImportClosure {
  readonly #tree: CodeTree;
  readonly #finder: ModuleFinder;
  readonly #leftOut: LeftOut;
  readonly #slices = new WorkSlices();
  readonly #files = new Map<string, ModuleFile>();
  readonly #packages = new Map<string, string>();
  readonly #scans = new Map<string, Promise<PythonImports>>();
  #waiting: Importer[] = [];

  constructor(tree: CodeTree, finder: ModuleFinder, leftOut: LeftOut) {
    this.#tree = tree;
    this.#finder = finder;
    this.#leftOut = leftOut;
  }

  /** Returns the modules, sorted by archive name. */
  files(): readonly ModuleFile[] {
    return [...this.#files.values()].sort((a, b) => (a.archiveName < b.archiveName ? -1 : 1));
  }

  /** Returns the string literals that may be paths, each with the first script or module that contains it. */
  async paths(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const [path, scan] of this.#scans) {
      for (const text of (await scan).paths) if (!found.has(text)) found.set(text, path);
    }
    return found;
  }

  /** Returns the name in the archive of a package's folder; undefined for other folders. */
  packageFolder(path: string): string | undefined {
    return this.#packages.get(path);
  }

  /** Follows the imports of scripts. Does not add the scripts themselves. */
  async follow(scripts: readonly string[], signal: AbortSignal): Promise<void> {
    this.#waiting.push(...scripts.map((path) => ({ path, packageName: undefined })));
    await this.#followAll(signal);
  }

  /**
   * Adds the Python files that patterns include, and follows their imports. Names each file relative to the innermost
   * source root that contains it. Skips files outside all roots.
   */
  async include(
    files: readonly { readonly path: string; readonly pattern: string }[],
    roots: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const known = new Set([...this.#files.values()].map(({ path }) => path));
    for (const { path, pattern } of files) {
      await this.#slices.rest();
      if (known.has(path)) continue;
      const root = roots
        .filter((folder) => isBelow(path, folder))
        .sort((a, b) => b.length - a.length)[0];
      if (root === undefined) continue;
      const place = pathBelow(path, root);
      const name = place
        .replace(/\.py$/, "")
        .replace(/(?:^|\/)__init__$/, "")
        .replaceAll("/", ".");
      const found = name === "" ? undefined : await this.#finder.find(name);
      if (found?.kind !== "namespace" && found?.path === path) {
        await this.#addModule(name, pattern);
      } else this.#addFile({ archiveName: place, path, reason: pattern }, parentName(name));
    }
    await this.#followAll(signal);
  }

  // Breadth-first, so that the recorded reasons do not depend on the order in which files are read.
  async #followAll(signal: AbortSignal): Promise<void> {
    while (this.#waiting.length > 0) {
      const importers = this.#waiting;
      this.#waiting = [];
      for (let at = 0; at < importers.length; at += readsAtOnce) {
        const group = importers.slice(at, at + readsAtOnce);
        await Promise.all(group.map(({ path }) => this.#scan(path)));
        for (const importer of group) {
          signal.throwIfAborted();
          await this.#followOne(importer);
        }
      }
    }
  }

  async #followOne(importer: Importer): Promise<void> {
    const reason = isBelow(importer.path, this.#tree.root)
      ? pathBelow(importer.path, this.#tree.root)
      : basename(importer.path);
    for (const found of (await this.#scan(importer.path)).imports) {
      await this.#slices.rest();
      const base = baseOf(found, importer.packageName);
      if (base === undefined) continue;
      if (base !== "") await this.#addModule(base, reason);
      for (const name of found.names) {
        if (name === "*") await this.#addExported(base, reason);
        else await this.#addModule(base === "" ? name : `${base}.${name}`, reason);
      }
    }
  }

  async #addExported(base: string, reason: string): Promise<void> {
    const found = await this.#finder.find(base);
    if (found?.kind !== "package") return;
    for (const name of (await this.#scan(found.path)).exported) {
      await this.#addModule(`${base}.${name}`, reason);
    }
  }

  /** Adds a module and its parent packages, top down, until one of them is not in the workspace. */
  async #addModule(name: string, reason: string): Promise<void> {
    if (lastName(name) === "__main__") return;
    for (let at = name.indexOf("."); ; at = name.indexOf(".", at + 1)) {
      const found = await this.#finder.find(at < 0 ? name : name.slice(0, at));
      if (found === undefined) return;
      this.#addFound(found, reason);
      if (at < 0) return;
    }
  }

  #addFound(found: FoundModule, reason: string): void {
    if (found.kind !== "module") this.#addFolders(found.folders);
    if (found.kind === "namespace") return;
    const { archiveName, path } = found;
    this.#addFile(
      { archiveName, path, reason },
      found.kind === "package" ? found.name : parentName(found.name),
    );
  }

  #addFolders(folders: readonly PackageFolder[]): void {
    for (const { path, name } of folders) this.#packages.set(path, name);
  }

  #addFile(file: ModuleFile, packageName: string | undefined): void {
    if (this.#files.has(file.archiveName)) return;
    this.#files.set(file.archiveName, file);
    if (this.#files.size > maxModules) throw new TooManyModules(file.path);
    this.#waiting.push({ path: file.path, packageName });
  }

  #scan(path: string): Promise<PythonImports> {
    const known = this.#scans.get(path);
    if (known !== undefined) return known;
    const scan = this.#read(path);
    this.#scans.set(path, scan);
    return scan;
  }

  async #read(path: string): Promise<PythonImports> {
    const bytes = await this.#tree.read(path);
    if (bytes === undefined) {
      this.#leftOut.add(path, "unreadable");
      return nothing;
    }
    if (bytes.length > maxScannedBytes) return nothing;
    const steps = pythonImportSteps(bytes.toString("utf8"));
    for (;;) {
      await this.#slices.rest();
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }
}

const nothing: PythonImports = { imports: [], exported: [], paths: [] };

const readsAtOnce = 32;

/**
 * Returns the absolute module name from which an import starts. Returns undefined if a relative import goes above the
 * top-level package, or if the importing file has no package.
 */
function baseOf(
  { level, module }: PythonImport,
  packageName: string | undefined,
): string | undefined {
  if (level === 0) return module;
  if (packageName === undefined) return undefined;
  const parts = packageName.split(".");
  if (level > parts.length) return undefined;
  const base = parts.slice(0, parts.length - level + 1).join(".");
  return module === "" ? base : `${base}.${module}`;
}

/** Returns the name of the enclosing package; undefined for a top-level module. */
const parentName = (name: string): string | undefined =>
  name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : undefined;

const lastName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
