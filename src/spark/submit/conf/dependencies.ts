import { expandFileGlob } from "../arguments/fileGlob.ts";
import { absolutePath } from "../arguments/localPath.ts";
import { problems } from "../plan/problems.ts";
import type { Checked, FindingOrigin, SubmissionFinding } from "../plan/submissionFinding.ts";
import type { SubmissionEnvironment } from "./environment.ts";
import { decodeUriPart, fileUri, parseUri } from "../arguments/uri.ts";

/** The conf keys that list the dependencies of an application. */
export const dependencyKeys = [
  "spark.jars",
  "spark.files",
  "spark.archives",
  "spark.submit.pyFiles",
] as const;

/** Keeps a URI with a scheme unchanged; converts a local path into a `file:` URI. */
export function resolveUri(text: string, submissionEnvironment: SubmissionEnvironment): string {
  const uri = parseUri(text);
  if (uri?.scheme !== undefined) return text;
  const { files, workingDirectory } = submissionEnvironment;
  if (uri?.fragment !== undefined) {
    // Keeps links and `..`, because Spark resolves them only in a path without a fragment.
    const path = absolutePath(decodeUriPart(uri.path ?? ""), workingDirectory);
    return `${fileUri(path)}#${uri.fragment}`;
  }
  const path = files.canonical(absolutePath(text, workingDirectory));
  return fileUri(files.kind(path) === "directory" && path !== "/" ? `${path}/` : path);
}

/**
 * Converts a list of files to URIs. Expands globs of local files and keeps remote globs, which the driver expands.
 * Drops blank entries and does not trim the others.
 */
export function resolveList(
  list: string,
  key: string,
  origin: FindingOrigin,
  submissionEnvironment: SubmissionEnvironment,
): Checked<string> {
  const findings: SubmissionFinding[] = [];
  const resolved = list
    .split(",")
    .filter((part) => part.trim() !== "")
    .flatMap((part) => {
      const entry = resolveEntry(part, submissionEnvironment);
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

/** Schemes of URIs that spark-submit passes on without a check. */
const passedOn: ReadonlySet<string> = new Set(["local", "http", "https", "ftp"]);

type ListEntry =
  | { readonly kind: "uris"; readonly uris: readonly string[] }
  | { readonly kind: "ambiguous" | "notUri" };

function resolveEntry(part: string, submissionEnvironment: SubmissionEnvironment): ListEntry {
  // Spark fails on a space before a scheme: the text becomes an invalid path.
  if (/^\s+[A-Za-z][A-Za-z0-9+.-]*:/.test(part)) return { kind: "notUri" };
  const uri = resolveUri(part, submissionEnvironment);
  const hash = uri.indexOf("#");
  const [base, fragment] = hash < 0 ? [uri, ""] : [uri.slice(0, hash), uri.slice(hash)];
  const parsed = parseUri(base);
  // Spark keeps brackets unescaped in a file URI, which makes the URI invalid.
  if (parsed === undefined) return { kind: "notUri" };
  const { scheme } = parsed;
  if (scheme !== undefined && !passedOn.has(scheme)) {
    // A URI without a path is not a file; a one-letter scheme is a Windows drive.
    if (parsed.path === undefined || scheme.length === 1) return { kind: "notUri" };
  }
  if (scheme !== "file") return { kind: "uris", uris: [uri] };
  // Drops the text after `?`, because Spark parses it as a query.
  const [path = ""] = decodeUriPart(parsed.path ?? "")
    .replace(/^\/{2,}/, "/")
    .split("?");
  const matches = expandFileGlob(path, submissionEnvironment.files);
  if (matches === "malformed") return { kind: "notUri" };
  if (matches === undefined) return { kind: "uris", uris: [uri] };
  if (fragment !== "" && matches.length > 1) return { kind: "ambiguous" };
  return { kind: "uris", uris: matches.map((match) => `${fileUri(match)}${fragment}`) };
}

/** True for a file that the cluster cannot read directly: its URI has no scheme, or the scheme `file:`. */
export function isLocalFile(uri: string): boolean {
  if (uri === "spark-internal") return false;
  const scheme = parseUri(uri)?.scheme;
  return scheme === undefined || scheme === "file";
}
