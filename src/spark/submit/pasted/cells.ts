/** One decoded character with its span in the text. */
export interface Cell {
  readonly char: string;
  readonly start: number;
  readonly end: number;
  /** True if the character is written as an HTML entity, such as `&quot;`. */
  readonly isEntity: boolean;
}

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: "\u00a0",
  ldquo: "\u201c",
  rdquo: "\u201d",
  lsquo: "\u2018",
  rsquo: "\u2019",
  ndash: "\u2013",
  mdash: "\u2014",
};

/** Returns the characters of a text. Decodes HTML entities, and reads `\r\n` as one newline. */
export function cellsOf(text: string): readonly Cell[] {
  const cells: Cell[] = [];
  const entity = /&(?:([a-z]{2,5})|#([0-9]{1,5})|#x([0-9a-f]{1,4}));/iy;
  for (let start = 0; start < text.length;) {
    const char = text[start] ?? "";
    let cell: Cell = { char, start, end: start + 1, isEntity: false };
    if (char === "&") {
      entity.lastIndex = start;
      const match = entity.exec(text);
      const decoded = match === null ? undefined : decode(match);
      if (decoded !== undefined) {
        cell = { char: decoded, start, end: entity.lastIndex, isEntity: true };
      }
    } else if (char === "\r" && text[start + 1] === "\n") {
      cell = { char: "\n", start, end: start + 2, isEntity: false };
    } else if (char === "\r") {
      cell = { ...cell, char: "\n" };
    }
    cells.push(cell);
    start = cell.end;
  }
  return cells;
}

function decode([, name, decimal, hex]: RegExpExecArray): string | undefined {
  if (name !== undefined) {
    const known = name.toLowerCase();
    return Object.hasOwn(entities, known) ? entities[known] : undefined;
  }
  const code = Number.parseInt(decimal ?? hex ?? "", decimal === undefined ? 16 : 10);
  return code > 0 && code <= 0xffff ? String.fromCharCode(code) : undefined;
}
