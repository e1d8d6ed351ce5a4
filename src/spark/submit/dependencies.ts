import { expandFileGlob } from "./fileGlob.ts";
import { absolutePath } from "./localPath.ts";
import { problems } from "./problems.ts";
import type { Checked, Origin, SubmissionFinding } from "./submissionFinding.ts";
import type { Surroundings } from "./surroundings.ts";
import { decodeUriPart, fileUri, parseUri } from "./uri.ts";

/** The conf keys that hold lists of files to ship with an application. */
export const dependencyKeys = [
  "spark.jars",
  "spark.files",
  "spark.archives",
  "spark.submit.pyFiles",
] as const;

/** A URI with a scheme is kept byte for byte; all else is a path of this machine and becomes one. */
export function resolveUri(text: string, surroundings: Surroundings): string {
  const uri = parseUri(text);
  if (uri?.scheme !== undefined) return text;
  const { files, workingDirectory } = surroundings;
  if (uri?.fragment !== undefined) {
    // Spark resolves links and `..` only where there is no fragment.
    const path = absolutePath(decodeUriPart(uri.path ?? ""), workingDirectory);
    return `${fileUri(path)}#${uri.fragment}`;
  }
  const path = files.canonical(absolutePath(text, workingDirectory));
  return fileUri(files.kind(path) === "directory" && path !== "/" ? `${path}/` : path);
}

/**
 * A list of files as URIs. Patterns over files of this machine are replaced by what they match; patterns
 * elsewhere stay, since the driver looks at them again. Blank entries are dropped, others not trimmed.
 */
export function resolveList(
  list: string,
  key: string,
  origin: Origin,
  surroundings: Surroundings,
): Checked<string> {
  const findings: SubmissionFinding[] = [];
  const resolved = list
    .split(",")
    .filter((part) => part.trim() !== "")
    .flatMap((part) => {
      const entry = resolveEntry(part, surroundings);
      switch (entry.kind) {
        case "uris":
          return entry.uris;
        case "ambiguous":
          findings.push(problems.ambiguousGlob(part, origin, key));
          return [];
        case "notUri":
          findings.push(problems.badUri(part, origin, key));
          return [];
      }
    });
  return { value: resolved.join(","), findings };
}

/** Schemes that spark-submit looks at no closer. */
const passedOn: ReadonlySet<string> = new Set(["local", "http", "https", "ftp"]);

type ListEntry =
  | { readonly kind: "uris"; readonly uris: readonly string[] }
  | { readonly kind: "ambiguous" | "notUri" };

function resolveEntry(part: string, surroundings: Surroundings): ListEntry {
  // A blank before a scheme makes a path of it that cannot be, and Spark stops there.
  if (/^\s+[A-Za-z][A-Za-z0-9+.-]*:/.test(part)) return { kind: "notUri" };
  const uri = resolveUri(part, surroundings);
  const hash = uri.indexOf("#");
  const [base, fragment] = hash < 0 ? [uri, ""] : [uri.slice(0, hash), uri.slice(hash)];
  const parsed = parseUri(base);
  // Brackets stay as they are in the URI of a file, which then is none: no such pattern gets further.
  if (parsed === undefined) return { kind: "notUri" };
  const { scheme } = parsed;
  if (scheme !== undefined && !passedOn.has(scheme)) {
    // What has no path behind its scheme is of no file system, and a single letter is a drive of Windows.
    if (parsed.path === undefined || scheme.length === 1) return { kind: "notUri" };
  }
  if (scheme !== "file") return { kind: "uris", uris: [uri] };
  // What follows a "?" is a query by then, and no part of the path.
  const [path = ""] = decodeUriPart(parsed.path ?? "")
    .replace(/^\/{2,}/, "/")
    .split("?");
  const matches = expandFileGlob(path, surroundings.files);
  if (matches === "malformed") return { kind: "notUri" };
  if (matches === undefined) return { kind: "uris", uris: [uri] };
  if (fragment !== "" && matches.length > 1) return { kind: "ambiguous" };
  return { kind: "uris", uris: matches.map((match) => `${fileUri(match)}${fragment}`) };
}

/** A file that the cluster cannot see as it is: without a scheme, or `file:`. */
export function isLocalFile(uri: string): boolean {
  if (uri === "spark-internal") return false;
  const scheme = parseUri(uri)?.scheme;
  return scheme === undefined || scheme === "file";
}
