import { quotedWord } from "../../base/quotedWord.ts";
import { commandOptions } from "../submit/arguments/options.ts";

/** Prints the command for a script: one option per line, quoted for a POSIX shell. */
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

// Quotes a word. Splits a literal `<name>`, because the paste parser takes it for a placeholder even in quotes.
const quoted = (word: string): string => quotedWord(word).replaceAll(/<(?=[^<>]*>)/g, "<''");
