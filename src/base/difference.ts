/**
 * Returns the range of `before` that differs from `after`, and its new text. An edit of only this range preserves
 * cursors and breakpoints outside it.
 */
export function difference(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let same = 0;
  const max = Math.min(before.length, after.length) - start;
  while (same < max && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
