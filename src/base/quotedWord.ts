/** Returns the word for a POSIX shell, in single quotes if it needs them. */
export const quotedWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
