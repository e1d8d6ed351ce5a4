// Formats properties files without changing their settings.
import { withoutEnd } from "../../../base/withoutEnd.ts";
import type { Span } from "../../../base/span.ts";
import type { TextEdit } from "../../../base/textEdit.ts";
import type { ConfEntry } from "./confDocument.ts";
import { parseProperties, type PropertiesPiece, type PropertiesDocument } from "./properties.ts";

/** The maximum key length, in characters, that moves the value column. */
const widestColumn = 72;

/**
 * Aligns the values of neighboring settings and removes trailing blanks. A line stays unchanged if
 * formatting could change its setting: with escapes, or with a value that begins with a separator.
 */
export function formatConf(text: string): readonly TextEdit[] {
  const document = parseProperties(text);
  const entries = entriesByPiece(document);
  const edits: TextEdit[] = [];
  for (const block of blocksOf(document.pieces)) {
    const lines = block.map((piece) => readLine(text, piece, entries.get(piece)));
    const widths = lines.flatMap((line) =>
      line.entry && line.entry.key.length <= widestColumn ? [line.entry.key.length] : [],
    );
    const column = Math.max(0, ...widths) + 2;
    for (const line of lines) {
      const own = line.entry ? printed(line.entry, column) : line.written.trimEnd();
      const isSame = line.entry === undefined || readsAs(own, line.entry);
      if (own !== line.written && isSame && line.isPlain && !joinsTerminators(text, line.span, own))
        edits.push({ span: line.span, text: own });
    }
  }
  return edits;
}

/** True if the line becomes empty, so that the CR before it and its own LF would join into one line terminator. */
const joinsTerminators = (text: string, { start, end }: Span, own: string): boolean =>
  own === "" && text[start - 1] === "\r" && text[end] === "\n";

interface ConfLine {
  /** The span of the line without its terminator. */
  readonly span: Span;
  readonly written: string;
  readonly isPlain: boolean;
  readonly entry: KeyAndValue | undefined;
}

interface KeyAndValue {
  readonly key: string;
  readonly value: string;
}

/** Maps pieces to their entries. Both are in text order, and each entry has a piece. */
function entriesByPiece({
  pieces,
  entries,
}: PropertiesDocument): ReadonlyMap<PropertiesPiece, ConfEntry> {
  const found = new Map<PropertiesPiece, ConfEntry>();
  let next = 0;
  for (const piece of pieces) {
    const entry = piece.kind === "entry" ? entries[next++] : undefined;
    if (entry !== undefined) found.set(piece, entry);
  }
  return found;
}

function readLine(
  text: string,
  { kind, span }: PropertiesPiece,
  entry: ConfEntry | undefined,
): ConfLine {
  const written = withoutEnd(text.slice(span.start, span.end), "\r\n");
  return {
    span: { start: span.start, end: span.start + written.length },
    written,
    isPlain: kind !== "entry" || !written.includes("\\"),
    entry: entry && { key: entry.key, value: entry.value },
  };
}

const printed = ({ key, value }: KeyAndValue, column: number): string =>
  value === "" ? key : `${key.padEnd(Math.max(column, key.length + 1))}${value}`;

function readsAs(line: string, { key, value }: KeyAndValue): boolean {
  const { entries } = parseProperties(line);
  const [only] = entries;
  return entries.length === 1 && only?.key === key && only.value === value;
}

/** Returns the blocks of lines between empty lines. Each empty line is a block of its own. */
function blocksOf(pieces: readonly PropertiesPiece[]): readonly (readonly PropertiesPiece[])[] {
  const blocks: PropertiesPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === "blank") blocks.push([piece], []);
    else blocks.at(-1)?.push(piece);
  }
  return blocks.filter((block) => block.length > 0);
}

/**
 * Sorts the settings between two empty lines by key. A comment stays above the setting that follows
 * it, and a header comment followed by an empty line stays at the top. The sort is stable, so
 * repeated keys keep their order. Text with template directives is not sorted.
 */
export function sortConf(text: string): readonly TextEdit[] {
  const document = parseProperties(text);
  const { pieces } = document;
  if (/\{[{%]|<%/.test(text)) return [];
  const entries = entriesByPiece(document);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  return blocksOf(pieces).flatMap((block): readonly TextEdit[] => {
    const groups: { key: string; text: string }[] = [];
    let above = "";
    for (const piece of block) {
      const own = text.slice(piece.span.start, piece.span.end);
      if (piece.kind !== "entry") above += own;
      else {
        groups.push({ key: entries.get(piece)?.key ?? "", text: above + own });
        above = "";
      }
    }
    const first = block[0]?.span.start ?? 0;
    const end = (block.at(-1)?.span.end ?? first) - above.length;
    const before = text.slice(first, end);
    const sorted = groups
      .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      // The last line may have no terminator.
      .map((group) => (/[\r\n]$/.test(group.text) ? group.text : group.text + newline))
      .join("");
    const whole = /[\r\n]$/.test(before) ? sorted : sorted.replace(/(?:\r?\n|\r)$/, "");
    // Does not sort a block whose last line ends with a backslash. If the line moved up, it would continue on the next
    // one.
    return whole === before || /\\(?:\r?\n|\r)?$/.test(before)
      ? []
      : [{ span: { start: first, end }, text: whole }];
  });
}
