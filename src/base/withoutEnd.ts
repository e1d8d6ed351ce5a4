/**
 * Removes all trailing characters that `chars` contains, in linear time. A pattern such as `/+$` would restart at each
 * `/` and take quadratic time.
 */
export function withoutEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
