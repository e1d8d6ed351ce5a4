/** Longer than any line that people write; the editor itself does not color such a line either. */
const maxLineLength = 20_000;

/** The text with blanks in place of the lines that are too long to be looked at. */
export function withoutLongLines(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  let next: number;
  for (let start = 0; start < text.length; start = next) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    next = end + 1;
    if (end - start <= maxLineLength) continue;
    pieces.push(text.slice(copied, start), " ".repeat(end - start));
    copied = end;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}
