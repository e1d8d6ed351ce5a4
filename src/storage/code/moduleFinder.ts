import { join } from "node:path";
import { isBuiltInModule, isProvidedModule } from "../../spark/submit/code/standardLibrary.ts";
import type { CodeTree } from "./codeTree.ts";
import type { LeftOut } from "./leftOut.ts";

/** A folder that is searched for the submodules of a package, or for top-level modules. */
export interface PackageFolder {
  readonly path: string;
  /** Path in the archive; empty for a source root. */
  readonly name: string;
}

/** The result of a module search. */
export type FoundModule =
  | {
      readonly kind: "module";
      readonly name: string;
      readonly path: string;
      /** Path in the archive. */
      readonly archiveName: string;
    }
  | {
      readonly kind: "package";
      readonly name: string;
      readonly path: string;
      readonly archiveName: string;
      readonly folders: readonly PackageFolder[];
    }
  /** A package without `__init__.py`. */
  | {
      readonly kind: "namespace";
      readonly name: string;
      readonly folders: readonly PackageFolder[];
    };

/** Finds modules in the workspace by their absolute names, with the rules of Python's PathFinder. */
export class ModuleFinder {
  readonly #tree: CodeTree;
  readonly #roots: readonly PackageFolder[];
  readonly #leftOut: LeftOut;
  readonly #known = new Map<string, Promise<FoundModule | undefined>>();
  readonly #scriptFolder: string;

  constructor(tree: CodeTree, roots: readonly string[], scriptFolder: string, leftOut: LeftOut) {
    this.#tree = tree;
    this.#roots = roots.map((path) => ({ path, name: "" }));
    this.#scriptFolder = scriptFolder;
    this.#leftOut = leftOut;
  }

  /** Returns the module; undefined if the workspace does not define it. */
  find(name: string): Promise<FoundModule | undefined> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = this.#search(name);
    this.#known.set(name, found);
    return found;
  }

  async #search(name: string): Promise<FoundModule | undefined> {
    const at = name.lastIndexOf(".");
    const last = name.slice(at + 1);
    const folders = at < 0 ? this.#rootsFor(name) : foldersOf(await this.find(name.slice(0, at)));
    const portions: PackageFolder[] = [];
    for (const folder of folders) {
      const found = await this.#searchIn(folder, name, last);
      if (found === "leftOut") return undefined;
      if (found?.kind !== "namespace") {
        if (found !== undefined) return found;
      } else portions.push(...found.folders);
    }
    return portions.length === 0 ? undefined : { kind: "namespace", name, folders: portions };
  }

  #rootsFor(name: string): readonly PackageFolder[] {
    if (isBuiltInModule(name)) return [];
    if (!isProvidedModule(name)) return this.#roots;
    return this.#roots.filter(({ path }) => path === this.#scriptFolder);
  }

  async #searchIn(
    folder: PackageFolder,
    name: string,
    last: string,
  ): Promise<FoundModule | "leftOut" | undefined> {
    const entries = await this.#tree.entries(folder.path);
    const path = join(folder.path, last);
    const archiveName = folder.name === "" ? last : `${folder.name}/${last}`;
    const inside =
      entries.get(last) === "folder" && !(await this.#leftOut.leavesOut(path, "folder"))
        ? await this.#tree.entries(path)
        : undefined;
    const init = inside?.get("__init__.py");
    if (init !== undefined) {
      const initPath = join(path, "__init__.py");
      if (!(await this.#mayBeSent(initPath, init))) return "leftOut";
      return {
        kind: "package",
        name,
        path: initPath,
        archiveName: `${archiveName}/__init__.py`,
        folders: [{ path, name: archiveName }],
      };
    }
    const file = entries.get(`${last}.py`);
    if (file !== undefined && file !== "folder") {
      if (!(await this.#mayBeSent(`${path}.py`, file))) return "leftOut";
      return { kind: "module", name, path: `${path}.py`, archiveName: `${archiveName}.py` };
    }
    const native = [...entries.keys()].find(
      (entry) => entry.startsWith(`${last}.`) && /\.(?:so|pyd)$/.test(entry),
    );
    if (native !== undefined) {
      this.#leftOut.add(join(folder.path, native), "native");
      return "leftOut";
    }
    if (entries.get(last) === "outside") this.#leftOut.add(path, "outside");
    return inside === undefined
      ? undefined
      : { kind: "namespace", name, folders: [{ path, name: archiveName }] };
  }

  async #mayBeSent(path: string, entry: "file" | "folder" | "outside"): Promise<boolean> {
    if (entry === "outside") this.#leftOut.add(path, "outside");
    return entry === "file" && !(await this.#leftOut.leavesOut(path, "file"));
  }
}

const foldersOf = (found: FoundModule | undefined): readonly PackageFolder[] =>
  found === undefined || found.kind === "module" ? [] : found.folders;
