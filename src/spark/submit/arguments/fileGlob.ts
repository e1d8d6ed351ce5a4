import { compileLinear, type LinearPattern } from "../../../base/linearPattern.ts";
import type { LocalFiles } from "../conf/localFiles.ts";

/**
 * Returns the regular files that match a Hadoop glob (`*`, `?`, `[a-c]`, `[^a]`, `{a,b}`). Undefined if the path has no
 * glob and does not exist; a later check reports the missing file. `malformed`: Hadoop cannot parse the glob, the path
 * is too long, or the expansion has too many steps.
 */
export function expandFileGlob(
  path: string,
  files: LocalFiles,
): readonly string[] | "malformed" | undefined {
  if (!/[*?[\]{}\\]/.test(path)) {
    const kind = files.kind(path);
    return kind === undefined ? undefined : kind === "file" ? [path] : [];
  }
  // Hadoop parses the text before a colon as a scheme.
  if (path.includes(":") || path.length > maxPathLength) return "malformed";
  const patterns = new Map<string, LinearPattern | undefined>();
  let found: readonly string[] = [""];
  let steps = 0;
  for (const part of path.split("/").slice(1)) {
    if (!patterns.has(part)) patterns.set(part, toPattern(part));
    const pattern = patterns.get(part);
    if (pattern === undefined) return "malformed";
    steps += found.length;
    if (steps > maxSteps) return "malformed";
    found = found.flatMap((directory) =>
      /[*?[\]{}\\]/.test(part)
        ? files
            .names(directory === "" ? "/" : directory)
            .filter((name) => pattern.test(name))
            .map((name) => `${directory}/${name}`)
        : [`${directory}/${part}`],
    );
  }
  return found.filter((candidate) => files.kind(candidate) === "file");
}

// The maximum number of paths in all steps of the expansion. Each path segment is a step, and can multiply the paths,
// for example by symbolic links to a parent folder.
const maxSteps = 20_000;
// PATH_MAX of Linux.
const maxPathLength = 4_096;

function toPattern(glob: string): LinearPattern | undefined {
  let source = "";
  let groups = 0;
  for (let index = 0; index < glob.length; index++) {
    const char = glob[index] ?? "";
    if (char === "*") source += ".*";
    else if (char === "?") source += ".";
    else if (char === "{") {
      groups++;
      source += "(?:";
    } else if (char === "}" && groups > 0) {
      groups--;
      source += ")";
    } else if (char === "," && groups > 0) source += "|";
    else if (char === "[") {
      const end = glob.indexOf("]", index + 2);
      if (end < 0) return undefined;
      const inside = glob
        .slice(index + 1, end)
        .replace(/^!/, "^")
        .replace(/[\\[]/g, "\\$&");
      source += `[${inside}]`;
      index = end;
    } else if (char === "\\") {
      index++;
      source += escapeRegExp(glob[index] ?? "\\");
    } else source += escapeRegExp(char);
  }
  if (groups > 0) return undefined;
  const compiled = compileLinear(`(?s)^(?:${source})$`, { for: "text" });
  return compiled.ok ? compiled.value : undefined;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
