/**
 * Returns the Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, substitutions and
 * transpositions of neighboring letters. Undefined if it exceeds `limit`.
 */
export function distance(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let aEnd = a.length;
  let bEnd = b.length;
  while (aEnd > start && bEnd > start && a.charCodeAt(aEnd - 1) === b.charCodeAt(bEnd - 1)) {
    aEnd--;
    bEnd--;
  }
  const rows = aEnd - start;
  const columns = bEnd - start;
  if (rows === 0 || columns === 0) return rows + columns;

  // Only the cells around the diagonal can stay within the limit.
  const beyond = limit + 1;
  let before = new Array<number>(columns + 1).fill(beyond);
  let above = Array.from({ length: columns + 1 }, (_, column) => Math.min(column, beyond));
  let current = new Array<number>(columns + 1).fill(beyond);
  for (let row = 1; row <= rows; row++) {
    const letter = a.charCodeAt(start + row - 1);
    const first = Math.max(1, row - limit);
    const last = Math.min(columns, row + limit);
    current[first - 1] = first === 1 ? Math.min(row, beyond) : beyond;
    let least = current[first - 1] ?? beyond;
    for (let column = first; column <= last; column++) {
      const other = b.charCodeAt(start + column - 1);
      const replaced = (above[column - 1] ?? beyond) + (letter === other ? 0 : 1);
      const leftOut = column === row + limit ? beyond : (above[column] ?? beyond) + 1;
      let cost = Math.min(replaced, leftOut, (current[column - 1] ?? beyond) + 1);
      const isSwap =
        row > 1 &&
        column > 1 &&
        letter === b.charCodeAt(start + column - 2) &&
        a.charCodeAt(start + row - 2) === other;
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? beyond) + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    // Early exit: no later cell costs less than this row's minimum. This is also true for a transposition, which adds 1
    // to a cell of the row before the previous one: this row's minimum exceeds that cell by at most 1.
    if (least > limit) return undefined;
    [before, above, current] = [above, current, before];
  }
  const total = above[columns] ?? beyond;
  return total <= limit ? total : undefined;
}

/** Returns the maximum distance at which a word of this length counts as a misspelling. */
export const maxTypoDistance = (length: number): number =>
  length < 3 ? 0 : length < 6 ? 1 : length < 12 ? 2 : 3;
