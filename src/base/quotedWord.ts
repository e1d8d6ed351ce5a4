/** Quotes a word for a POSIX shell. Adds single quotes only if the word needs them. */
export const quotedWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
