import type { PastedCommand } from "./parsePastedCommand.ts";
import type { ShellWord } from "./shellWord.ts";

/** What a pasted command says once its variables are known. */
export interface FilledCommand {
  /** As spark-submit gets them. */
  readonly tokens: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Puts the values into the tokens as a shell does: outside quotes a value falls apart at its blanks, and an
 * empty one leaves nothing. A variable without a value is as good as empty, as it is to a shell.
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
  // Undefined until something, be it an empty text in quotes, is there.
  let word: string | undefined;
  const end = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  for (const part of parts) {
    const value = part.kind === "variable" ? (values.get(part.name) ?? "") : part.text;
    // What a person fills in for a placeholder is one thing, whatever blanks are in it.
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
