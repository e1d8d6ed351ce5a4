import { basename, join } from "node:path";
import { compileGlob, type GlobPlace } from "../../spark/submit/code/pathGlob.ts";
import type { IgnoreRules } from "../../spark/submit/code/ignoreRules.ts";
import { CodeFailure } from "./codeFailure.ts";
import { pathBelow, type CodeTree } from "./codeTree.ts";
import { readIgnoreFile, type LeftOut } from "./leftOut.ts";
import { WorkSlices } from "./slices.ts";

export interface IncludedFile {
  readonly path: string;
  /** The first pattern that includes it. */
  readonly pattern: string;
}

/** Ignore files. A pattern with wildcards never includes them. */
const ruleFiles = new Set([".gitignore", ".sparkignore"]);
const maxFiles = 2_000;
const maxEntries = 100_000;

interface Pattern {
  readonly text: string;
  readonly isPlain: boolean;
  readonly place: GlobPlace;
}

interface Visited {
  readonly folder: string;
  readonly patterns: readonly Pattern[];
  /** The rules of `.gitignore` files, innermost first, with the folders that they are relative to. */
  readonly gitIgnored: readonly (readonly [folder: string, rules: IgnoreRules])[];
}

/**
 * Returns the files in the workspace that the patterns include, sorted by path. Visits only folders that may contain
 * such files. Throws a CodeFailure if more than `maxFiles` files match, or more than `maxEntries` entries are visited.
 */
export async function includedFiles(
  tree: CodeTree,
  include: readonly string[],
  leftOut: LeftOut,
  signal: AbortSignal,
): Promise<readonly IncludedFile[]> {
  const files: IncludedFile[] = [];
  const slices = new WorkSlices();
  const seen = new Set<string>();
  let entryCount = 0;
  const visit = async (visited: Visited): Promise<void> => {
    const { folder, patterns } = visited;
    const real = await tree.realFolder(folder);
    if (seen.has(real)) return;
    seen.add(real);
    const gitIgnored = [
      [folder, await readIgnoreFile(tree, join(folder, ".gitignore"))] as const,
      ...visited.gitIgnored,
    ];
    for (const [name, kind] of await tree.entries(folder)) {
      await slices.rest();
      signal.throwIfAborted();
      entryCount += 1;
      if (entryCount > maxEntries) {
        throw new CodeFailure(
          tree.root,
          `the include patterns search more than ${maxEntries} files and folders. Make them more specific.`,
        );
      }
      const path = join(folder, name);
      const next = patterns
        .map(({ place, ...pattern }): Pattern => ({
          ...pattern,
          place: place.isMatch ? place : place.step(name),
        }))
        .filter(({ place }) => place.isMatch || (kind === "folder" && !place.isOver));
      const matching = next.find(({ place }) => place.isMatch);
      if (next.length === 0) continue;
      if (ruleFiles.has(name) && !isNamed(next, patterns)) continue;
      if (kind === "outside") leftOut.add(path, "outside");
      else if (await leftOut.leavesOut(path, kind)) continue;
      else if (!isNamed(next, patterns) && isGitIgnored(gitIgnored, path, kind === "folder")) {
        leftOut.add(path, "gitIgnored");
      } else if (kind === "folder") await visit({ folder: path, patterns: next, gitIgnored });
      else if (matching !== undefined) {
        files.push({ path, pattern: matching.text });
        if (files.length > maxFiles) {
          throw new CodeFailure(
            tree.root,
            `the include patterns match more than ${maxFiles} files, such as ${basename(path)}. Make them more specific.`,
          );
        }
      }
    }
  };
  const patterns = include.map((text): Pattern => {
    const { isPlain, start } = compileGlob(text);
    return { text, isPlain, place: start };
  });
  if (patterns.length > 0) await visit({ folder: tree.root, patterns, gitIgnored: [] });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * True if the entry is the path of a pattern without wildcards, or a folder above that path. Such an entry is included
 * even if Git ignores it.
 */
function isNamed(next: readonly Pattern[], before: readonly Pattern[]): boolean {
  return next.some(
    ({ isPlain, text }) =>
      isPlain && before.some((pattern) => pattern.text === text && !pattern.place.isMatch),
  );
}

/**
 * True if Git ignores the entry: the innermost `.gitignore` with a matching rule decides. The caller must have checked
 * the parent folders.
 */
function isGitIgnored(all: Visited["gitIgnored"], path: string, isFolder: boolean): boolean {
  for (const [folder, rules] of all) {
    const said = rules.ignoreVerdict(pathBelow(path, folder), isFolder);
    if (said !== undefined) return said === "ignored";
  }
  return false;
}
