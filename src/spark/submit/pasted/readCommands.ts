import type { Span } from "../../../base/span.ts";
import { cellsOf } from "./cells.ts";
import type { Dialect } from "./dialect.ts";
import { charAt, charsOf, readExpansion } from "./expansion.ts";
import { pastedProblems, type PastedEdit, type PastedFinding } from "./pastedFinding.ts";
import type { ShellWord, WordPart } from "./shellWord.ts";

export type ShellCommand = readonly ShellWord[];

interface PastedCommands {
  /** Empty commands are omitted. */
  readonly commands: readonly ShellCommand[];
  readonly findings: readonly PastedFinding[];
}

const doubleQuotes = '"\u201c\u201d\u201e\u201f\u00ab\u00bb';
const singleQuotes = "'\u2018\u2019\u201a\u201b";
const longDashes = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212";
const oddBlanks = "\u00a0\u2002\u2003\u2009\u202f\u200b\ufeff";

// Matches shell prompts: `$ `, `PS C:\> `, `C:\>`, `me@host:~$ `.
const prompt =
  /[ \t]{0,16}(?:[$%][ \t]|PS [^\s>]{0,200}>[ \t]|[A-Za-z]:\\[^\s>]{0,200}>|\[?[\w.-]{1,64}@[\w.-]{1,64}[^\n$#]{0,200}[$#][ \t])[ \t]{0,16}/y;
const secondPrompt = />[ \t]{1,16}/y;

/**
 * Splits a text into commands and words by shell rules. Expands and runs nothing. If a shell would end a command too
 * early, continues the command and reports a finding.
 */
export function readCommands(text: string, dialect: Dialect): PastedCommands {
  const cells = cellsOf(text);
  const findings: PastedFinding[] = [];
  const edits: PastedEdit[] = [];
  const commands: ShellCommand[] = [];
  let command: ShellWord[] = [];
  let parts: WordPart[] = [];
  let literal = "";
  let wordStart: number | undefined;
  // `isName`: true in the name of an option, where a long dash is read as `-`.
  const option = { isName: false };
  // The offset of a redirection whose file name is the next word. That word is not part of the command.
  let redirection: number | undefined;
  let at = 0;

  const offset = (index: number): number => cells[index]?.start ?? text.length;
  const spanOf = (start: number, end: number): Span => ({ start: offset(start), end: offset(end) });
  const plain = (index: number, char: string): void => {
    edits.push({ span: spanOf(index, index + 1), text: char });
  };
  const add = (char: string): void => {
    wordStart ??= at;
    if (char === "=") option.isName = false;
    literal += char;
  };
  const addPart = (part: WordPart): void => {
    if (literal !== "") parts.push({ kind: "text", text: literal });
    literal = "";
    parts.push(part);
  };
  const endWord = (): void => {
    if (wordStart !== undefined) {
      if (literal !== "" || parts.length === 0) parts.push({ kind: "text", text: literal });
      const span = spanOf(wordStart, at);
      if (redirection === undefined) command.push({ parts, span });
      else {
        const whole = { start: offset(redirection), end: span.end };
        const what = text.slice(whole.start, whole.end);
        findings.push(pastedProblems.leftOut(what, whole));
      }
      redirection = undefined;
    }
    parts = [];
    literal = "";
    wordStart = undefined;
    option.isName = false;
  };
  const endCommand = (): void => {
    endWord();
    redirection = undefined;
    if (command.length > 0) commands.push(command);
    command = [];
  };
  const skipTo = (position: number): void => {
    while (at < cells.length && offset(at) < position) at++;
  };
  const skipPrompt = (): void => {
    for (const pattern of [prompt, secondPrompt]) {
      pattern.lastIndex = offset(at);
      if (pattern.test(text)) skipTo(pattern.lastIndex);
    }
  };
  const endOfLine = (from: number): number => {
    let end = from;
    while (end < cells.length && charAt(cells, end) !== "\n") end++;
    return end;
  };
  const skipBlanks = (from: number): number => {
    let index = from;
    while (isBlank(charAt(cells, index))) index++;
    return index;
  };

  /**
   * Reads an expansion at the cursor. Returns false if there is none. Keeps a quoted placeholder as its own default.
   */
  const expand = (isQuoted: boolean): boolean => {
    const found = readExpansion(cells, at, dialect);
    if (found === undefined) return false;
    const span = spanOf(at, found.end);
    const written = text.slice(span.start, span.end);
    wordStart ??= at;
    if (found.kind === "variable") {
      const fallback =
        found.fallback ?? (isQuoted && found.name.startsWith("<") ? found.name : undefined);
      addPart({ kind: "variable", name: found.name, fallback, isQuoted, span });
    } else {
      findings.push(pastedProblems[found.kind](written, span));
      addPart({ kind: "refused", text: written, span });
    }
    at = found.end;
    return true;
  };

  /** Reads up to the closing quote. A straight quote may also close a typographic one. */
  const quote = (kind: "single" | "double"): void => {
    const open = at;
    const plainQuote = kind === "single" ? "'" : '"';
    const isTypographic = charAt(cells, at) !== plainQuote;
    const closing = isTypographic ? (kind === "single" ? singleQuotes : doubleQuotes) : plainQuote;
    if (isTypographic) plain(at, plainQuote);
    wordStart ??= at;
    at++;
    while (at < cells.length) {
      const char = charAt(cells, at);
      const next = charAt(cells, at + 1);
      if (closing.includes(char)) {
        if (dialect.doublesQuotes && next === char) {
          add(char);
          at += 2;
          continue;
        }
        if (char !== plainQuote) plain(at, plainQuote);
        at++;
        return;
      }
      if (kind === "double") {
        if (char === dialect.escape && next === "\n") {
          at += 2;
          continue;
        }
        if (char === dialect.escape && ('"$`\\'.includes(next) || dialect.escape === "`")) {
          add(next);
          at += 2;
          continue;
        }
        // Windows programs parse \" as an escaped quote.
        if (dialect.escape === undefined && char === "\\" && next === '"') {
          add('"');
          at += 2;
          continue;
        }
        if (expand(true)) continue;
      } else if (char === "<" && expand(true)) continue;
      add(char);
      at++;
    }
    findings.push(pastedProblems.unclosedQuote(spanOf(open, open + 1)));
  };

  /** Skips a line continuation at the cursor. Returns false if the character does not continue the line. */
  const continueLine = (): boolean => {
    const blanksEnd = skipBlanks(at + 1);
    const char = charAt(cells, blanksEnd);
    const isComment = char === "#" && blanksEnd > at + 1;
    if (char !== "\n" && !isComment && blanksEnd < cells.length) return false;
    const lineEnd = isComment ? endOfLine(blanksEnd) : blanksEnd;
    if (lineEnd > at + 1 && lineEnd < cells.length) {
      const rest = spanOf(at + 1, lineEnd);
      findings.push(pastedProblems.blankAfterContinuation(rest, spanOf(at, lineEnd)));
    }
    const isGlued = charAt(cells, lineEnd + 1) !== "" && !isBlank(charAt(cells, lineEnd + 1));
    const isWordOpen = wordStart !== undefined && lineEnd === at + 1 && isGlued;
    if (!isWordOpen) endWord();
    at = lineEnd + 1;
    skipPrompt();
    skipComments();
    return true;
  };

  /** Skips comment lines between two lines of one command. */
  const skipComments = (): void => {
    for (;;) {
      const start = skipBlanks(at);
      if (charAt(cells, start) !== "#") return;
      endWord();
      const end = Math.min(endOfLine(start) + 1, cells.length);
      findings.push(pastedProblems.commentBetween(spanOf(at, end)));
      at = end;
    }
  };

  /** Ends the command at a line end, unless the next line begins with an option. */
  const endLine = (): void => {
    const lineEnd = at;
    endWord();
    at++;
    skipPrompt();
    const next = skipBlanks(at);
    const isOption = isDash(charAt(cells, next)) && isDash(charAt(cells, next + 1));
    if (command.length > 0 && isOption) {
      const mark = dialect.continuation;
      findings.push(pastedProblems.missingContinuation(mark, spanOf(lineEnd, lineEnd)));
    } else endCommand();
  };

  const redirect = (): void => {
    const isNumbered = wordStart !== undefined && parts.length === 0 && /^[0-9]+$/.test(literal);
    const start = isNumbered ? (wordStart ?? at) : at;
    if (isNumbered) {
      literal = "";
      wordStart = undefined;
    } else endWord();
    while ("<>".includes(charAt(cells, at)) && at < cells.length) at++;
    if (charAt(cells, at) === "&") at++;
    redirection = start;
  };

  /** Reads dashes at the start of a word. Word processors replace two dashes by a long one. */
  const dashes = (): void => {
    const start = at;
    let end = at;
    while (isDash(charAt(cells, end))) end++;
    const written = charsOf(cells, start, end);
    wordStart = start;
    option.isName = true;
    if (/^-*$/.test(written) || !/[A-Za-z]/.test(charAt(cells, end))) {
      literal += written;
    } else {
      const isShort = written.length === 1 && !/[\w-]/.test(charAt(cells, end + 1));
      const meant = isShort ? "-" : "--";
      edits.push({ span: spanOf(start, end), text: meant });
      literal += meant;
    }
    at = end;
  };

  skipPrompt();
  while (at < cells.length) {
    const char = charAt(cells, at);
    if (char === "\n") endLine();
    else if (isBlank(char)) {
      if (oddBlanks.includes(char)) plain(at, " ");
      endWord();
      at++;
    } else if (char === dialect.continuation && continueLine()) continue;
    else if (char === dialect.escape) {
      at++;
      if (at < cells.length) {
        add(charAt(cells, at));
        at++;
      }
    } else if (doubleQuotes.includes(char)) quote("double");
    else if (dialect.hasSingleQuotes && singleQuotes.includes(char)) quote("single");
    else if (char === "#" && wordStart === undefined) at = endOfLine(at);
    else if (char === "~" && wordStart === undefined && /[/\s]|^$/.test(charAt(cells, at + 1))) {
      wordStart = at;
      addPart({
        kind: "variable",
        name: "HOME",
        fallback: undefined,
        isQuoted: true,
        span: spanOf(at, at + 1),
      });
      at++;
    } else if (expand(false)) continue;
    else if (char === "<" || char === ">") redirect();
    else if (";&|()".includes(char)) {
      endWord();
      at++;
      endCommand();
    } else if (wordStart === undefined && isDash(char)) dashes();
    else if (option.isName && longDashes.includes(char)) {
      plain(at, "-");
      add("-");
      at++;
    } else {
      add(char);
      at++;
    }
  }
  endCommand();
  const edited = new Set(edits.map(({ span }) => span.start));
  for (const cell of cells) {
    if (cell.isEntity && !edited.has(cell.start)) {
      edits.push({ span: { start: cell.start, end: cell.end }, text: cell.char });
    }
  }
  edits.sort((a, b) => a.span.start - b.span.start);
  const [first] = edits;
  return {
    commands,
    findings: first ? [...findings, pastedProblems.typography(edits, first.span)] : findings,
  };
}

const isBlank = (char: string): boolean =>
  char === " " || char === "\t" || (char !== "" && oddBlanks.includes(char));

const isDash = (char: string): boolean =>
  char === "-" || (char !== "" && longDashes.includes(char));
