import type { PastedCommand } from "./parsePastedCommand.ts";
import type { ShellWord } from "./shellWord.ts";

/** A pasted command with its variables filled in. */
interface FilledCommand {
  /** The arguments of spark-submit. */
  readonly tokens: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Fills the values into the tokens like a shell. Outside quotes, splits a value at whitespace; an empty value gives no
 * word. A variable without a value is empty.
 */
export function fillPasted(
  { tokens, environment }: PastedCommand,
  values: ReadonlyMap<string, string>,
): FilledCommand {
  return {
    tokens: tokens.flatMap((token) => fillWord(token, values)),
    environment: Object.fromEntries(
      environment.map(({ name, value }) => [name, fillWhole(value, values)]),
    ),
  };
}

function fillWhole({ parts }: ShellWord, values: ReadonlyMap<string, string>): string {
  return parts
    .map((part) => (part.kind === "variable" ? (values.get(part.name) ?? "") : part.text))
    .join("");
}

function fillWord({ parts }: ShellWord, values: ReadonlyMap<string, string>): readonly string[] {
  const words: string[] = [];
  // Undefined until the word has a part. Empty quotes count as a part, so they give an empty word.
  let word: string | undefined;
  const end = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  for (const part of parts) {
    const value = part.kind === "variable" ? (values.get(part.name) ?? "") : part.text;
    // The value of a placeholder stays one word, even with spaces.
    if (part.kind !== "variable" || part.isQuoted || part.name.startsWith("<")) {
      word = (word ?? "") + value;
      continue;
    }
    const pieces = value.split(/[ \t\n]+/);
    pieces.forEach((piece, index) => {
      if (index > 0) end();
      if (piece !== "") word = (word ?? "") + piece;
    });
  }
  end();
  return words;
}
