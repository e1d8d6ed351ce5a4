/**
 * Removes all occurrences of a character from the end, in linear time; `/+$` restarts at each `/`.
 */
export function withoutTrailing(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end -= 1;
  return text.slice(0, end);
}
