import type { LocalFiles } from "./localFiles.ts";

/**
 * The regular files that a pattern of Hadoop's kind (`*`, `?`, `[a-c]`, `[^a]`, `{a,b}`) matches. Undefined:
 * no pattern, and nothing of that name, which is for someone later to complain of.
 */
export function expandFileGlob(
  path: string,
  files: LocalFiles,
): readonly string[] | "malformed" | undefined {
  if (!/[*?[\]{}\\]/.test(path)) {
    const kind = files.kind(path);
    return kind === undefined ? undefined : kind === "file" ? [path] : [];
  }
  // Hadoop takes what stands before a colon for a scheme.
  if (path.includes(":")) return "malformed";
  let found: readonly string[] = [""];
  for (const part of path.split("/").slice(1)) {
    const pattern = toPattern(part);
    if (pattern === undefined) return "malformed";
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

function toPattern(glob: string): RegExp | undefined {
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
  return groups > 0 ? undefined : new RegExp(`^${source}$`, "s");
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
