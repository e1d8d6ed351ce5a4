import type { Finding } from "../lint/finding.ts";

/** A logical line: continuation lines joined. */
export interface JoinedLine {
  readonly text: string;
  /** The position of each character in the document. */
  readonly offsets: readonly number[];
}

/** Text with resolved escapes, and the span of each character in the document. */
interface ResolvedText {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const named: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" };

/** Resolves Java's escapes. Drops a backslash before any other character. Adds a finding for each invalid `\u`. */
export function resolveEscapes(
  line: JoinedLine,
  from: number,
  to: number,
  findings: Finding[],
): ResolvedText {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let index = from; index < to;) {
    const { char, length } = readChar(line.text, index, to);
    const start = line.offsets[index] ?? 0;
    const end = (line.offsets[index + length - 1] ?? start) + 1;
    if (char === undefined) findings.push({ code: "bad-escape", span: { start, end } });
    pieces.push(char ?? line.text.charAt(index + 1));
    starts.push(start);
    ends.push(end);
    index += length;
  }
  return { text: pieces.join(""), starts, ends };
}

/**
 * Returns the character at `index` and the length of its notation. `char` is undefined for an escape that Java rejects.
 */
function readChar(
  text: string,
  index: number,
  to: number,
): { readonly char: string | undefined; readonly length: number } {
  const char = text.charAt(index);
  if (char !== "\\" || index + 1 >= to) return { char, length: 1 };
  const escaped = text.charAt(index + 1);
  if (escaped !== "u") return { char: named[escaped] ?? escaped, length: 2 };
  const digits = text.slice(index + 2, Math.min(index + 6, to));
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) return { char: undefined, length: 2 };
  return { char: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
}

/** Prints a setting as a line of a properties file that reads back as the same key and value. */
export function printProperty(key: string, value: string): string {
  return `${escape(key, true)} ${escape(value, false)}`;
}

// Escapes a key or a value. In a value, a separator or a blank needs an escape only as the first character. Blanks at
// the end need none, because Spark trims them.
function escape(text: string, isKey: boolean): string {
  let printed = "";
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    const isMark = isKey ? "=:#! ".includes(char) : index === 0 && "=: ".includes(char);
    printed += escapes[char] ?? (isMark ? `\\${char}` : char);
  }
  return printed;
}

const escapes: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\f": "\\f",
  "\\": "\\\\",
};
