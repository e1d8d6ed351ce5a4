import { moveSpan, type Span } from "../../base/span.ts";

/** A YAML node with spans; aliases and merge keys are resolved. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

export interface YamlMap {
  readonly kind: "map";
  readonly span: Span;
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}

interface YamlList {
  readonly kind: "list";
  readonly span: Span;
  readonly items: readonly YamlNode[];
}

export interface YamlScalar {
  readonly kind: "scalar";
  readonly span: Span;
  readonly value: string | number | boolean | null;
  /** The written text without quotes; a placeholder such as `{{ x }}` is kept whole. */
  readonly text: string;
}

export const scalarNode = (value: YamlScalar["value"], text: string, span: Span): YamlScalar => ({
  kind: "scalar",
  span,
  value,
  text,
});

/** Returns the entries of a merge key (`<<`). The first of several maps wins. */
export function mergedEntries(node: YamlNode): readonly YamlEntry[] {
  switch (node.kind) {
    case "map":
      return node.entries;
    case "list": {
      const entries = new Map<string, YamlEntry>();
      for (const entry of node.items.flatMap(mergedEntries)) {
        if (!entries.has(entry.key)) entries.set(entry.key, entry);
      }
      return [...entries.values()];
    }
    case "scalar":
      return [];
  }
}

/** Returns the node with all spans moved by an offset. */
export function movedNode(node: YamlNode, by: number): YamlNode {
  const span = moveSpan(node.span, by);
  switch (node.kind) {
    case "scalar":
      return scalarNode(node.value, node.text, span);
    case "list":
      return { kind: "list", span, items: node.items.map((item) => movedNode(item, by)) };
    case "map":
      return { kind: "map", span, entries: node.entries.map((entry) => movedEntry(entry, by)) };
  }
}

const movedEntry = ({ key, keySpan, value }: YamlEntry, by: number): YamlEntry => ({
  key,
  keySpan: moveSpan(keySpan, by),
  value: movedNode(value, by),
});
