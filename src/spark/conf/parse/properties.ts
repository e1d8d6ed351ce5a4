// The surface of `spark-defaults.conf`: Java's `.properties` syntax, read as Spark reads it.
import type { Span } from "../../../base/span.ts";
import type { ConfDocument, ConfEntry } from "./confDocument.ts";
import type { Finding } from "../lint/finding.ts";
import { resolveEscapes, type JoinedLine } from "./propertiesEscapes.ts";

/** A part of the text: a blank line, a comment, or an entry. The pieces of a document cover its text without gaps. */
export interface PropertiesPiece {
  readonly kind: "blank" | "comment" | "entry";
  /** Includes the line terminator, and all continuation lines of an entry. */
  readonly span: Span;
}

export interface PropertiesDocument extends ConfDocument {
  readonly pieces: readonly PropertiesPiece[];
}

/** Parses a properties file as Spark reads it. Accepts any text in linear time. */
export const parseProperties = (text: string): PropertiesDocument =>
  readProperties(text, trimmedValue);

/** Returns key-value pairs in the order of their lines, duplicates included, as java.util.Properties loads them. */
export const parseJavaProperties = (text: string): readonly (readonly [string, string])[] =>
  readProperties(text, untrimmedValue).entries.map(({ key, value }) => [key, value]);

type ValueTrim = (
  text: string,
  start: number,
  end: number,
) => { readonly from: number; readonly to: number };

function readProperties(text: string, trim: ValueTrim): PropertiesDocument {
  const pieces: PropertiesPiece[] = [];
  const entries: ConfEntry[] = [];
  const findings: Finding[] = [];
  for (let start = 0; start < text.length;) {
    const first = afterBlanks(text, start);
    const char = text.charCodeAt(first);
    let end: number;
    let kind: PropertiesPiece["kind"] = "blank";
    if (first === text.length) end = first;
    else if (isLineEnd(char)) end = afterLineEnd(text, first);
    else if (char === hash || char === exclamation) {
      kind = "comment";
      end = afterLineEnd(text, lineEnd(text, first));
    } else if (char === backslash && continues(text, first)) {
      // Java ignores a line that has only a backslash. The next line begins a new logical line.
      end = afterLineEnd(text, first + 1);
    } else {
      kind = "entry";
      const line = logicalLine(text, first);
      end = afterLineEnd(text, line.end);
      entries.push(
        line.isPlain
          ? plainEntry(text, first, line.end, trim)
          : escapedEntry(text, { start: first, end: line.end }, trim, findings),
      );
    }
    pieces.push({ kind, span: { start, end } });
    start = end;
  }
  return { pieces, entries, findings };
}

/** Returns the span of the entry that sets the key; the effective one if there are several. */
export function entrySpan(text: string, key: string): Span | undefined {
  const entry = parseProperties(text).entries.findLast((each) => each.key === key);
  return entry && { start: entry.keySpan.start, end: entry.valueSpan.end };
}

const hash = 0x23;
const exclamation = 0x21;
const backslash = 0x5c;
const newline = 0x0a;
const carriageReturn = 0x0d;

const isBlank = (char: number): boolean => char === 0x20 || char === 0x09 || char === 0x0c;
const isLineEnd = (char: number): boolean => char === newline || char === carriageReturn;
const isSeparator = (char: number): boolean => char === 0x3d || char === 0x3a;

function afterBlanks(text: string, start: number): number {
  let end = start;
  while (end < text.length && isBlank(text.charCodeAt(end))) end++;
  return end;
}

function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return end;
}

function afterLineEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const isPair = text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === newline;
  return isPair ? end + 2 : end + 1;
}

/** True if the backslash is the last character of its line. */
const continues = (text: string, index: number): boolean =>
  index + 1 === text.length || isLineEnd(text.charCodeAt(index + 1));

// Returns the end of a logical line, including its continuation lines. `isPlain`: it has no backslash.
function logicalLine(
  text: string,
  start: number,
): { readonly end: number; readonly isPlain: boolean } {
  let isPlain = true;
  let index = start;
  while (index < text.length) {
    const char = text.charCodeAt(index);
    if (isLineEnd(char)) break;
    if (char !== backslash) index++;
    else {
      isPlain = false;
      index = continues(text, index) ? afterBlanks(text, afterLineEnd(text, index + 1)) : index + 2;
    }
  }
  return { end: Math.min(index, text.length), isPlain };
}

function plainEntry(text: string, start: number, end: number, trim: ValueTrim): ConfEntry {
  const { keyEnd, valueStart } = partsOf(text, start, end);
  const { from, to } = trim(text, valueStart, end);
  return {
    key: text.slice(start, keyEnd),
    value: text.slice(from, to),
    keySpan: { start, end: keyEnd },
    valueSpan: { start: from, end: to },
  };
}

function escapedEntry(
  text: string,
  { start, end }: Span,
  trim: ValueTrim,
  findings: Finding[],
): ConfEntry {
  const line = joinLine(text, start, end);
  const { keyEnd, valueStart } = partsOf(line.text, 0, line.text.length);
  const key = resolveEscapes(line, 0, keyEnd, findings);
  const value = resolveEscapes(line, valueStart, line.text.length, findings);
  const { from, to } = trim(value.text, 0, value.text.length);
  const valueAt = value.starts[from] ?? end;
  return {
    key: key.text,
    value: value.text.slice(from, to),
    keySpan: { start, end: key.ends.at(-1) ?? start },
    valueSpan: { start: valueAt, end: from === to ? valueAt : (value.ends[to - 1] ?? end) },
  };
}

/** Joins continuation lines to a logical line, and returns it with the position of each character in the document. */
function joinLine(text: string, start: number, end: number): JoinedLine {
  const pieces: string[] = [];
  const offsets: number[] = [];
  let index = start;
  while (index < end) {
    const isEscape = text.charCodeAt(index) === backslash;
    if (isEscape && continues(text, index)) {
      index = afterBlanks(text, afterLineEnd(text, index + 1));
      continue;
    }
    for (const stop = Math.min(end, index + (isEscape ? 2 : 1)); index < stop; index++) {
      pieces.push(text.charAt(index));
      offsets.push(index);
    }
  }
  return { text: pieces.join(""), offsets };
}

// Returns the end of the key and the start of the value. The key ends at the first unescaped blank or separator. Blanks
// and at most one separator precede the value.
function partsOf(
  line: string,
  start: number,
  end: number,
): { readonly keyEnd: number; readonly valueStart: number } {
  let keyEnd = start;
  while (keyEnd < end) {
    const char = line.charCodeAt(keyEnd);
    if (isBlank(char) || isSeparator(char)) break;
    keyEnd += char === backslash ? 2 : 1;
  }
  keyEnd = Math.min(keyEnd, end);
  let valueStart = Math.min(end, afterBlanks(line, keyEnd));
  if (valueStart < end && isSeparator(line.charCodeAt(valueStart))) {
    valueStart = Math.min(end, afterBlanks(line, valueStart + 1));
  }
  return { keyEnd, valueStart };
}

const untrimmedValue: ValueTrim = (_, from, to) => ({ from, to });

// Trims the value as Spark does: blanks and control characters at both ends, but not escaped line ends.
function trimmedValue(
  value: string,
  start: number,
  end: number,
): { readonly from: number; readonly to: number } {
  const isKept = (char: number): boolean => char > 0x20 || isLineEnd(char);
  let from = start;
  while (from < end && !isKept(value.charCodeAt(from))) from++;
  if (from === end) return { from: start, to: start };
  let to = end;
  while (!isKept(value.charCodeAt(to - 1))) to--;
  return { from, to };
}
