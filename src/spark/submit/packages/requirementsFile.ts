import { parseRequirement, type Requirement } from "./requirement.ts";

/** The content of a `requirements.txt`. */
export interface RequirementsFile {
  readonly requirements: readonly Requirement[];
  /** `-r` and `-c`: further files, relative to this one. */
  readonly includes: readonly RequirementsInclude[];
  /** Options for the package index, such as `--index-url https://…`. */
  readonly options: readonly string[];
  /** Paths of local files or projects, such as that of `-e .`. These are not packages of an index. */
  readonly local: readonly string[];
  /** Other lines, except options for binaries and hashes such as `--only-binary`, which are dropped. */
  readonly unread: readonly string[];
}

export interface RequirementsInclude {
  readonly path: string;
  readonly kind: "requirements" | "constraints";
}

const indexOptions = new Set([
  "-i",
  "--index-url",
  "--extra-index-url",
  "--trusted-host",
  "--pre",
  "--no-index",
  "-f",
  "--find-links",
]);

/** Parses pip's requirements format. Never throws: returns lines that cannot be parsed in `unread`. */
export function readRequirementsFile(text: string): RequirementsFile {
  const requirements: Requirement[] = [];
  const includes: RequirementsInclude[] = [];
  const options: string[] = [];
  const local: string[] = [];
  const unread: string[] = [];
  for (const line of logicalLines(text)) {
    const end = line.search(/[\s=]/);
    const option = line.startsWith("-") ? line.slice(0, end < 0 ? undefined : end) : undefined;
    if (option !== undefined) {
      const given = end < 0 ? "" : line.slice(end + 1).trim();
      if (option === "-r" || option === "--requirement") {
        includes.push({ path: given, kind: "requirements" });
      } else if (option === "-c" || option === "--constraint") {
        includes.push({ path: given, kind: "constraints" });
      } else if (option === "-e" || option === "--editable") {
        local.push(given);
      } else if (indexOptions.has(option)) {
        options.push(given === "" ? option : `${option} ${given}`);
      } else if (!/^--(?:no-binary|only-binary|prefer-binary|require-hashes)$/.test(option)) {
        unread.push(line);
      }
      continue;
    }
    if (isPath(line)) {
      local.push(line);
      continue;
    }
    const hashes = [...line.matchAll(/\s--hash[=\s]([a-z0-9]+:[0-9a-f]+)/g)].map(
      ([, hash = ""]) => hash,
    );
    const requirement = parseRequirement(line.split(/\s--/)[0] ?? "");
    if (requirement === undefined) unread.push(line);
    else requirements.push({ ...requirement, hashes });
  }
  return { requirements, includes, options, local, unread };
}

const isPath = (line: string): boolean =>
  /^(?:\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:[/\\]|file:)/.test(line) ||
  /^[^\s@;[]+\.(?:whl|zip|tar\.gz)$/.test(line);

/** Returns the lines without comments. Joins a line that ends with a backslash with the next one. */
function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let joined = "";
  for (const line of text.split(/\r?\n/)) {
    const isComment = /^\s*#/.test(line);
    const content = isComment ? "" : (line.split(/\s#/)[0] ?? "");
    if (!isComment && content.endsWith("\\")) {
      joined += `${content.slice(0, -1)} `;
      continue;
    }
    lines.push((joined + content).trim());
    joined = "";
  }
  lines.push(joined.trim());
  return lines.filter((line) => line !== "");
}
