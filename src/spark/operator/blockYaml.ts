// YAML as people write it, read line by line in a fraction of the time that a full reader takes.
import {
  lineStretches,
  rememberedStretches,
  stretchReader,
  type ReadStretch,
  type SteppedReader,
} from "../conf/stretches.ts";
import { readFlow } from "./flowYaml.ts";
import { yamlLines, type YamlLine } from "./yamlLines.ts";
import {
  mergedEntries,
  movedNode,
  PlacedMap,
  scalarNode,
  type YamlEntry,
  type YamlNode,
  type YamlRun,
  type YamlScalar,
} from "./yamlNode.ts";
import { blockScalar } from "./yamlBlockScalar.ts";
import { isBlank, plainEnd, plainScalar, quotedScalar } from "./yamlScalars.ts";

/** Reads a small text in full; undefined where nothing can be made of it. */
export type ReadPart = (text: string) => YamlNode | undefined;

/**
 * The documents of a text. What takes a full reader, such as a folded text or a tag, is given to it part by
 * part, but never much at once; lines that are no YAML, as of a template or while somebody types, are passed
 * over. Looks at each character a bounded number of times, and never throws. What was read of a long map is
 * kept for the next time.
 */
export function blockYamlReader(readPart: ReadPart): SteppedReader<readonly YamlNode[]> {
  const runs = stretchReader(
    lineStretches(() => true),
    flatRun,
  );
  const readBlock = rememberedStretches((block) =>
    new BlockReader(block, readPart, [], undefined).wholeBlock(),
  );
  const read = (text: string): readonly YamlNode[] => {
    const reader = new BlockReader(text, readPart, runs.read(text), readBlock);
    const documents: YamlNode[] = [];
    for (;;) {
      const document = reader.nextDocument();
      if (document === undefined) return documents;
      documents.push(document);
    }
  };
  const steps = function* (text: string): Generator<void, void> {
    yield* runs.steps(text);
    yield* new BlockReader(text, readPart, runs.read(text), readBlock).blocks();
  };
  return { read, steps };
}

/** Deeper than any manifest, and far from where the stack ends. */
const deepest = 200;
/** How many parts a document may have with its aliases written out. */
const mostParts = 200_000;
/** More is not given to the full reader at once, as it would hold up whoever types. */
const longestPart = 16_384;

interface Key {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Where the colon ends. */
  readonly behind: number;
}

class BlockReader {
  readonly #text: string;
  readonly #readPart: ReadPart;
  readonly #lines: readonly YamlLine[];
  #index = 0;
  // What is left to read of the line at hand, and the column that it stands in.
  #at = 0;
  #column = 0;
  #parts = 0;
  readonly #runs: readonly ReadStretch<FlatRun>[];
  // Those before were passed.
  #run = 0;
  readonly #readBlock: ReadBlock | undefined;
  #anchors = new Map<string, { readonly node: YamlNode; readonly parts: number }>();

  constructor(
    text: string,
    readPart: ReadPart,
    runs: readonly ReadStretch<FlatRun>[],
    readBlock: ReadBlock | undefined,
  ) {
    this.#readBlock = readBlock;
    this.#text = text;
    this.#readPart = readPart;
    this.#runs = runs;
    this.#lines = yamlLines(text);
    this.#goTo(0);
  }

  /** What stands on all lines, as below a key of the document's own map. */
  wholeBlock(): Block {
    const node = this.#node(depthOfBlocks);
    return { node, parts: this.#parts };
  }

  /** Reads below each key of the documents' own maps what is kept for the next time. */
  *blocks(): Generator<void, void> {
    for (let index = 1; index < this.#lines.length; index++) {
      const line = this.#lines[index];
      if (line === undefined || line.column === 0 || this.#lines[index - 1]?.column !== 0) continue;
      this.#goTo(index);
      this.#block(line);
      yield;
    }
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

  /** The line at hand, unless the text or the document is over. */
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

  /** Of the line at hand: behind its marker, a document has begun. */
  #isAtMarker(line: YamlLine): boolean {
    return this.#at === line.start && this.#isMarker(line);
  }

  #isDirective(): boolean {
    return this.#column === 0 && this.#text.charAt(this.#at) === "%";
  }

  // A document may begin on the line of its marker.
  #skipMarker(line: YamlLine): void {
    const behind = afterBlanks(this.#text, line.start + 3, line.end);
    const isEmpty = behind >= line.end || this.#text.charAt(behind) === "#";
    if (isEmpty || this.#isDirective()) this.#goTo(this.#index + 1);
    else this.#moveWithin(line, behind);
  }

  /** What stands on the line at hand and on those that belong to it. */
  #node(depth: number): YamlNode {
    this.#parts++;
    const line = this.#line;
    if (line === undefined) return this.#nothing(this.#at);
    if (this.#text.charAt(this.#at) === "&") return this.#anchored(line, depth);
    if (depth <= deepest) {
      if (this.#isItem(this.#at, line.end)) return this.#list(this.#column, depth);
      if (this.#isMap(line)) return this.#map(this.#column, depth);
      const node = this.#inLine(this.#at, line, this.#column - 1);
      if (node !== undefined) return node;
    }
    return this.#whole(this.#column - 1) ?? this.#nothing(this.#at);
  }

  // The name of a node may stand on the line above it, or before it.
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

  // While its first key is typed, a map shows in the second.
  #isMap({ from, start, end }: YamlLine): boolean {
    if (keyAt(this.#text, this.#at, end) !== undefined) return true;
    const next = this.#lines[this.#index + 1];
    const isSibling = this.#at === start && next !== undefined && next.column === start - from;
    return isSibling && keyAt(this.#text, next.start, next.end) !== undefined;
  }

  #map(column: number, depth: number): YamlNode {
    const start = this.#at;
    const runs: YamlRun[] = [];
    const merged: YamlEntry[] = [];
    let own: YamlEntry[] = [];
    let end = start;
    for (;;) {
      const line = this.#line;
      if (line === undefined || this.#column < column || this.#isAtMarker(line)) break;
      const run = this.#column === column ? this.#runAt(line) : undefined;
      if (run !== undefined) {
        const { at, found } = run;
        if (own.length > 0) runs.push({ at: 0, entries: own });
        own = [];
        runs.push({ at, entries: found.entries });
        end = at + found.end;
        this.#parts += found.entries.length;
        this.#goTo(this.#index + found.entries.length);
        continue;
      }
      const key = this.#column === column ? keyAt(this.#text, this.#at, line.end) : undefined;
      if (key === undefined) {
        // The item of a list that the key before stands above, or no YAML.
        this.#goTo(this.#index + 1);
        continue;
      }
      const keySpan = { start: key.start, end: key.end };
      const value = this.#value(line, key.behind, column, true, depth);
      end = value.span.end;
      if (key.name === "<<" && key.end - key.start === 2) merged.push(...mergedEntries(value));
      else own.push({ key: key.name, keySpan, value });
    }
    const span = { start, end: Math.max(start, end) };
    if (runs.length === 0 && merged.length === 0) return { kind: "map", span, entries: own };
    if (own.length > 0) runs.push({ at: 0, entries: own });
    const map = new PlacedMap(span, runs);
    if (merged.length === 0) return map;
    const names = new Set(map.entries.map(({ key }) => key));
    const entries = [...merged.filter(({ key }) => !names.has(key)), ...map.entries];
    return { kind: "map", span, entries };
  }

  /** The settings that begin on the line at hand and stand one on a line, to where a stretch of lines ends. */
  #runAt(line: YamlLine): ReadStretch<FlatRun> | undefined {
    if (this.#at !== line.start) return undefined;
    let run = this.#runs[this.#run];
    while (run !== undefined && run.at + run.found.start < line.from) run = this.#runs[++this.#run];
    if (run === undefined || run.at + run.found.start !== line.from) return undefined;
    const { length } = run.found.entries;
    const next = this.#lines[this.#index + length];
    // What stands deeper below the last one would go on with it.
    const goesOn = next !== undefined && next.column > line.column;
    return length === 0 || goesOn ? undefined : run;
  }

  #list(column: number, depth: number): YamlNode {
    const start = this.#at;
    const items: YamlNode[] = [];
    for (;;) {
      const line = this.#line;
      if (line === undefined || this.#column < column || this.#isAtMarker(line)) break;
      if (this.#column > column) this.#goTo(this.#index + 1);
      else if (this.#isItem(this.#at, line.end)) {
        items.push(this.#value(line, this.#at + 1, column, false, depth));
      } else break;
    }
    const end = items.at(-1)?.span.end ?? start;
    return { kind: "list", span: { start, end: Math.max(start, end) }, items };
  }

  // What stands behind a colon or a dash.
  #value(line: YamlLine, from: number, column: number, isOfKey: boolean, depth: number): YamlNode {
    const at = afterBlanks(this.#text, from, line.end);
    const before = this.#parts;
    if (this.#text.charAt(at) !== "&") return this.#valueAt(line, at, from, column, isOfKey, depth);
    const end = this.#wordEnd(at, line.end);
    const first = afterBlanks(this.#text, end, line.end);
    const node = this.#valueAt(line, first, end, column, isOfKey, depth);
    this.#anchors.set(this.#text.slice(at + 1, end), { node, parts: this.#parts - before });
    return node;
  }

  #valueAt(
    line: YamlLine,
    at: number,
    from: number,
    column: number,
    isOfKey: boolean,
    depth: number,
  ): YamlNode {
    const isEmpty = at >= line.end || (this.#text.charAt(at) === "#" && at > from);
    if (isEmpty) return this.#below(at < line.end ? at : from, column, isOfKey, depth);
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

  #below(from: number, column: number, isOfKey: boolean, depth: number): YamlNode {
    this.#goTo(this.#index + 1);
    const line = this.#line;
    if (line === undefined || this.#isAtMarker(line)) return this.#nothing(from);
    // The items of a list may stand as far to the left as the key that they belong to.
    const isOwn = isOfKey && this.#column === column && this.#isItem(this.#at, line.end);
    if (this.#column <= column && !isOwn) return this.#nothing(from);
    const block =
      column === 0 && !isOwn && depth + 1 === depthOfBlocks ? this.#block(line) : undefined;
    return block ?? this.#node(depth + 1);
  }

  /** The lines below a key of the document's own map, which most changes do not concern. */
  #block(first: YamlLine): YamlNode | undefined {
    if (this.#readBlock === undefined) return undefined;
    let index = this.#index + 1;
    let line = this.#lines[index];
    while (line !== undefined && line.column > 0) {
      if (line.from - first.from > longestPart) return undefined;
      line = this.#lines[++index];
    }
    const block = this.#text.slice(first.from, line?.from ?? this.#text.length);
    // Names of other places stand for what is there.
    if (block.length > longestPart || /[&*]/.test(block)) return undefined;
    const { node, parts } = this.#readBlock(block);
    this.#goTo(index);
    this.#parts += parts;
    return movedNode(node, first.from);
  }

  #alias(line: YamlLine, at: number): YamlNode {
    const end = this.#wordEnd(at, line.end);
    this.#goTo(this.#index + 1);
    return this.#target(this.#text.slice(at + 1, end)) ?? this.#nothing(end);
  }

  #target(anchor: string): YamlNode | undefined {
    const target = this.#anchors.get(anchor);
    this.#parts += target?.parts ?? 0;
    return this.#parts > mostParts ? undefined : target?.node;
  }

  /** A value that begins and ends on the line; what stands deeper below would go on with it. */
  #inLine(at: number, line: YamlLine, column: number): YamlNode | undefined {
    const next = this.#lines[this.#index + 1];
    const goesOn = next !== undefined && next.column > column && !this.#isMarker(next);
    if (goesOn) return undefined;
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
        deepest,
      );
    return scalarAt(this.#text, at, lineEnd);
  }

  // `|` and `>` with the lines below them.
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

  /** From here to where a line stands no deeper than the column, as the full reader takes it. */
  #whole(column: number): YamlNode | undefined {
    const first = this.#at;
    let index = this.#index + 1;
    let line = this.#lines[index];
    while (line !== undefined && line.column > column && !this.#isMarker(line)) {
      line = this.#lines[++index];
    }
    this.#goTo(index);
    const end = line?.from ?? this.#text.length;
    if (end - first > longestPart) return undefined;
    // Behind a key of its own, in its own column, so that what is below stands deeper as it does here.
    const before = `${" ".repeat(Math.max(0, column))}k: `;
    const part = this.#readPart(before + this.#text.slice(first, end));
    const value = part?.kind === "map" ? part.entries[0]?.value : undefined;
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

/** The keys of a document's map are read at no depth, and what is below them at the next. */
const depthOfBlocks = 1;

interface Block {
  readonly node: YamlNode;
  /** How many parts it has. */
  readonly parts: number;
}

type ReadBlock = (text: string) => Block;

/** Lines of a map, each with a key and its value; their places are counted from where the stretch begins. */
interface FlatRun {
  /** Where the first of them begins. */
  readonly start: number;
  readonly end: number;
  readonly entries: readonly YamlEntry[];
}

// Empty unless all lines are of one map, and what they say stands on them alone.
function flatRun(text: string): FlatRun {
  const lines = yamlLines(text);
  const { from = 0, column = 0 } = lines[0] ?? {};
  const none = { start: from, end: from, entries: [] };
  const entries: YamlEntry[] = [];
  for (const line of lines) {
    const key = line.column === column ? keyAt(text, line.start, line.end) : undefined;
    if (key === undefined || key.name === "<<") return none;
    const at = afterBlanks(text, key.behind, line.end);
    const value = at >= line.end ? undefined : scalarAt(text, at, line.end);
    if (value === undefined || !isOver(text, value.span.end, line.end)) return none;
    entries.push({ key: key.name, keySpan: { start: key.start, end: key.end }, value });
  }
  return { start: from, end: entries.at(-1)?.value.span.end ?? from, entries };
}

function scalarAt(text: string, at: number, lineEnd: number): YamlScalar | undefined {
  const char = text.charAt(at);
  if (char === '"' || char === "'") return quotedScalar(text, at, lineEnd);
  // What a template fills in, alone or with something around it.
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
  // Behind a comment's sign there is no key.
  if (end === undefined || afterBlanks(text, end, colon) !== colon) return undefined;
  const source = text.slice(start, end);
  return plainScalar(text, start, end) ?? scalarNode(source, source, { start, end });
}

/** Whether nothing but a comment stands behind. */
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

/** Where the colon stands that ends a plain key. */
function endOfKey(text: string, start: number, lineEnd: number): number | undefined {
  for (let at = start; at < lineEnd; at++) {
    if (text.charCodeAt(at) !== colon) continue;
    if (at + 1 >= lineEnd || isBlank(text.charCodeAt(at + 1))) return at;
  }
  return undefined;
}
