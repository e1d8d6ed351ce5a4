/** A place in a text: both from 0. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Where a position of an SQL text lies in the program that sent it: `lines` from the one that a trace names on.
 * Undefined where no literal of a call to `sql` begins in the first of them.
 */
export function placeOfSql(
  lines: readonly string[],
  position: { readonly line: number; readonly column: number },
): TextPlace | undefined {
  const [first = ""] = lines;
  const literal = /\bsql\(\s*[a-zA-Z]{0,2}("""|'''|"|')/.exec(first);
  if (literal === null) return undefined;
  const line = position.line - 1;
  const column = position.column - 1 + (line === 0 ? literal.index + literal[0].length : 0);
  return column <= (lines[line]?.length ?? -1) ? { line, column } : undefined;
}
