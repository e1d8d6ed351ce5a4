// A tokenizer for Python, Scala and Java, limited to the tokens needed to find settings.
import type { Span } from "../../base/span.ts";
import type { CodeLanguage } from "./codeLanguage.ts";
import { endOfCharacter, quotedText } from "./codeStrings.ts";

export type CodeToken =
  | { readonly kind: "word"; readonly span: Span; readonly text: string }
  | { readonly kind: "number"; readonly span: Span; readonly text: string }
  | { readonly kind: "mark"; readonly span: Span; readonly text: string }
  | StringToken;

export interface StringToken {
  readonly kind: "string";
  /** Includes the quotes. */
  readonly span: Span;
  readonly content: Span;
  /** The content with escapes resolved. */
  readonly value: string;
  /** The position of each character of the value; undefined if the value is written literally. */
  readonly offsets: readonly number[] | undefined;
  /** True if the program computes parts of the value, as in an f-string. */
  readonly isInterpolated: boolean;
}

/**
 * Returns the tokens of a part of a program, without comments. The part must not end within a token. Accepts any text
 * in linear time.
 */
export function tokenize(
  text: string,
  language: CodeLanguage,
  part: Span = { start: 0, end: text.length },
): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  const isPython = language === "python";
  for (let at = part.start; at < part.end;) {
    const char = text.charAt(at);
    if (char <= " ") {
      at++;
      continue;
    }
    if (isPython ? char === "#" : text.startsWith("//", at)) {
      at = endOfLine(text, at);
    } else if (!isPython && text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      at = end < 0 ? text.length : end + 2;
    } else if (char === '"' || (char === "'" && isPython)) {
      const token = readString(text, at, at, language, "");
      tokens.push(token);
      at = token.span.end;
    } else if (char === "'") {
      at = endOfCharacter(text, at);
    } else if (isWordStart(char)) {
      const end = endOfWord(text, at);
      const word = text.slice(at, end);
      const quote = text.charAt(end);
      const isPrefix = isPython ? isPythonPrefix(word) && /['"]/.test(quote) : quote === '"';
      const token = isPrefix ? readString(text, at, end, language, word) : undefined;
      tokens.push(token ?? { kind: "word", span: { start: at, end }, text: word });
      at = token?.span.end ?? end;
    } else if (isDigit(char)) {
      const end = endOfWord(text, at, ".");
      tokens.push({ kind: "number", span: { start: at, end }, text: text.slice(at, end) });
      at = end;
    } else {
      // A backslash at the end of a line continues a Python statement.
      const isContinuation = isPython && char === "\\" && /^\r?\n/.test(text.slice(at + 1, at + 3));
      if (!isContinuation)
        tokens.push({ kind: "mark", span: { start: at, end: at + 1 }, text: char });
      at++;
    }
  }
  return tokens;
}

const isWordStart = (char: string): boolean =>
  (char >= "a" && char <= "z") ||
  (char >= "A" && char <= "Z") ||
  char === "_" ||
  char === "$" ||
  (char > "\u007f" && /^\p{L}$/u.test(char));
const isDigit = (char: string): boolean => char >= "0" && char <= "9";
const isPythonPrefix = (word: string): boolean => /^(?:[rbuf]|rb|br|rf|fr)$/i.test(word);

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function endOfWord(text: string, start: number, others = ""): number {
  let end = start;
  while (end < text.length) {
    const char = text.charAt(end);
    if (!isWordStart(char) && !isDigit(char) && (others === "" || !others.includes(char))) break;
    end++;
  }
  return end;
}

function readString(
  text: string,
  start: number,
  open: number,
  language: CodeLanguage,
  prefix: string,
): StringToken {
  const { content, end, isLong, hasBackslash } = quotedText(text, open, language);
  const isRaw = language === "python" && /r/i.test(prefix);
  const resolved = hasBackslash && !isRaw ? resolve(text, content) : undefined;
  const value = resolved?.value ?? text.slice(content.start, content.end);
  return {
    kind: "string",
    span: { start, end },
    content,
    value,
    offsets: resolved?.offsets,
    isInterpolated: isInterpolated(value, prefix, language, isLong),
  };
}

// True if the program computes the value. Also true for text blocks of Java: the compiler strips their indentation,
// which this tokenizer does not model.
function isInterpolated(
  value: string,
  prefix: string,
  language: CodeLanguage,
  isLong: boolean,
): boolean {
  switch (language) {
    case "python":
      return /f/i.test(prefix) && value.includes("{");
    case "scala":
      return prefix !== "" && value.includes("$");
    case "java":
      return isLong;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

function resolve(
  text: string,
  { start, end }: Span,
): { readonly value: string; readonly offsets: readonly number[] } {
  const pieces: string[] = [];
  const offsets: number[] = [];
  for (let at = start; at < end; at++) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    const piece = char === "\\" ? (escapes[next] ?? next) : char;
    if (piece !== "") {
      pieces.push(piece);
      offsets.push(at);
    }
    if (char === "\\") at++;
  }
  return { value: pieces.join(""), offsets };
}
