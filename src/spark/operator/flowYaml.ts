// Flow maps and lists of YAML on one line.
import { isBlank, plainScalar, quotedScalar, startsPlain } from "./yamlScalars.ts";
import { scalarNode, type YamlEntry, type YamlNode } from "./yamlNode.ts";

interface FlowLine {
  readonly text: string;
  readonly lineEnd: number;
  /** Returns the node with the anchor. Undefined if there is none, or if the document has too many nodes. */
  readonly targetOf: (anchor: string) => YamlNode | undefined;
}

/** A node with its end in the text. For an alias, the node has the span of the anchored node. */
interface Part {
  readonly node: YamlNode;
  readonly end: number;
}

/** Reads the flow map or list at `start`; undefined if it needs the full parser. */
export function readFlow(line: FlowLine, start: number, maxLevels: number): YamlNode | undefined {
  if (maxLevels === 0) return undefined;
  return line.text.charAt(start) === "{"
    ? readMap(line, start, maxLevels)
    : readList(line, start, maxLevels);
}

function readMap(line: FlowLine, start: number, maxLevels: number): YamlNode | undefined {
  const { text, lineEnd } = line;
  const entries: YamlEntry[] = [];
  const names = new Set<string>();
  let at = afterBlanks(text, start + 1, lineEnd);
  while (text.charAt(at) !== "}") {
    const key = readScalar(text, at, lineEnd);
    if (key === undefined) return undefined;
    const name = String(key.value);
    const colon = afterBlanks(text, key.span.end, lineEnd);
    if (text.charAt(colon) !== ":" || name === "<<" || names.has(name)) return undefined;
    const first = afterBlanks(text, colon + 1, lineEnd);
    // `{a:1}` has the key `a:1` without a value, because no blank follows the colon.
    if (first === colon + 1 && !/["'[{,}]/.test(text.charAt(first))) return undefined;
    const isEmpty = ",}".includes(text.charAt(first));
    const value = isEmpty ? nothing(first) : readValue(line, first, maxLevels);
    if (value === undefined) return undefined;
    names.add(name);
    entries.push({ key: name, keySpan: key.span, value: value.node });
    const next = afterPart(text, value.end, lineEnd, "}");
    if (next === undefined) return undefined;
    at = next;
  }
  return { kind: "map", span: { start, end: at + 1 }, entries };
}

function readList(line: FlowLine, start: number, maxLevels: number): YamlNode | undefined {
  const { text, lineEnd } = line;
  const items: YamlNode[] = [];
  let at = afterBlanks(text, start + 1, lineEnd);
  while (text.charAt(at) !== "]") {
    const value = readValue(line, at, maxLevels);
    if (value === undefined) return undefined;
    items.push(value.node);
    const next = afterPart(text, value.end, lineEnd, "]");
    if (next === undefined) return undefined;
    at = next;
  }
  return { kind: "list", span: { start, end: at + 1 }, items };
}

/** Returns the offset of the next item or of the closing bracket. Undefined if neither follows on the line. */
function afterPart(text: string, end: number, lineEnd: number, close: string): number | undefined {
  const at = afterBlanks(text, end, lineEnd);
  if (at >= lineEnd) return undefined;
  if (text.charAt(at) === close) return at;
  return text.charAt(at) === "," ? afterBlanks(text, at + 1, lineEnd) : undefined;
}

function readValue(line: FlowLine, at: number, maxLevels: number): Part | undefined {
  const { text, lineEnd, targetOf } = line;
  if (at >= lineEnd) return undefined;
  const char = text.charAt(at);
  if (char === "*") {
    let end = at + 1;
    while (end < lineEnd && !/[\s,[\]{}]/.test(text.charAt(end))) end++;
    const node = targetOf(text.slice(at + 1, end));
    return node === undefined ? undefined : { node, end };
  }
  const isNested = char === "{" || char === "[";
  const node = isNested ? readFlow(line, at, maxLevels - 1) : readScalar(text, at, lineEnd);
  return node === undefined ? undefined : { node, end: node.span.end };
}

const nothing = (at: number): Part => ({
  node: scalarNode(null, "", { start: at, end: at }),
  end: at,
});

function readScalar(text: string, at: number, lineEnd: number) {
  if (at >= lineEnd) return undefined;
  const char = text.charAt(at);
  if (char === '"' || char === "'") return quotedScalar(text, at, lineEnd);
  if (!startsPlain(text, at, lineEnd)) return undefined;
  let end = at;
  while (end < lineEnd && !",[]{}:#".includes(text.charAt(end))) end++;
  // A colon or a hash may be part of the scalar; the full parser decides.
  const next = text.charAt(end);
  if (next === "#" || (next === ":" && !isBlankOrClose(text, end + 1, lineEnd))) return undefined;
  while (end > at && isBlank(text.charCodeAt(end - 1))) end--;
  return plainScalar(text, at, end);
}

const isBlankOrClose = (text: string, at: number, lineEnd: number): boolean =>
  at < lineEnd && (isBlank(text.charCodeAt(at)) || ",}]".includes(text.charAt(at)));

function afterBlanks(text: string, from: number, lineEnd: number): number {
  let at = from;
  while (at < lineEnd && isBlank(text.charCodeAt(at))) at++;
  return at;
}
