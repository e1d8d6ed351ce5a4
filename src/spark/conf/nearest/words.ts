import { distance, maxTypoDistance } from "./distance.ts";

/**
 * Returns the word of which `text` may be a misspelling: the nearest one, ignoring case, or the first of several
 * equally near ones. Undefined if none is near.
 */
export function nearestWord(text: string, words: readonly string[]): string | undefined {
  const asked = text.trim().toLowerCase();
  let limit = maxTypoDistance(asked.length);
  let found: string | undefined;
  for (const word of words) {
    const changes = distance(asked, word.toLowerCase(), limit);
    if (changes === undefined || (changes === limit && found !== undefined)) continue;
    found = word;
    limit = changes;
  }
  return found;
}
