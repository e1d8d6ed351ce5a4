/** The name of the file with the SHA-256 hashes of all sent files. It is the last entry of the archive. */
export const sumsName = ".sha256sums";

// Java's URI parser rejects most of these characters. Hadoop expands `*` and `?`, Spark splits at `,` and `#`,
// and `%` starts an escape.
const refused = new Set(' ",#%*<>?[\\]^`{|}');

/**
 * Returns the reason why Spark's lists of files cannot contain the name, to complete "Cannot send FILE: …". Undefined
 * if they can.
 */
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
