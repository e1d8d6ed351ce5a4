/** `name` includes keywords. `operator` is any single character that begins no other token. */
export type PythonTokenKind = "name" | "number" | "string" | "operator" | "newline" | "end";

/**
 * Tokenizes Python code, one token for each call of `next`. Comments and line continuations produce no token. An
 * operator token is one character. Never throws. Takes linear time.
 */
export class PythonTokens {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #isLineStart = true;
  kind: PythonTokenKind = "newline";
  start = 0;
  end = 0;
  /** Line number of the start, from 1. */
  line = 1;
  /** True for the first token of a line, unless a backslash joins it to the previous line. */
  isFirstOfLine = false;
  /** The number of brackets that are open after the token. Line ends within brackets produce no token. */
  depth = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  next(): void {
    this.#skipBlank();
    const code = this.#text.charCodeAt(this.#at);
    this.start = this.#at;
    this.line = this.#line;
    this.isFirstOfLine = this.#isLineStart;
    this.#isLineStart = false;
    if (this.#at >= this.#text.length) this.kind = "end";
    else if (isLineEnd(code)) {
      this.kind = "newline";
      this.#passLineEnd();
    } else if (isDigit(code)) {
      this.kind = "number";
      this.#at = this.#endOfWord();
    } else if (isQuote(code)) this.#passString(false);
    else if (isNamePart(code)) this.#passName();
    else {
      this.kind = "operator";
      this.#at += 1;
      if (isOpening(code)) this.depth += 1;
      else if (isClosing(code) && this.depth > 0) this.depth -= 1;
    }
    this.end = this.#at;
  }

  isName(word: string): boolean {
    return (
      this.kind === "name" &&
      this.end - this.start === word.length &&
      this.#text.startsWith(word, this.start)
    );
  }

  isOperator(mark: string): boolean {
    return this.kind === "operator" && this.#text[this.start] === mark;
  }

  word(): string {
    return this.#text.slice(this.start, this.end);
  }

  /**
   * Returns the value of a string literal. Undefined for bytes, f-strings and t-strings, for strings with a backslash
   * or without a closing quote, and for other tokens.
   */
  literal(): string | undefined {
    if (this.kind !== "string") return undefined;
    const found = /^[rRuU]?("""|'''|"|')/.exec(this.#text.slice(this.start, this.start + 4));
    if (found === null) return undefined;
    const [opening, quote = ""] = found;
    const value = this.#text.slice(this.start + opening.length, this.end - quote.length);
    const isWhole = this.#text.endsWith(quote, this.end) && !value.includes("\\");
    return isWhole ? value : undefined;
  }

  #skipBlank(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === space || code === tab || code === formFeed) this.#at += 1;
      else if (code === hash) this.#at = endOfLine(text, this.#at);
      else if (code === backslash && isLineEnd(text.charCodeAt(this.#at + 1))) {
        this.#at += 1;
        this.#passLineEnd();
        this.#isLineStart = false;
      } else if (isLineEnd(code) && this.depth > 0) this.#passLineEnd();
      else return;
    }
  }

  #passLineEnd(): void {
    const isPair =
      this.#text.charCodeAt(this.#at) === carriageReturn &&
      this.#text.charCodeAt(this.#at + 1) === lineFeed;
    this.#at += isPair ? 2 : 1;
    this.#line += 1;
    this.#isLineStart = true;
  }

  #endOfWord(): number {
    let end = this.#at;
    while (isNamePart(this.#text.charCodeAt(end))) end += 1;
    return end;
  }

  #passName(): void {
    const end = this.#endOfWord();
    const length = end - this.#at;
    if (length <= 2 && isQuote(this.#text.charCodeAt(end))) {
      const prefix = this.#text.slice(this.#at, end).toLowerCase();
      if (stringPrefixes.has(prefix)) {
        this.#at = end;
        this.#passString(/[ft]/.test(prefix));
        return;
      }
    }
    this.kind = "name";
    this.#at = end;
  }

  #passString(hasFields: boolean): void {
    this.kind = "string";
    const from = this.#at;
    this.#at = hasFields ? endOfFormatted(this.#text, from) : endOfString(this.#text, from);
    this.#line += lineEndsIn(this.#text, from, this.#at);
  }
}

const stringPrefixes = new Set("r u b f t br rb fr rf tr rt".split(" "));

/**
 * Returns the end of the string whose opening quote is at `from`: after the closing quote. An unclosed string ends at
 * the end of its line or, with triple quotes, at the end of the text.
 */
function endOfString(text: string, from: number): number {
  const { length, code, isTriple } = quoteAt(text, from);
  for (let at = from + length; at < text.length; at += 1) {
    const here = text.charCodeAt(at);
    if (here === backslash) at += isPairAt(text, at + 1) ? 2 : 1;
    else if (isLineEnd(here) && !isTriple) return at;
    else if (here === code && closes(text, at, code, isTriple)) return at + length;
  }
  return text.length;
}

// CPython allows 150 levels of nested f-strings, so valid sources stay below this limit.
const maxNesting = 400;

/** An open string or an open replacement field. */
interface Open {
  readonly kind: "string" | "field";
  readonly code: number;
  readonly length: number;
  readonly isTriple: boolean;
  /** For a field: the number of its open brackets, and whether its format specifier has begun. */
  brackets: number;
  isFormat: boolean;
}

/** Like `endOfString`, for strings with replacement fields. Since Python 3.12 a field may contain the same quotes. */
function endOfFormatted(text: string, from: number): number {
  const open: Open[] = [];
  let triples = 0;
  let at = from;
  const enter = (): void => {
    const quote = quoteAt(text, at);
    open.push({ kind: "string", ...quote, brackets: 0, isFormat: false });
    if (quote.isTriple) triples += 1;
    at += quote.length;
  };
  enter();
  while (at < text.length) {
    const top = open.at(-1);
    if (top === undefined || open.length > maxNesting) return at;
    const code = text.charCodeAt(at);
    if (isLineEnd(code) && triples === 0) return at;
    if (top.kind === "string" || top.isFormat) {
      if (code === backslash && !isBrace(text.charCodeAt(at + 1))) {
        if (isLineEnd(text.charCodeAt(at + 1))) at += isPairAt(text, at + 1) ? 3 : 2;
        else at += 2;
        continue;
      }
      if (code === openBrace && top.kind === "string" && text.charCodeAt(at + 1) === openBrace) {
        at += 2;
      } else if (code === openBrace) {
        open.push({ ...top, kind: "field", brackets: 0, isFormat: false });
        at += 1;
      } else if (code === closeBrace && top.kind === "field") {
        open.pop();
        at += 1;
      } else if (code === top.code && closes(text, at, code, top.isTriple)) {
        // In a format specifier, the quote of the surrounding string ends the field and the string.
        while (open.at(-1)?.kind === "field") open.pop();
        open.pop();
        if (top.isTriple) triples -= 1;
        at += top.length;
      } else at += 1;
    } else if (isQuote(code)) {
      const before = text.slice(Math.max(0, at - 2), at);
      if (/[fFtT][rR]?$/.test(before)) enter();
      else at = Math.max(at + 1, endOfString(text, at));
    } else {
      if (isOpening(code)) top.brackets += 1;
      else if (code === closeBrace && top.brackets === 0) open.pop();
      else if (isClosing(code)) top.brackets -= 1;
      else if (code === colon && top.brackets === 0) top.isFormat = true;
      at += 1;
    }
  }
  return Math.min(at, text.length);
}

function quoteAt(
  text: string,
  at: number,
): { readonly code: number; readonly length: number; readonly isTriple: boolean } {
  const code = text.charCodeAt(at);
  const isTriple = closes(text, at, code, true);
  return { code, length: isTriple ? 3 : 1, isTriple };
}

const closes = (text: string, at: number, code: number, isTriple: boolean): boolean =>
  !isTriple || (text.charCodeAt(at + 1) === code && text.charCodeAt(at + 2) === code);

const isPairAt = (text: string, at: number): boolean =>
  text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed;

function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1;
  return at;
}

function lineEndsIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    if (isLineEnd(text.charCodeAt(at)) && !isPairAt(text, at)) count += 1;
  }
  return count;
}

const tab = 0x09;
const lineFeed = 0x0a;
const formFeed = 0x0c;
const carriageReturn = 0x0d;
const space = 0x20;
const hash = 0x23;
const colon = 0x3a;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isLineEnd = (code: number): boolean => code === lineFeed || code === carriageReturn;
const isQuote = (code: number): boolean => code === 0x22 || code === 0x27;
const isBrace = (code: number): boolean => code === openBrace || code === closeBrace;
const isOpening = (code: number): boolean => code === 0x28 || code === 0x5b || code === openBrace;
const isClosing = (code: number): boolean => code === 0x29 || code === 0x5d || code === closeBrace;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** True for letters, digits, `_` and every character beyond ASCII. */
const isNamePart = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  code === 0x5f ||
  isDigit(code) ||
  code >= 0x80;
