import type { Span } from "../../base/span.ts";
import type { CodeLanguage } from "./codeLanguage.ts";

/** A literal between quotes. */
interface QuotedText {
  readonly content: Span;
  /** The offset after the closing quote, or where an unclosed literal ends. */
  readonly end: number;
  /** True for a triple-quoted literal, which may contain line breaks. */
  readonly isLong: boolean;
  readonly hasBackslash: boolean;
}

/** Returns the literal whose opening quote is at `open`. */
export function quotedText(text: string, open: number, language: CodeLanguage): QuotedText {
  const quote = text.charCodeAt(open);
  const isLong = text.charCodeAt(open + 1) === quote && text.charCodeAt(open + 2) === quote;
  const start = open + (isLong ? 3 : 1);
  // Triple-quoted literals of Scala have no escapes. In a raw literal of Python a backslash still
  // keeps a quote open.
  const hasEscapes = !(language === "scala" && isLong);
  let hasBackslash = false;
  let at = start;
  for (; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      if (!isLong) return { content: { start, end: at }, end: at + 1, isLong, hasBackslash };
      if (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote)
        return { content: { start, end: at }, end: at + 3, isLong, hasBackslash };
    } else if (char === newline && !isLong) break;
    else if (char === backslash && hasEscapes) {
      hasBackslash = true;
      at++;
    }
  }
  const end = Math.min(at, text.length);
  return { content: { start, end }, end, isLong, hasBackslash };
}

/**
 * Returns the offset after a character literal of Scala or Java. In Scala a quote may also begin a symbol or a type
 * name.
 */
export const endOfCharacter = (text: string, open: number): number =>
  open + (/^'(?:\\.|[^\\'\n])'/.exec(text.slice(open, open + 4))?.[0].length ?? 1);

const newline = 0x0a;
const backslash = 0x5c;
