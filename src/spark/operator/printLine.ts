import { commandOptions } from "../submit/options.ts";

/** The command as a person would write it into a script: an option a line, quoted for a POSIX shell. */
export function printCommandLine(tokens: readonly string[]): string {
  const lines: string[] = [];
  let at = 0;
  for (let token = tokens[at]; token?.startsWith("--"); token = tokens[at]) {
    const count = withValue.has(token) ? 2 : 1;
    lines.push(
      tokens
        .slice(at, at + count)
        .map(quoted)
        .join(" "),
    );
    at += count;
  }
  if (at < tokens.length) lines.push(tokens.slice(at).map(quoted).join(" "));
  return `${["spark-submit", ...lines].join(" \\\n  ")}\n`;
}

const withValue: ReadonlySet<string> = new Set(
  commandOptions.flatMap(({ name, kind }) => (kind === "value" ? [name] : [])),
);

// Whoever reads a line takes <name> for something to fill in, in quotes too; what is meant as it is gets split.
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word)
    ? word
    : `'${word.replaceAll("'", `'\\''`).replaceAll(/<(?=[^<>]*>)/g, "<''")}'`;
