/** The list of hashes at the end of a transfer. */
export const sumsName = ".sha256sums";

// Java's URI refuses these, except `*` and `?`, which Hadoop expands, `,` and `#`, which Spark splits at, and `%`.
const refused = new Set(' ",#%*<>?[\\]^`{|}');

/** Why Spark's lists of files cannot hold the name; undefined if they can. Completes "Cannot send FILE: …". */
export function codeNameProblem(name: string): string | undefined {
  if (name === sumsName) return "the transfer uses this name. Rename the file.";
  for (const char of name) {
    if (char < " " || (char >= "\u007f" && char <= "\u00a0")) {
      return "its name contains a control character. Rename the file.";
    }
    if (refused.has(char)) {
      const shown = char === " " ? "a space" : `"${char}"`;
      return `its name contains ${shown}, which Spark cannot read in a list of files. Rename the file.`;
    }
  }
  return undefined;
}
