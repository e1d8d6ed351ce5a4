// Block scalars: `|` and `>`.
import { isBlank } from "./yamlScalars.ts";
import { scalarNode, type YamlScalar } from "./yamlNode.ts";

/**
 * Returns the block scalar whose header is at `start`. Its lines are between `lineEnd` and `end`, and indented deeper
 * than `column`. Undefined if its header or its folding needs the full parser.
 */
export function blockScalar(
  text: string,
  start: number,
  lineEnd: number,
  end: number,
  column: number,
): YamlScalar | undefined {
  const header = /^([|>])([+-]?)(?:[ \t]+#.*)?$/.exec(
    text.slice(start, Math.min(lineEnd, start + 200)),
  );
  if (header === null || column < 0) return undefined;
  const [, kind, chomping] = header;
  const { lines, end: contentEnd } = contentOf(text, afterNewline(text, lineEnd), end, column);
  if (kind === ">" && lines.some((line) => line === "" || isBlank(line.charCodeAt(0))))
    return undefined;
  const last = lines.findLastIndex((line) => line !== "") + 1;
  const kept = lines.slice(0, last).join(kind === "|" ? "\n" : " ");
  const closing =
    chomping === "+"
      ? "\n".repeat(lines.length - last + (last > 0 ? 1 : 0))
      : chomping === "-" || last === 0
        ? ""
        : "\n";
  const value = kept + closing;
  return scalarNode(value, value, { start, end: contentEnd });
}

/** Returns the lines without the indentation of the first non-empty line. */
function contentOf(
  text: string,
  from: number,
  end: number,
  column: number,
): { readonly lines: readonly string[]; readonly end: number } {
  const lines: string[] = [];
  let indent: number | undefined;
  let at = from;
  while (at < end) {
    const newline = text.indexOf("\n", at);
    const lineEnd = newline < 0 || newline > end ? end : newline;
    const written = text.slice(at, lineEnd).replace(/\r$/, "");
    const first = written.search(/[^ ]/);
    if (first < 0) lines.push(indent === undefined ? "" : written.slice(indent));
    else {
      indent ??= first;
      // Stops at a less indented line, which is a comment after the scalar.
      if (first < indent || indent <= column) break;
      lines.push(written.slice(indent));
    }
    at = lineEnd + 1;
  }
  return { lines, end: Math.min(at, end) };
}

function afterNewline(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}
