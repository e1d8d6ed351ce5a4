/** A position in a text; line and column from 0. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the position in the program that corresponds to a position in its SQL text. `lines`: the program from the
 * line that the stack trace names. Undefined if no string literal of a `sql` call begins on this line, or if the
 * position is outside of the program.
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
