/** The reason why an installation failed. `detail`: untrusted output of uv or pip. */
export type InstallFailure =
  /** Neither uv nor pip was found. */
  | { readonly kind: "noTool" }
  | { readonly kind: "unreachable"; readonly detail: string }
  /** A package has no wheel for the image's Python and platform. */
  | { readonly kind: "noWheel"; readonly detail: string }
  /** No version meets the requirement, or the package does not exist. */
  | { readonly kind: "notFound"; readonly detail: string }
  | { readonly kind: "wrongHash"; readonly detail: string }
  | { readonly kind: "tooLarge"; readonly detail: string }
  | { readonly kind: "other"; readonly detail: string };

const rules: readonly (readonly [
  RegExp,
  InstallFailure["kind"] & ("unreachable" | "noWheel" | "notFound" | "wrongHash"),
])[] = [
  [
    /failed to fetch|error sending request|newconnectionerror|connection refused|timed out|dns error|failed to establish a new connection|name or service not known|temporary failure in name resolution|max retries exceeded|tunnel connection failed|certificate verify failed|(?:status code|http error):? ?(?:401|403|5\d\d)/i,
    "unreachable",
  ],
  [/hash mismatch|do not match the hashes/i, "wrongHash"],
  [
    /no (?:usable |compatible )?wheels?|no wheels with a matching|only-binary|has no wheels|no source distribution/i,
    "noWheel",
  ],
  [
    /no matching distribution|could not find a version|was not found in the package registry|no solution found|because there (?:is|are) no version|resolutionimpossible/i,
    "notFound",
  ],
];

/** Returns the cause of the failure, recognized in the output of uv or pip. */
export function installFailure(output: string): InstallFailure {
  const detail = lastWords(output);
  const found = rules.find(([pattern]) => pattern.test(output));
  return { kind: found?.[1] ?? "other", detail };
}

const maxDetail = 1_000;

/** Returns up to eight lines from the first error line on, or else the last five lines; at most 1,000 characters. */
function lastWords(output: string): string {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== "");
  const at = lines.findIndex((line) => /^\s*(?:error|×|ERROR)/i.test(line));
  const shown = at < 0 ? lines.slice(-5) : lines.slice(at, at + 8);
  return shown.join("\n").slice(0, maxDetail);
}
