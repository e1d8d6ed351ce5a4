import type { Span } from "../../base/span.ts";
import type { CodeLanguage } from "./codeLanguage.ts";

/** A literal between quotes. */
interface QuotedText {
  readonly content: Span;
  /** Behind its closing quote, or where it breaks off. */
  readonly end: number;
  /** Opened by three quotes, so that it may hold line ends. */
  readonly isLong: boolean;
  readonly hasBackslash: boolean;
}

/** The literal that the quote there opens. */
export function quotedText(text: string, open: number, language: CodeLanguage): QuotedText {
  const quote = text.charCodeAt(open);
  const isLong = text.charCodeAt(open + 1) === quote && text.charCodeAt(open + 2) === quote;
  const start = open + (isLong ? 3 : 1);
  // In Scala nothing is escaped in a long one; a raw one of Python may still hold a quote behind a backslash.
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

/** Behind a character of Scala or Java; in Scala a quote may also begin a symbol or the name of a type. */
export const endOfCharacter = (text: string, open: number): number =>
  open + (/^'(?:\\.|[^\\'\n])'/.exec(text.slice(open, open + 4))?.[0].length ?? 1);

const newline = 0x0a;
const backslash = 0x5c;
