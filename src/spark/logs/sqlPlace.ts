/** A position in a source file. Line and column start at 0. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Converts a position in an SQL statement (line and column from 1) to a position in the program that contains it,
 * relative to `lines`. `lines`: the program from the line that the stack trace names. Undefined if no string literal of
 * a `sql` call begins on this line, or if the position is outside the program.
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
