/** Splits options at blanks as the launcher of the JVM does: quotes hold together, a backslash escapes. */
export function shellWords(text: string): readonly string[] {
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
    // Within single quotes a backslash is one.
    if (char === "\\" && quote !== "'" && index + 1 < text.length) char = text[++index] ?? "";
    word += char;
  }
  return word === undefined ? words : [...words, word];
}
