import { Composer, isAlias, isMap, isScalar, isSeq, type CST, type Tags } from "yaml";
import type { Span } from "../../base/span.ts";
import { yamlTokens } from "../yamlTokens.ts";
import { readBlockYaml } from "./blockYaml.ts";
import type { ManifestFinding } from "./manifestFinding.ts";
import { manifestProblems } from "./manifestProblems.ts";
import {
  mergedEntries,
  scalarNode,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from "./yamlNode.ts";

interface YamlTrees {
  readonly documents: readonly YamlNode[];
  readonly findings: readonly ManifestFinding[];
}

/** Maximum nesting depth: far above that of any manifest, and far below a stack overflow. */
const maxDepth = 200;
/** Limit for the number of nodes after aliases are expanded. */
const maxSize = 200_000;

/** Parses the documents in a text as kubectl does. Never throws. */
export function parseYamlTrees(text: string): YamlTrees {
  const tokens = yamlTokens(text);
  // Refuses deep nesting: the composer is recursive, and a stack overflow can end the whole process.
  if (tokens === undefined || tokens.some((token) => depthOf(token) > maxDepth)) {
    const span = { start: 0, end: text.length };
    return { documents: [], findings: [manifestProblems.tooDeep(span)] };
  }
  const findings: ManifestFinding[] = [];
  const documents: YamlNode[] = [];
  // Keeps the YAML 1.1 subset of Kubernetes: `yes` and `0644`, but no dates and no `1:20`.
  const customTags = (tags: Tags): Tags =>
    tags.filter((tag) => typeof tag !== "string" && !foreignTags.has(tag.tag) && !isTime(tag));
  const composer = new Composer({
    schema: "yaml-1.1",
    merge: true,
    // The composer's check is quadratic in the number of keys; `TreeReader` checks the keys itself.
    uniqueKeys: false,
    customTags,
    prettyErrors: false,
    logLevel: "silent",
  });
  for (const document of composer.compose(tokens)) {
    if (!isTemplate(text)) {
      for (const { message, pos } of document.errors) {
        findings.push(manifestProblems.badYaml(message, spanWithin(text, pos[0], pos[1])));
      }
    }
    if (document.contents === null) continue;
    documents.push(new TreeReader(text, findings).read(document.contents));
  }
  return { documents, findings };
}

/** Reads the documents in a text that is being edited. Faster than `parseYamlTrees`, and reports no errors. */
export const skimYaml = (text: string): readonly YamlNode[] =>
  readBlockYaml(text, (part) => parseYamlTrees(part).documents[0]);

/** True for a template, such as Helm or Jinja. */
const isTemplate = (text: string): boolean => /\{\{-|\{%|^[ \t]*\{\{/m.test(text);

const foreignTags: ReadonlySet<string> = new Set(
  ["timestamp", "binary", "omap", "pairs", "set"].map((name) => `tag:yaml.org,2002:${name}`),
);

const isTime = (tag: object): boolean => "format" in tag && tag.format === "TIME";

function depthOf(token: CST.Token): number {
  let deepest = 0;
  const open: (readonly [CST.Token, number])[] = [[token, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [current, depth] = next;
    deepest = Math.max(deepest, depth);
    if (current.type === "document" && current.value) open.push([current.value, depth]);
    if (!("items" in current)) continue;
    for (const { key, value } of current.items) {
      if (key) open.push([key, depth + 1]);
      if (value) open.push([value, depth + 1]);
    }
  }
  return deepest;
}

interface Sized {
  readonly node: YamlNode;
  /** The number of nodes with aliases expanded. */
  readonly size: number;
}

// Converts one document in text order, so an alias finds only anchors of nodes that are already complete.
class TreeReader {
  readonly #anchors = new Map<string, Sized>();
  readonly #text: string;
  // In a template, duplicate keys are allowed: they may be in branches of which only one is rendered.
  readonly #isTemplate: boolean;
  readonly #findings: ManifestFinding[];

  constructor(text: string, findings: ManifestFinding[]) {
    this.#text = text;
    this.#isTemplate = isTemplate(text);
    this.#findings = findings;
  }

  read(node: unknown): YamlNode {
    return this.#read(node, { start: 0, end: 0 }).node;
  }

  #read(node: unknown, place: Span): Sized {
    const span = spanOf(node) ?? place;
    const sized = this.#bounded(this.#convert(node, span), span);
    if (isMap(node) || isSeq(node) || isScalar(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, sized);
    }
    return sized;
  }

  #convert(node: unknown, span: Span): Sized {
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target) return target;
      this.#findings.push(manifestProblems.badAlias(node.source, span));
      return nothing(span);
    }
    if (isMap(node)) {
      const source = this.#text.slice(span.start, span.end);
      if (source.startsWith("{{")) return scalar(source, source, span);
      return this.#convertMap(node.items, span);
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.#read(item, endOf(span)));
      return {
        node: { kind: "list", span, items: items.map((item) => item.node) },
        size: items.reduce((sum, { size }) => sum + size, 1),
      };
    }
    if (!isScalar(node)) return nothing(span);
    const { value, source } = node;
    const text = source ?? "";
    if (typeof value === "string") return scalar(value, value, span);
    if (typeof value === "boolean") return scalar(value, text, span);
    if (typeof value === "number") return scalar(Number.isFinite(value) ? value : text, text, span);
    return value === null ? nothing(span) : scalar(text, text, span);
  }

  #convertMap(
    pairs: readonly { readonly key: unknown; readonly value: unknown }[],
    span: Span,
  ): Sized {
    const merged: YamlEntry[] = [];
    const own: YamlEntry[] = [];
    let size = 1;
    for (const pair of pairs) {
      const keySpan = spanOf(pair.key) ?? span;
      const value = this.#read(pair.value, endOf(keySpan));
      size += value.size;
      if (isMergeKey(pair.key)) merged.push(...mergedEntries(value.node));
      else own.push({ key: this.#keyText(pair.key, keySpan), keySpan, value: value.node });
    }
    const names = new Set<string>();
    for (const { key, keySpan } of own) {
      if (names.has(key) && !this.#isTemplate) {
        this.#findings.push(manifestProblems.repeatedKey(keySpan));
      }
      names.add(key);
    }
    const entries = [...merged.filter(({ key }) => !names.has(key)), ...own];
    return { node: { kind: "map", span, entries }, size };
  }

  #keyText(key: unknown, span: Span): string {
    if (isScalar(key) && typeof key.value !== "symbol") return String(key.value);
    return this.#text.slice(span.start, span.end);
  }

  #bounded(sized: Sized, span: Span): Sized {
    if (sized.size <= maxSize) return sized;
    this.#findings.push(manifestProblems.tooLarge(span));
    return nothing(span);
  }
}

const nothing = (span: Span): Sized => scalar(null, "", span);

const scalar = (value: YamlScalar["value"], text: string, span: Span): Sized => ({
  node: scalarNode(value, text, span),
  size: 1,
});

const isMergeKey = (key: unknown): boolean =>
  isScalar(key) && key.source === "<<" && key.type === "PLAIN";

function spanOf(node: unknown): Span | undefined {
  if (!isMap(node) && !isSeq(node) && !isScalar(node) && !isAlias(node)) return undefined;
  return node.range ? { start: node.range[0], end: node.range[1] } : undefined;
}

// Limits a span to the text, because the parser reports a missing end beyond it.
const spanWithin = (text: string, start: number, end: number): Span => ({
  start: Math.min(start, text.length),
  end: Math.min(Math.max(start, end), text.length),
});

const endOf = ({ end }: Span): Span => ({ start: end, end });
