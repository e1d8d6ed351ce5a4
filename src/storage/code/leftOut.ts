import { basename, dirname, join } from "node:path";
import { readIgnoreRules, type IgnoreRules } from "../../spark/submit/code/ignoreRules.ts";
import { isSecretFileName, isToolFolder } from "../../spark/submit/code/neverSent.ts";
import { compileGlob, matchesPath, type PathGlob } from "../../spark/submit/code/pathGlob.ts";
import type { LeftOutFile, LeftOutReason } from "../../spark/submit/code/sentCode.ts";
import type { CodeRules } from "../../engine/ports/files.ts";
import { pathBelow, type CodeTree } from "./codeTree.ts";

/** Decides which files in the workspace are not sent, and records the reasons. */
export class LeftOut {
  readonly #tree: CodeTree;
  readonly #reasons = new Map<string, LeftOutReason>();
  readonly #named: ReadonlySet<string>;
  readonly #plain: readonly PathGlob[];
  readonly #exclude: readonly PathGlob[];
  readonly #ignored: IgnoreRules;

  private constructor(
    tree: CodeTree,
    rules: CodeRules,
    named: ReadonlySet<string>,
    ignored: IgnoreRules,
  ) {
    this.#tree = tree;
    this.#named = named;
    this.#ignored = ignored;
    this.#exclude = rules.exclude.map((text) => compileGlob(text));
    this.#plain = rules.include.map((text) => compileGlob(text)).filter(({ isPlain }) => isPlain);
  }

  /**
   * Creates an instance with the rules in `.sparkignore`. `named`: absolute paths that the request names, which are
   * always sent.
   */
  static async of(tree: CodeTree, rules: CodeRules, named: ReadonlySet<string>): Promise<LeftOut> {
    const ignored = await readIgnoreFile(tree, join(tree.root, ".sparkignore"));
    return new LeftOut(tree, rules, named, ignored);
  }

  add(path: string, reason: LeftOutReason): void {
    if (!this.#reasons.has(path)) this.#reasons.set(path, reason);
  }

  /** Returns the files that are not sent, sorted by path. */
  files(): readonly LeftOutFile[] {
    return [...this.#reasons]
      .map(([path, reason]) => ({ path, reason }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** True if an entry must not be sent; also records the reason. The caller must have checked the parent folder. */
  async leavesOut(path: string, kind: "file" | "folder"): Promise<boolean> {
    if (this.#named.has(path)) return false;
    const reason = await this.#reasonFor(path, kind);
    if (reason === undefined) return false;
    // Python's bytecode caches are not reported to the user.
    if (basename(path) !== "__pycache__") this.add(path, reason);
    return true;
  }

  async #reasonFor(path: string, kind: "file" | "folder"): Promise<LeftOutReason | undefined> {
    const place = pathBelow(path, this.#tree.root);
    if (kind === "folder" && (await this.#isTool(path))) return "toolFolder";
    if (kind === "file" && isSecretFileName(basename(path)) && !this.#isNamed(place)) {
      return "secret";
    }
    if (this.#ignored.ignores(place, kind === "folder")) return "ignored";
    return this.#exclude.some((glob) => matchesPath(glob, place)) ? "excluded" : undefined;
  }

  // True if a pattern without wildcards names the file.
  #isNamed(place: string): boolean {
    return this.#plain.some(({ text }) => text === place);
  }

  async #isTool(path: string): Promise<boolean> {
    return isToolFolder(basename(path)) || (await this.#tree.entries(path)).has("pyvenv.cfg");
  }
}

/** Reads an ignore file. Returns no rules if the file does not exist. */
export async function readIgnoreFile(tree: CodeTree, path: string): Promise<IgnoreRules> {
  const isThere = (await tree.entries(dirname(path))).get(basename(path)) === "file";
  const bytes = isThere ? await tree.read(path) : undefined;
  return readIgnoreRules(bytes?.toString("utf8") ?? "");
}
