/** Maximum line length in characters. VS Code does not tokenize longer lines either. */
const maxLineLength = 20_000;

/** Replaces overlong lines with blanks of the same length, so that offsets stay valid. */
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
