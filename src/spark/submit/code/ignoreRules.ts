import { withoutEnd } from "../../../base/withoutEnd.ts";
import { compileGlob, type GlobPlace, type PathGlob } from "./pathGlob.ts";

/** The rules of one `.gitignore` or `.sparkignore` file, for paths relative to its folder. */
export interface IgnoreRules {
  /** Returns the verdict of the last rule that matches this entry itself. Undefined if no rule matches it. */
  ignoreVerdict(path: string, isFolder: boolean): "ignored" | "kept" | undefined;
  /** True if a rule ignores the entry or a folder above it. No rule can keep an entry in an ignored folder. */
  ignores(path: string, isFolder: boolean): boolean;
}

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly forFolders: boolean;
  readonly glob: PathGlob;
}

const maxRules = 1_000;
const maxRuleLength = 1_000;

/**
 * Parses the syntax of `.gitignore`: comments, `!`, `*`, `**`, `?`, `[a-c]` and `\`. A leading or inner `/` makes a
 * rule relative to the file's folder; a trailing `/` limits it to folders. Reads at most 1,000 rules, and ignores rules
 * of more than 1,000 characters.
 */
export function readIgnoreRules(text: string): IgnoreRules {
  const rules = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .flatMap(ruleOf)
    .slice(0, maxRules)
    .reverse();
  const ignoreVerdict: IgnoreRules["ignoreVerdict"] = (path, isFolder) => {
    const names = path.split("/");
    const rule = rules.find(
      ({ forFolders, glob }) => (isFolder || !forFolders) && matchesWhole(glob, names),
    );
    return rule === undefined ? undefined : rule.isNegated ? "kept" : "ignored";
  };
  return {
    ignoreVerdict,
    ignores: (path, isFolder) => {
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
        if (ignoreVerdict(path.slice(0, at), true) === "ignored") return true;
      }
      return ignoreVerdict(path, isFolder) === "ignored";
    },
  };
}

function ruleOf(line: string): readonly IgnoreRule[] {
  if (line.length > maxRuleLength || line.startsWith("#")) return [];
  // Git keeps a trailing space only after a backslash.
  const trimmed = withoutEnd(line, " ");
  const written = trimmed.endsWith("\\") && trimmed !== line ? `${trimmed} ` : trimmed;
  const isNegated = written.startsWith("!");
  const pattern = isNegated ? written.slice(1) : written;
  const forFolders = pattern.endsWith("/");
  const bare = withoutEnd(pattern, "/");
  if (bare === "") return [];
  const glob = compileGlob(bare.includes("/") ? bare : `**/${bare}`, false);
  return [{ isNegated, forFolders, glob }];
}

function matchesWhole(glob: PathGlob, names: readonly string[]): boolean {
  let place: GlobPlace = glob.start;
  for (const name of names) {
    if (place.isOver) return false;
    place = place.step(name);
  }
  return place.isMatch;
}
