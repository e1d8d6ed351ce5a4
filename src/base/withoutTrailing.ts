/**
 * Removes all occurrences of a character from the end, in linear time. A pattern such as `/+$` would restart at each
 * `/` and take quadratic time.
 */
export function withoutTrailing(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end -= 1;
  return text.slice(0, end);
}
