import type { PastedCommand } from "./parsePastedCommand.ts";
import { textOfWord, type ShellWord } from "./shellWord.ts";

const flags = /^(?:-v|-h|--verbose|--supervise|--help|--version)$/;

/** The variables that are the whole value of an option or of a conf entry of spark-submit, such as `spark.app.name=$NAME`. */
export function wholeValues({ tokens }: Pick<PastedCommand, "tokens">): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens[at];
    const text = word === undefined ? "" : textOfWord(word);
    // The arguments after the application are its own.
    if (word === undefined || !text.startsWith("-")) break;
    const hasValue = flags.test(text) || text.includes("=");
    const value = hasValue ? word : tokens[(at += 1)];
    const name = value && nameAtEnd(value);
    if (name !== undefined) names.add(name);
  }
  return names;
}

/** `NAME` of `$NAME` and of `a=$NAME`. */
function nameAtEnd({ parts }: ShellWord): string | undefined {
  const [first, second, ...more] = parts;
  if (first?.kind === "variable") return second === undefined ? first.name : undefined;
  const isEntry = first?.kind === "text" && /^[^=]*(?:=[^=]+)?=$/.test(first.text);
  return isEntry && second?.kind === "variable" && more.length === 0 ? second.name : undefined;
}
