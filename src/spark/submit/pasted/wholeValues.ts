import type { PastedCommand } from "./parsePastedCommand.ts";
import { textOfWord, type ShellWord } from "./shellWord.ts";

const flags = /^(?:-v|-h|--verbose|--supervise|--help|--version)$/;

/** Returns the variables that are the whole value of an option or of a conf entry, such as `spark.app.name=$NAME`. */
export function wholeValues({ tokens }: Pick<PastedCommand, "tokens">): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens[at];
    const text = word === undefined ? "" : textOfWord(word);
    // All words after the application resource are the application's own arguments.
    if (word === undefined || !text.startsWith("-")) break;
    const hasValue = flags.test(text) || text.includes("=");
    const value = hasValue ? word : tokens[(at += 1)];
    const name = value && nameAtEnd(value);
    if (name !== undefined) names.add(name);
  }
  return names;
}

/** Returns `NAME` for `$NAME` and for `a=$NAME`. Undefined for other words. */
function nameAtEnd({ parts }: ShellWord): string | undefined {
  const [first, second, ...more] = parts;
  if (first?.kind === "variable") return second === undefined ? first.name : undefined;
  const isEntry = first?.kind === "text" && /^[^=]*(?:=[^=]+)?=$/.test(first.text);
  return isEntry && second?.kind === "variable" && more.length === 0 ? second.name : undefined;
}
