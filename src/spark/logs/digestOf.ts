/** Returns the length and a 64-bit hash of the text: two variants of FNV-1a with different seeds and factors. */
export function digestOf(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return `${text.length}:${low >>> 0}:${high >>> 0}`;
}
