/** A dependency of a Python program (PEP 508). */
export interface Requirement {
  /** Normalized (PEP 503). */
  readonly name: string;
  /** The normalized names of the requested extras. */
  readonly extras: readonly string[];
  /** A version specifier (PEP 440), such as `>=1.2,<2`. Empty: any version. */
  readonly specifier: string;
  /** An environment marker. Undefined: the requirement always applies. */
  readonly marker: string | undefined;
  /** The URL of a direct reference, such as `git+https://…`. */
  readonly url: string | undefined;
  /** The hashes of the accepted files, such as `sha256:…`. Empty: any file. */
  readonly hashes: readonly string[];
}

const maxLength = 4_000;
const namePattern = /^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*/;

/** Parses a requirement. Undefined if the text is not one. */
export function parseRequirement(text: string): Requirement | undefined {
  if (text.length > maxLength) return undefined;
  const [start, name] = namePattern.exec(text) ?? [];
  if (start === undefined || name === undefined) return undefined;
  let rest = text.slice(start.length);
  let extras: readonly string[] = [];
  if (rest.startsWith("[")) {
    const end = rest.indexOf("]");
    if (end < 0) return undefined;
    extras = namesIn(rest.slice(1, end));
    rest = rest.slice(end + 1).trimStart();
  }
  const parts = { name: normalizedName(name), extras, hashes: [] };
  if (rest.startsWith("@")) {
    // A marker after a URL needs a space before its semicolon.
    const at = rest.indexOf(" ;");
    const url = (at < 0 ? rest.slice(1) : rest.slice(1, at)).trim();
    return { ...parts, specifier: "", url, marker: at < 0 ? undefined : rest.slice(at + 2).trim() };
  }
  const at = rest.indexOf(";");
  const written = (at < 0 ? rest : rest.slice(0, at)).trim();
  const specifier = written.replace(/^\((.*)\)$/, "$1").replace(/\s+/g, "");
  if (specifier !== "" && !/^[<>=!~]/.test(specifier)) return undefined;
  const marker = at < 0 ? undefined : rest.slice(at + 1).trim();
  return { ...parts, specifier, url: undefined, marker };
}

export const normalizedName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

const namesIn = (list: string): readonly string[] =>
  list
    .split(",")
    .map((name) => normalizedName(name.trim()))
    .filter((name) => name !== "");

/** Returns the line for a requirements file, without the marker. */
export function requirementText({ name, extras, specifier, url, hashes }: Requirement): string {
  const bracket = extras.length === 0 ? "" : `[${extras.join(",")}]`;
  const target = url === undefined ? specifier : ` @ ${url}`;
  return [`${name}${bracket}${target}`, ...hashes.map((hash) => `--hash=${hash}`)].join(" ");
}
