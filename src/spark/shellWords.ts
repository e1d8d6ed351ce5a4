/**
 * The scope of backslash escapes outside single quotes. `everywhere`: they always apply, as in
 * `CommandBuilderUtils.parseOptionString` of Spark's launcher. `inDoubleQuotes`: they apply only in double quotes, as
 * in `Utils.splitCommandString`.
 */
export type BackslashRule = "everywhere" | "inDoubleQuotes";

/** Splits text into words at whitespace outside quotes. An unclosed quote extends to the end of the text. */
export function shellWords(text: string, backslash: BackslashRule): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < text.length; index++) {
    let char = text[index] ?? "";
    if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= "";
    if (char === quote) {
      quote = undefined;
      continue;
    }
    if (quote === undefined && (char === "'" || char === '"')) {
      quote = char;
      continue;
    }
    const isEscape = quote === '"' || (quote === undefined && backslash === "everywhere");
    if (char === "\\" && isEscape && index + 1 < text.length) char = text[++index] ?? "";
    word += char;
  }
  return word === undefined ? words : [...words, word];
}
