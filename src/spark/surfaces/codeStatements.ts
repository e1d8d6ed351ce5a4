import { endOfCharacter, quotedText } from "./codeStrings.ts";
import type { CodeLanguage } from "./codeLanguage.ts";

/**
 * Returns the start of the line on which the next statement begins. `start` is the beginning of the current statement.
 * Comments between two statements belong to the first one. The result is an approximation, precise enough to group
 * settings. In Scala and Java, a statement inside a block is separate from the one around it. Takes linear time.
 */
export function statementEnd(text: string, start: number, language: CodeLanguage): number {
  const isPython = language === "python";
  let depth = 0;
  let lineStart = start;
  let last = 0;
  let isFirst = true;
  for (let at = start; at < text.length;) {
    const char = text.charCodeAt(at);
    if (char === newline) {
      at++;
      lineStart = at;
      isFirst = true;
      continue;
    }
    if (char <= 0x20) {
      at++;
      continue;
    }
    if (isPython ? char === hash : char === slash && text.charCodeAt(at + 1) === slash) {
      at = indexOrEnd(text, "\n", at);
      continue;
    }
    if (!isPython && char === slash && text.charCodeAt(at + 1) === star) {
      at = Math.min(text.length, indexOrEnd(text, "*/", at + 2) + 2);
      continue;
    }
    if (isFirst) {
      const isNew = depth === 0 && last !== 0 && !openEnds.has(last) && !openStarts.has(char);
      if (isNew && lineStart > start) return lineStart;
      isFirst = false;
    }
    last = char;
    if (isWord(char)) {
      while (isWord(text.charCodeAt(++at)));
      continue;
    }
    if (char === doubleQuote || (char === singleQuote && isPython)) {
      at = quotedText(text, at, language).end;
    } else if (char === singleQuote) at = endOfCharacter(text, at);
    else {
      if (char === 0x28 || char === 0x5b || (char === 0x7b && isPython)) depth++;
      else if (char === 0x29 || char === 0x5d || (char === 0x7d && isPython))
        depth = Math.max(0, depth - 1);
      at++;
    }
  }
  return text.length;
}

function indexOrEnd(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at;
}

const codesOf = (chars: string): ReadonlySet<number> =>
  new Set(Array.from(chars, (char) => char.charCodeAt(0)));

/** A line that ends with one of these characters continues on the next line. */
const openEnds = codesOf("([{,=:.+-*/&|<>?\\");
/** A line that begins with one of these characters continues the previous line. */
const openStarts = codesOf(".,=:+-*/&|<>?)]}");

const isWord = (char: number): boolean =>
  (char >= 0x61 && char <= 0x7a) || (char >= 0x41 && char <= 0x5a);

const newline = 0x0a;
const hash = 0x23;
const slash = 0x2f;
const star = 0x2a;
const doubleQuote = 0x22;
const singleQuote = 0x27;
