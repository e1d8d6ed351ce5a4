import { isBlank } from "./yamlScalars.ts";

/** A line with content: not blank, not a comment, not a template directive. */
export interface YamlLine {
  /** The offset of the line, including its indentation. */
  readonly from: number;
  /** The offset of the first non-blank character. */
  readonly start: number;
  readonly column: number;
  /** The end of the line without trailing blanks. */
  readonly end: number;
}

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

// True for a comment, and for a template directive that has its own line: `{{- if … }}` or `{% for … %}`.
function isPassedOver(text: string, start: number, end: number): boolean {
  const char = text.charAt(start);
  if (char === "#") return true;
  if (char !== "{") return false;
  const isBranch = text.startsWith("{{", start) && text.startsWith("}}", end - 2);
  return isBranch || (text.startsWith("{%", start) && text.startsWith("%}", end - 2));
}
