// A line-based YAML reader for documents that are being edited. The `yaml` package takes 26 to 100 ms of CPU
// time for 2,000 lines, this reader 5 ms; findings must appear within 25 ms.
import { readFlow } from "./flowYaml.ts";
import { yamlLines, type YamlLine } from "./yamlLines.ts";
import {
  mergedEntries,
  movedNode,
  scalarNode,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from "./yamlNode.ts";
import { blockScalar } from "./yamlBlockScalar.ts";
import { isBlank, plainEnd, plainScalar, quotedScalar } from "./yamlScalars.ts";

/** Parses a short text with the full parser; undefined if it has no document. */
type ReadPart = (text: string) => YamlNode | undefined;

/**
 * Reads the documents in a text. Passes folded scalars, tags and other rare syntax to the full parser, in parts of
 * limited length. Skips invalid lines, such as template directives or a half-typed line. Takes linear time. Never
 * throws.
 */
export function readBlockYaml(text: string, readPart: ReadPart): readonly YamlNode[] {
  const reader = new BlockReader(text, readPart);
  const documents: YamlNode[] = [];
  for (;;) {
    const document = reader.nextDocument();
    if (document === undefined) return documents;
    documents.push(document);
  }
}

/** Maximum nesting depth: far above that of any manifest, and far below a stack overflow. */
const maxDepth = 200;
/** Limit for the number of nodes after aliases are expanded. */
const maxNodes = 200_000;
/** Maximum length of a part for the full parser, in characters: the parser blocks typing while it runs. */
const maxPartLength = 16_384;

interface Key {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The offset after the colon. */
  readonly behind: number;
}

/** The key or list item to which a value belongs. */
interface ValueOwner {
  readonly column: number;
  readonly isOfKey: boolean;
  readonly depth: number;
}

class BlockReader {
  readonly #text: string;
  readonly #readPart: ReadPart;
  readonly #lines: readonly YamlLine[];
  #index = 0;
  // Offset and column of the unread rest of the current line.
  #at = 0;
  #column = 0;
  #parts = 0;
  #anchors = new Map<string, { readonly node: YamlNode; readonly parts: number }>();

  constructor(text: string, readPart: ReadPart) {
    this.#text = text;
    this.#readPart = readPart;
    this.#lines = yamlLines(text);
    this.#goTo(0);
  }

  nextDocument(): YamlNode | undefined {
    let line = this.#line;
    while (line !== undefined && (this.#isAtMarker(line) || this.#isDirective())) {
      this.#skipMarker(line);
      line = this.#line;
    }
    if (line === undefined) return undefined;
    this.#anchors = new Map();
    this.#parts = 0;
    const node = this.#node(0);
    for (let rest = this.#line; rest && !this.#isAtMarker(rest); rest = this.#line) {
      this.#goTo(this.#index + 1);
    }
    return node;
  }

  /** Returns the current line; undefined at the end of the text. */
  get #line(): YamlLine | undefined {
    return this.#lines[this.#index];
  }

  #goTo(index: number): void {
    this.#index = index;
    this.#at = this.#line?.start ?? this.#text.length;
    this.#column = this.#line?.column ?? 0;
  }

  #moveWithin({ from }: YamlLine, at: number): void {
    this.#at = at;
    this.#column = at - from;
  }

  #isMarker({ from, start, end }: YamlLine): boolean {
    if (from !== start) return false;
    const mark = this.#text.slice(start, start + 3);
    if (mark !== "---" && mark !== "...") return false;
    return start + 3 >= end || isBlank(this.#text.charCodeAt(start + 3));
  }

  /** True at a document marker. False in the rest of the marker's line, where the document may begin. */
  #isAtMarker(line: YamlLine): boolean {
    return this.#at === line.start && this.#isMarker(line);
  }

  #isDirective(): boolean {
    return this.#column === 0 && this.#text.charAt(this.#at) === "%";
  }

  // Moves past a document marker or a directive. A document may begin on the line of its marker.
  #skipMarker(line: YamlLine): void {
    const behind = afterBlanks(this.#text, line.start + 3, line.end);
    const isEmpty = behind >= line.end || this.#text.charAt(behind) === "#";
    if (isEmpty || this.#isDirective()) this.#goTo(this.#index + 1);
    else this.#moveWithin(line, behind);
  }

  /** Reads the node that begins on the current line. */
  #node(depth: number): YamlNode {
    this.#parts++;
    const line = this.#line;
    if (line === undefined) return this.#nothing(this.#at);
    const isAnchor = this.#text.charAt(this.#at) === "&";
    if (isAnchor && this.#keyAt(line) === undefined) return this.#anchored(line, depth);
    // A document's root has no parent: it may begin after its marker, and its next lines may be at any column.
    const parentColumn = depth === 0 ? -1 : this.#column - 1;
    if (depth <= maxDepth) {
      if (this.#isItem(this.#at, line.end)) return this.#list(this.#column, depth);
      if (this.#isMap(line)) return this.#map(this.#column, depth);
      const node = this.#inLine(this.#at, line, parentColumn);
      if (node !== undefined) return node;
    }
    return this.#whole(parentColumn) ?? this.#nothing(this.#at);
  }

  // Reads an anchor and its node, which may be on the same line or on the next one.
  #anchored(line: YamlLine, depth: number): YamlNode {
    const before = this.#parts;
    const name = this.#at + 1;
    const end = this.#wordEnd(name, line.end);
    const first = afterBlanks(this.#text, end, line.end);
    const isAlone = first >= line.end;
    if (isAlone) this.#goTo(this.#index + 1);
    else this.#moveWithin(line, first);
    const node = this.#node(depth + 1);
    this.#anchors.set(this.#text.slice(name, end), { node, parts: this.#parts - before });
    return node;
  }

  // True if a map begins here. While its first key is being typed, the second key shows that the node is a map.
  #isMap(line: YamlLine): boolean {
    const { from, start } = line;
    if (this.#keyAt(line) !== undefined) return true;
    const next = this.#lines[this.#index + 1];
    const isSibling = this.#at === start && next !== undefined && next.column === start - from;
    return isSibling && keyAt(this.#text, next.start, next.end) !== undefined;
  }

  /** Returns the key on the current line; an anchor before it belongs to the key. */
  #keyAt({ end }: YamlLine): Key | undefined {
    if (this.#text.charAt(this.#at) !== "&") return keyAt(this.#text, this.#at, end);
    const nameEnd = this.#wordEnd(this.#at, end);
    const key = keyAt(this.#text, afterBlanks(this.#text, nameEnd, end), end);
    if (key === undefined) return undefined;
    const node = scalarNode(key.name, key.name, { start: key.start, end: key.end });
    this.#anchors.set(this.#text.slice(this.#at + 1, nameEnd), { node, parts: 1 });
    return key;
  }

  #map(column: number, depth: number): YamlNode {
    const start = this.#at;
    const merged: YamlEntry[] = [];
    const own: YamlEntry[] = [];
    let end = start;
    for (;;) {
      const line = this.#line;
      if (line === undefined || this.#column < column || this.#isAtMarker(line)) break;
      const key = this.#column === column ? this.#keyAt(line) : undefined;
      if (key === undefined) {
        // Skips a list item below a scalar value, and an invalid line.
        this.#goTo(this.#index + 1);
        continue;
      }
      const keySpan = { start: key.start, end: key.end };
      const value = this.#value(line, key.behind, { column, isOfKey: true, depth });
      end = value.span.end;
      if (key.name === "<<" && key.end - key.start === 2) merged.push(...mergedEntries(value));
      else own.push({ key: key.name, keySpan, value });
    }
    const span = { start, end: Math.max(start, end) };
    if (merged.length === 0) return { kind: "map", span, entries: own };
    const names = new Set(own.map(({ key }) => key));
    const entries = [...merged.filter(({ key }) => !names.has(key)), ...own];
    return { kind: "map", span, entries };
  }

  #list(column: number, depth: number): YamlNode {
    const start = this.#at;
    const items: YamlNode[] = [];
    for (;;) {
      const line = this.#line;
      if (line === undefined || this.#column < column || this.#isAtMarker(line)) break;
      if (this.#column > column) this.#goTo(this.#index + 1);
      else if (this.#isItem(this.#at, line.end)) {
        items.push(this.#value(line, this.#at + 1, { column, isOfKey: false, depth }));
      } else break;
    }
    const end = items.at(-1)?.span.end ?? start;
    return { kind: "list", span: { start, end: Math.max(start, end) }, items };
  }

  // Reads the value after a colon or a dash.
  #value(line: YamlLine, from: number, owner: ValueOwner): YamlNode {
    const at = afterBlanks(this.#text, from, line.end);
    const before = this.#parts;
    if (this.#text.charAt(at) !== "&") return this.#valueAt(line, at, from, owner);
    const end = this.#wordEnd(at, line.end);
    const first = afterBlanks(this.#text, end, line.end);
    const node = this.#valueAt(line, first, end, owner);
    this.#anchors.set(this.#text.slice(at + 1, end), { node, parts: this.#parts - before });
    return node;
  }

  #valueAt(line: YamlLine, at: number, from: number, owner: ValueOwner): YamlNode {
    const { column, isOfKey, depth } = owner;
    const isEmpty = at >= line.end || (this.#text.charAt(at) === "#" && at > from);
    if (isEmpty) return this.#below(at < line.end ? at : from, owner);
    if (!isOfKey && (this.#isItem(at, line.end) || keyAt(this.#text, at, line.end) !== undefined)) {
      this.#moveWithin(line, at);
      return this.#node(depth + 1);
    }
    this.#parts++;
    if (this.#text.charAt(at) === "*") return this.#alias(line, at);
    return (
      this.#inLine(at, line, column) ??
      this.#blockText(at, line, column) ??
      this.#wholePart(at, column)
    );
  }

  #below(from: number, { column, isOfKey, depth }: ValueOwner): YamlNode {
    this.#goTo(this.#index + 1);
    const line = this.#line;
    if (line === undefined || this.#isAtMarker(line)) return this.#nothing(from);
    // List items may have the same column as their key.
    const isOwn = isOfKey && this.#column === column && this.#isItem(this.#at, line.end);
    if (this.#column <= column && !isOwn) return this.#nothing(from);
    return this.#node(depth + 1);
  }

  #alias(line: YamlLine, at: number): YamlNode {
    const end = this.#wordEnd(at, line.end);
    this.#goTo(this.#index + 1);
    return this.#target(this.#text.slice(at + 1, end)) ?? this.#nothing(end);
  }

  #target(anchor: string): YamlNode | undefined {
    const target = this.#anchors.get(anchor);
    this.#parts += target?.parts ?? 0;
    return this.#parts > maxNodes ? undefined : target?.node;
  }

  /** Reads a value on one line; undefined if a deeper line continues it. */
  #inLine(at: number, line: YamlLine, column: number): YamlNode | undefined {
    const next = this.#lines[this.#index + 1];
    const isContinued = next !== undefined && next.column > column && !this.#isMarker(next);
    if (isContinued) return undefined;
    const node = this.#inLineAt(at, line.end);
    if (node === undefined || !isOver(this.#text, node.span.end, line.end)) return undefined;
    this.#goTo(this.#index + 1);
    return node;
  }

  #inLineAt(at: number, lineEnd: number): YamlNode | undefined {
    const char = this.#text.charAt(at);
    if ((char === "{" || char === "[") && !this.#text.startsWith("{{", at))
      return readFlow(
        { text: this.#text, lineEnd, targetOf: (anchor) => this.#target(anchor) },
        at,
        maxDepth,
      );
    return scalarAt(this.#text, at, lineEnd);
  }

  // Reads a block scalar, `|` or `>`. Undefined if there is none, or if it needs the full parser.
  #blockText(at: number, line: YamlLine, column: number): YamlNode | undefined {
    if (!"|>".includes(this.#text.charAt(at))) return undefined;
    let index = this.#index + 1;
    let next = this.#lines[index];
    while (next !== undefined && next.column > column) next = this.#lines[++index];
    const node = blockScalar(this.#text, at, line.end, next?.from ?? this.#text.length, column);
    if (node !== undefined) this.#goTo(index);
    return node;
  }

  #wholePart(at: number, column: number): YamlNode {
    this.#at = at;
    return this.#whole(column) ?? this.#nothing(at);
  }

  /**
   * Reads the node with the full parser. The node ends before the next line that is not indented deeper than `column`.
   * Undefined if the text is too long or has no node.
   */
  #whole(column: number): YamlNode | undefined {
    const first = this.#at;
    let index = this.#index + 1;
    let line = this.#lines[index];
    while (line !== undefined && line.column > column && !this.#isMarker(line)) {
      line = this.#lines[++index];
    }
    this.#goTo(index);
    const end = line?.from ?? this.#text.length;
    if (end - first > maxPartLength) return undefined;
    // Prepends a key at the parent's column, so that the following lines are deeper than their parent, as in the
    // document. The document's root has no parent.
    const before = column < 0 ? "" : `${" ".repeat(column)}k: `;
    const part = this.#readPart(before + this.#text.slice(first, end));
    const ofKey = part?.kind === "map" ? part.entries[0]?.value : undefined;
    const value = column < 0 ? part : ofKey;
    return value === undefined ? undefined : movedNode(value, first - before.length);
  }

  #isItem(at: number, lineEnd: number): boolean {
    if (this.#text.charAt(at) !== "-") return false;
    return at + 1 >= lineEnd || isBlank(this.#text.charCodeAt(at + 1));
  }

  #wordEnd(from: number, lineEnd: number): number {
    let at = from;
    while (at < lineEnd && !isBlank(this.#text.charCodeAt(at))) at++;
    return at;
  }

  #nothing(at: number): YamlNode {
    return scalarNode(null, "", { start: at, end: at });
  }
}

function scalarAt(text: string, at: number, lineEnd: number): YamlScalar | undefined {
  const char = text.charAt(at);
  if (char === '"' || char === "'") return quotedScalar(text, at, lineEnd);
  // A template expression, possibly followed by text, such as `{{ .Values.tag }}-slim`.
  if (text.startsWith("{{", at)) {
    const comment = text.slice(at, lineEnd).search(/\s#/);
    const source = text.slice(at, comment < 0 ? lineEnd : at + comment).trimEnd();
    return scalarNode(source, source, { start: at, end: at + source.length });
  }
  const end = plainEnd(text, at, lineEnd);
  return end === undefined ? undefined : plainScalar(text, at, end);
}

function keyAt(text: string, start: number, lineEnd: number): Key | undefined {
  const char = text.charAt(start);
  const isQuoted = char === '"' || char === "'";
  const key = isQuoted ? quotedScalar(text, start, lineEnd) : plainKey(text, start, lineEnd);
  if (key === undefined) return undefined;
  const colon = afterBlanks(text, key.span.end, lineEnd);
  if (text.charAt(colon) !== ":" || colon >= lineEnd) return undefined;
  const behind = colon + 1;
  if (behind < lineEnd && !isBlank(text.charCodeAt(behind))) return undefined;
  return { name: String(key.value), start, end: key.span.end, behind };
}

function plainKey(text: string, start: number, lineEnd: number): YamlScalar | undefined {
  const colon = endOfKey(text, start, lineEnd);
  if (colon === undefined) return undefined;
  const end = plainEnd(text, start, colon);
  // The colon is inside a comment.
  if (end === undefined || afterBlanks(text, end, colon) !== colon) return undefined;
  const source = text.slice(start, end);
  return plainScalar(text, start, end) ?? scalarNode(source, source, { start, end });
}

/** True if only blanks or a comment follow on the line. */
function isOver(text: string, end: number, lineEnd: number): boolean {
  const at = afterBlanks(text, end, lineEnd);
  return at >= lineEnd || (text.charAt(at) === "#" && at > end);
}

function afterBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

const colon = 0x3a;

/** Returns the offset of the colon that ends a plain key. Undefined if the line has no such colon. */
function endOfKey(text: string, start: number, lineEnd: number): number | undefined {
  for (let at = start; at < lineEnd; at++) {
    if (text.charCodeAt(at) !== colon) continue;
    if (at + 1 >= lineEnd || isBlank(text.charCodeAt(at + 1))) return at;
  }
  return undefined;
}
