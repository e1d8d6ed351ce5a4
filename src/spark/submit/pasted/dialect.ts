/** The syntax differences between shells. */
export interface Dialect {
  /** The character that continues a command at the end of a line. */
  readonly continuation: "\\" | "^" | "`";
  /** Escapes the next character; undefined if the shell has no escape outside quotes. */
  readonly escape: "\\" | "`" | undefined;
  readonly hasSingleQuotes: boolean;
  /** `dollar`: `$NAME` and `${NAME}`. `percent`: `%NAME%`. */
  readonly variables: "dollar" | "percent";
  /** True if a doubled quote inside quotes is a literal quote. */
  readonly doublesQuotes: boolean;
  readonly hasBackquotes: boolean;
}

const posix: Dialect = {
  continuation: "\\",
  escape: "\\",
  hasSingleQuotes: true,
  variables: "dollar",
  doublesQuotes: false,
  hasBackquotes: true,
};

const commandPrompt: Dialect = {
  continuation: "^",
  escape: undefined,
  hasSingleQuotes: false,
  variables: "percent",
  doublesQuotes: true,
  hasBackquotes: false,
};

const powerShell: Dialect = {
  continuation: "`",
  escape: "`",
  hasSingleQuotes: true,
  variables: "dollar",
  doublesQuotes: true,
  hasBackquotes: false,
};

/** Detects the shell syntax of a text. Returns POSIX unless the text contains syntax of another shell. */
export function dialectOf(text: string): Dialect {
  if (/`[ \t]{0,8}\r?\n/.test(text) || /^[ \t]{0,8}PS [^\s>]{0,200}> /m.test(text)) {
    return powerShell;
  }
  const isWindows =
    /\^[ \t]{0,8}\r?\n/.test(text) ||
    /\bspark-submit2?\.cmd\b/i.test(text) ||
    /^[ \t]{0,8}"?[A-Za-z]:\\/m.test(text);
  return isWindows ? commandPrompt : posix;
}
