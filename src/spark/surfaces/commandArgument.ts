import type { Span } from "../../base/span.ts";

/** The argument of an option, as the program would get it. */
export interface Argument {
  readonly text: string;
  /** The span of each character in the text; undefined if all are written literally. */
  readonly starts: readonly number[] | undefined;
  readonly ends: readonly number[] | undefined;
  /** Includes the quotes. */
  readonly span: Span;
  /** True if a shell or a template computes part of the argument. */
  readonly isUnknown: boolean;
}

/**
 * Returns the argument of the option that ends at `end`; undefined if there is none. The argument may be a shell word,
 * the next string of a list, or a part of a string that contains the whole command. `host`: the quote of that string.
 */
export function readArgument(
  text: string,
  end: number,
  host: string | undefined,
): Argument | undefined {
  if (host !== undefined && text.charAt(end) === host) return listItem(text, end + 1);
  const next = /^[ \t]*\r?\n[ \t]*-[ \t]+/.exec(text.slice(end, end + 200));
  // The option is an item in a YAML list, so its argument is the next item.
  if (next !== null) return yamlItem(text, end + next[0].length);
  const gap = /^(?:=|[ \t]*(?:[\\^`][ \t]*\r?\n[ \t]*)?)/.exec(text.slice(end, end + 200));
  const first = end + (gap?.[0].length ?? 0);
  if (first === end) return undefined;
  return shellWord(text, first, host);
}

/** Maximum length of an argument, in characters. */
const maxWordLength = 2_000;

// Reads the item after the option in a list, as in `"--conf", "key=value"`. The items of a YAML list have dashes.
function listItem(text: string, from: number): Argument | undefined {
  const gap = /^[\s,\]-]*/.exec(text.slice(from, from + 200));
  const open = from + (gap?.[0].length ?? 0);
  const quote = text.charAt(open);
  // Without a quote, only an item of a YAML list is read, because a program may continue with an expression.
  if (quote !== '"' && quote !== "'")
    return gap?.[0].includes("- ") === true ? yamlItem(text, open) : undefined;
  return quoted(text, open, quote);
}

function quoted(text: string, open: number, quote: string): Argument | undefined {
  const word = new Word();
  const stop = Math.min(text.length, open + maxWordLength);
  for (let at = open + 1; at < stop; at++) {
    const char = text.charAt(at);
    if (char === "\n") return undefined;
    if (char === quote) return word.end(open, at + 1);
    const start = at;
    if (char === "\\" && at + 1 < text.length) at++;
    word.add(text, start, at);
  }
  return undefined;
}

function yamlItem(text: string, start: number): Argument | undefined {
  const quote = text.charAt(start);
  if (quote === '"' || quote === "'") return quoted(text, start, quote);
  const line = /^[^\r\n]*/.exec(text.slice(start, start + maxWordLength))?.[0] ?? "";
  const comment = line.search(/\s#/);
  const value = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  if (value === "") return undefined;
  const word = new Word();
  for (let at = start; at < start + value.length; at++) word.add(text, at, at);
  return word.end(start, start + value.length);
}

/** Reads a word by the rules of POSIX shells. `host`: the quote that ends the string around the command. */
function shellWord(text: string, start: number, host: string | undefined): Argument | undefined {
  const word = new Word();
  const stop = Math.min(text.length, start + maxWordLength);
  let at = plainWordEnd(text, start, stop);
  const isOver = at === stop || text.charAt(at) === host || isWordEnd(text.charAt(at));
  if (isOver && at > start) return plainWord(text, start, at);
  for (at = start; at < stop; at++) {
    const char = text.charAt(at);
    if (char === host || isWordEnd(char)) break;
    if (char === "\\") {
      if (/[\r\n]/.test(text.charAt(at + 1))) break;
      at++;
      word.add(text, at - 1, at);
    } else if (char === '"' || char === "'") {
      const close = closingQuote(text, at, char);
      // The quote closes a string that was opened on an earlier line.
      if (close === undefined) break;
      for (let inner = at + 1; inner < close; inner++) {
        const start = inner;
        const isEscape = char === '"' && text.charAt(inner) === "\\";
        if (isEscape && /["\\$`]/.test(text.charAt(inner + 1))) inner++;
        word.add(text, start, inner, char === "'");
      }
      at = close;
    } else {
      const filledTo = endOfFilled(text, at);
      if (filledTo === undefined) word.add(text, at, at);
      else {
        word.addUnknown(at, filledTo);
        at = filledTo - 1;
      }
    }
  }
  return at === start ? undefined : word.end(start, at);
}

/** Returns the end of the characters that are literal in every shell and every template. */
function plainWordEnd(text: string, start: number, stop: number): number {
  let at = start;
  while (at < stop && isPlain(text.charCodeAt(at))) at++;
  return at;
}

const otherPlain = new Set(Array.from("_.:/=@,+-", (char) => char.charCodeAt(0)));
const isPlain = (char: number): boolean =>
  (char >= 0x61 && char <= 0x7a) ||
  (char >= 0x30 && char <= 0x39) ||
  (char >= 0x41 && char <= 0x5a) ||
  otherPlain.has(char);

const plainWord = (text: string, start: number, end: number): Argument => ({
  text: text.slice(start, end),
  starts: undefined,
  ends: undefined,
  span: { start, end },
  isUnknown: false,
});

const filled: readonly (readonly [string, string])[] = [
  ["{{", "}}"],
  ["${", "}"],
  ["$(", ")"],
];

/** Returns the end of the placeholder or variable that begins at `at`; undefined if none does. */
function endOfFilled(text: string, at: number): number | undefined {
  // Matches `<memory>` in a manual and `{memory}` in a program's string.
  const named = /^(?:<[A-Za-z][\w .-]{0,40}>|\{[A-Za-z_]?[\w.]{0,40}\})/.exec(
    text.slice(at, at + 50),
  );
  if (named !== null) return at + named[0].length;
  const close = filled.find(([open]) => text.startsWith(open, at))?.[1];
  if (close === undefined) return undefined;
  const end = text.slice(at, at + maxWordLength).indexOf(close);
  return end < 0 ? undefined : at + end + close.length;
}

const isWordEnd = (char: string): boolean => /[\s;|&)>\]]/.test(char);

// Returns the offset of the closing quote, which may be on a later line after a backslash. Undefined if a line ends
// without a backslash, or after the maximum length: then the character at `open` is not a quote.
function closingQuote(text: string, open: number, quote: string): number | undefined {
  const stop = Math.min(text.length, open + maxWordLength);
  for (let at = open + 1; at < stop; at++) {
    const char = text.charAt(at);
    if (char === "\n" && text.charAt(at - 1) !== "\\") return undefined;
    if (char === "\\" && quote === '"') at++;
    else if (char === quote) return at;
  }
  return undefined;
}

class Word {
  readonly #text: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #isUnknown = false;

  /** Adds the character at `last` of the text; its notation begins at `first`. */
  add(text: string, first: number, last: number, isLiteral = false): void {
    const char = text.charAt(last);
    if (!isLiteral && (char === "$" || char === "`" || char === "%")) this.#isUnknown = true;
    this.#push(char, first, last + 1);
  }

  addUnknown(start: number, end: number): void {
    this.#isUnknown = true;
    this.#push("…", start, end);
  }

  end(start: number, end: number): Argument {
    return {
      text: this.#text.join(""),
      starts: this.#starts,
      ends: this.#ends,
      span: { start, end },
      isUnknown: this.#isUnknown,
    };
  }

  #push(char: string, start: number, end: number): void {
    this.#text.push(char);
    this.#starts.push(start);
    this.#ends.push(end);
  }
}
