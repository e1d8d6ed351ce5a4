/** In what the shells differ, as far as a pasted command shows it. */
export interface Dialect {
  /** At the end of a line: the command goes on in the next. */
  readonly continuation: "\\" | "^" | "`";
  /** Takes its meaning from the next character; undefined: no character does outside quotes. */
  readonly escape: "\\" | "`" | undefined;
  readonly hasSingleQuotes: boolean;
  /** `$NAME` and `${NAME}`, or `%NAME%`. */
  readonly variables: "dollar" | "percent";
  /** A quote within quotes is written twice. */
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

/** Which shell a text is for; that of the scripts of Unix unless it shows a mark of another. */
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
