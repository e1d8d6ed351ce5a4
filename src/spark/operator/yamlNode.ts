import { moveSpan, type Span } from "../../base/span.ts";

/** A YAML value with the place of each of its parts; aliases and merges are resolved. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

export interface YamlMap {
  readonly kind: "map";
  readonly span: Span;
  readonly entries: readonly YamlEntry[];
  /** The entries as they were read: what stood there before is the very same, wherever it stands now. */
  readonly runs?: readonly YamlRun[];
}

/** Entries that stand together, their places counted from one of the text. */
export interface YamlRun {
  readonly at: number;
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}

export interface YamlList {
  readonly kind: "list";
  readonly span: Span;
  readonly items: readonly YamlNode[];
}

export interface YamlScalar {
  readonly kind: "scalar";
  readonly span: Span;
  readonly value: string | number | boolean | null;
  /** As it is written, without quotes; of a placeholder such as `{{ x }}` all of it. */
  readonly text: string;
}

export const scalarNode = (value: YamlScalar["value"], text: string, span: Span): YamlScalar => ({
  kind: "scalar",
  span,
  value,
  text,
});

/** A map whose entries are put where they stand once somebody looks at them there. */
export class PlacedMap implements YamlMap {
  readonly kind = "map";
  readonly span: Span;
  readonly runs: readonly YamlRun[];
  #entries: readonly YamlEntry[] | undefined;

  constructor(span: Span, runs: readonly YamlRun[]) {
    this.span = span;
    this.runs = runs;
  }

  get entries(): readonly YamlEntry[] {
    this.#entries ??= this.runs.flatMap(({ at, entries }) =>
      at === 0 ? entries : entries.map((entry) => movedEntry(entry, at)),
    );
    return this.#entries;
  }
}

/** The entries of what `<<` names. Of several maps the first that has a key counts. */
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

/** The node as it stands that many characters further behind. */
export function movedNode(node: YamlNode, by: number): YamlNode {
  const span = moveSpan(node.span, by);
  switch (node.kind) {
    case "scalar":
      return scalarNode(node.value, node.text, span);
    case "list":
      return { kind: "list", span, items: node.items.map((item) => movedNode(item, by)) };
    case "map": {
      return new PlacedMap(span, [{ at: by, entries: node.entries }]);
    }
  }
}

export const movedEntry = ({ key, keySpan, value }: YamlEntry, by: number): YamlEntry => ({
  key,
  keySpan: moveSpan(keySpan, by),
  value: movedNode(value, by),
});
