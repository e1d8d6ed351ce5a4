import { isBlank } from "./yamlScalars.ts";

/** A line that says something: neither empty, nor a comment, nor for a template alone. */
export interface YamlLine {
  /** Where it begins, blanks and all. */
  readonly from: number;
  /** Where its first character stands that is no blank. */
  readonly start: number;
  readonly column: number;
  /** Where it ends, blanks at its end not counted. */
  readonly end: number;
}

/** The lines of a text that say something, and one behind them all. */
export function yamlLines(text: string): readonly YamlLine[] {
  const lines: YamlLine[] = [];
  let next: number;
  for (let from = text.startsWith("\ufeff") ? 1 : 0; from < text.length; from = next) {
    const newline = text.indexOf("\n", from);
    const lineEnd = newline < 0 ? text.length : newline;
    next = lineEnd + 1;
    let start = from;
    while (start < lineEnd && isBlank(text.charCodeAt(start))) start++;
    let end = lineEnd;
    while (end > start && (isBlank(text.charCodeAt(end - 1)) || text.charAt(end - 1) === "\r"))
      end--;
    if (start < end && !isPassedOver(text, start, end)) {
      lines.push({ from, start, column: start - from, end });
    }
  }
  return lines;
}

// `{{- if … }}` and `{% for … %}` on lines of their own.
function isPassedOver(text: string, start: number, end: number): boolean {
  const char = text.charAt(start);
  if (char === "#") return true;
  if (char !== "{") return false;
  const isBranch = text.startsWith("{{", start) && text.startsWith("}}", end - 2);
  return isBranch || (text.startsWith("{%", start) && text.startsWith("%}", end - 2));
}
