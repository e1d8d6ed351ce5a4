/** Returns the text with resolved references; undefined for a circular reference, which Spark rejects. */
export function resolveReferences(
  text: string,
  find: (name: string) => string | undefined,
  seen: ReadonlySet<string> = new Set(),
): string | undefined {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of referencesIn(text)) {
    const name = text.slice(start + 2, end - 1);
    if (seen.has(name)) return undefined;
    const found = find(name);
    // An unresolved reference stays as written.
    if (found === undefined) continue;
    const resolved = resolveReferences(found, find, new Set([...seen, name]));
    if (resolved === undefined) return undefined;
    pieces.push(text.slice(done, start), resolved);
    done = end;
  }
  return done === 0 ? text : pieces.join("") + text.slice(done);
}

// Finds `${name}`: at least one non-blank character, up to the next closing brace.
function* referencesIn(text: string): Iterable<{ readonly start: number; readonly end: number }> {
  let start = text.indexOf("${");
  while (start >= 0) {
    let end = start + 2;
    while (end < text.length && !isBlank(text, end)) {
      if (text.charCodeAt(end) === closingBrace && end > start + 2) break;
      end++;
    }
    if (end === text.length) return;
    const isWhole = text.charCodeAt(end) === closingBrace;
    if (isWhole) yield { start, end: end + 1 };
    // A reference contains no blank, so the search continues after the blank.
    start = text.indexOf("${", isWhole ? end + 1 : end);
  }
}

const closingBrace = 0x7d;

const isBlank = (text: string, index: number): boolean => /\s/.test(text.charAt(index));
