import { msg, type Message } from "../../base/message.ts";
import type { Span } from "../../base/span.ts";
import { nearestWord } from "../conf/nearest/words.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { ManifestFinding } from "./manifestFinding.ts";
import { manifestProblems } from "./manifestProblems.ts";
import type { YamlMap, YamlNode, YamlScalar } from "./yamlNode.ts";

/** The schema of a field: its shape, and a decoder for its values. */
export interface ManifestSchema<T> {
  readonly shape: ManifestShape;
  /** Decodes a node, and reports its faults. Undefined if the node cannot be read as this type. */
  read(node: YamlNode, at: Reading): T | undefined;
}

export type ManifestShape =
  | { readonly kind: "text" | "boolean" | "quantity" | "any" }
  | { readonly kind: "integer"; readonly minimum: number | undefined }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "list" | "map"; readonly of: ManifestShape }
  | {
      readonly kind: "record";
      readonly fields: Readonly<Record<string, ManifestShape>>;
      readonly required: readonly string[];
    }
  /** A Kubernetes type of which only the required fields are checked. */
  | { readonly kind: "open"; readonly required: readonly string[] };

export interface Reading {
  readonly path: string;
  readonly report: (finding: ManifestFinding) => void;
}

export type DecodedField<S> = S extends ManifestSchema<infer T> ? T : never;

type Fields = Readonly<Record<string, ManifestSchema<Json>>>;
type RecordOf<F extends Fields> = { readonly [K in keyof F]?: DecodedField<F[K]> };

export const text: ManifestSchema<string> = {
  shape: { kind: "text" },
  read: (node, at) => {
    if (node.kind !== "scalar" || node.value === null) {
      reportType(node, at, msg("a string"));
      return undefined;
    }
    if (typeof node.value !== "string") {
      reportType(node, at, msg("a quoted string"), JSON.stringify(node.text));
    }
    return node.text;
  },
};

export const flag: ManifestSchema<boolean> = {
  shape: { kind: "boolean" },
  read: (node, at) => {
    if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
    const written = node.kind === "scalar" ? node.text.trim().toLowerCase() : "";
    const known = ["true", "false"].find((word) => word === written);
    reportType(node, at, msg("true or false"), known);
    return known === undefined ? undefined : known === "true";
  },
};

export const integer = (minimum?: number): ManifestSchema<number> => ({
  shape: { kind: "integer", minimum },
  read: (node, at) => {
    const written = node.kind === "scalar" ? node.value : null;
    const isQuoted = typeof written === "string" && /^[+-]?\d+$/.test(written);
    const value = isQuoted ? Number(written) : written;
    if (typeof value !== "number" || !Number.isSafeInteger(value)) {
      reportType(node, at, msg("an integer"));
      return undefined;
    }
    if (isQuoted) reportType(node, at, msg("a number without quotes"), `${value}`);
    if (minimum !== undefined && value < minimum) {
      at.report(manifestProblems.tooSmall(at.path, minimum, node.span));
    }
    return value;
  },
});

export const choice = <const C extends string>(...choices: readonly C[]): ManifestSchema<C> => ({
  shape: { kind: "choice", choices },
  read: (node, at) => {
    const written = text.read(node, at);
    if (written === undefined || isPlaceholder(node)) return undefined;
    const found = choices.find((word) => word === written);
    if (found === undefined) {
      const near = nearestWord(written, choices);
      at.report(manifestProblems.badChoice(at.path, written, choices, node.span, near));
    }
    return found;
  },
});

/** A Kubernetes quantity: `500m`, `1Gi`, or a number. */
export const quantity: ManifestSchema<string | number> = {
  shape: { kind: "quantity" },
  read: (node, at) => {
    if (node.kind !== "scalar" || node.value === null || typeof node.value === "boolean") {
      reportType(node, at, msg("a quantity such as 500m or 1Gi"));
      return undefined;
    }
    return node.value;
  },
};

/** The schema of a field that may have any value. */
export const anything: ManifestSchema<Json> = {
  shape: { kind: "any" },
  read: (node) => toJson(node),
};

export const listOf = <T extends Json>(of: ManifestSchema<T>): ManifestSchema<readonly T[]> => ({
  shape: { kind: "list", of: of.shape },
  read: (node, at) => {
    if (node.kind !== "list") {
      reportUnlessNull(node, at, msg("a list"));
      return undefined;
    }
    return node.items.flatMap((item, index) => {
      const value = of.read(item, { ...at, path: `${at.path}[${index}]` });
      return value === undefined ? [] : [value];
    });
  },
});

export const map = <T extends Json>(
  of: ManifestSchema<T>,
): ManifestSchema<Readonly<Record<string, T>>> => ({
  shape: { kind: "map", of: of.shape },
  read: (node, at) => {
    if (node.kind !== "map") {
      reportUnlessNull(node, at, msg("a map"));
      return undefined;
    }
    const entries = node.entries.flatMap(({ key, keySpan, value }) => {
      const path = `${at.path}[${key}]`;
      if (isNull(value)) {
        at.report(manifestProblems.emptyEntry(path, keySpan));
        return [];
      }
      const read = of.read(value, { ...at, path });
      return read === undefined ? [] : [[key, read] as const];
    });
    return Object.fromEntries(entries);
  },
});

/** Returns the schema of an object with known fields; unknown fields are reported and dropped. */
export const record = <const F extends Fields>(
  fields: F,
  ...required: readonly (keyof F & string)[]
): ManifestSchema<RecordOf<F>> => ({
  shape: {
    kind: "record",
    fields: Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape])),
    required,
  },
  read: (node, at) => {
    if (node.kind !== "map") {
      reportUnlessNull(node, at, msg("an object"));
      return undefined;
    }
    const names = Object.keys(fields);
    const values = new Map<string, Json>();
    for (const { key, keySpan, value } of node.entries) {
      const path = at.path === "" ? key : `${at.path}.${key}`;
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (field === undefined) {
        if (isPlaceholderText(key)) continue;
        const near = nearestWord(key, names);
        at.report(manifestProblems.unknownField(path, key, near, keySpan));
        continue;
      }
      if (isNull(value)) continue;
      const read = field.read(value, { ...at, path });
      if (read !== undefined) values.set(key, read);
    }
    reportMissing(node, required, at);
    // The keys are those of `fields`, and each value was read by the schema of its key.
    return Object.fromEntries(values) as RecordOf<F>;
  },
});

/** Returns the schema of a Kubernetes object that is checked for its required fields only. */
export const open = (...required: readonly string[]): ManifestSchema<JsonObject> => ({
  shape: { kind: "open", required },
  read: (node, at) => {
    if (node.kind !== "map") {
      reportUnlessNull(node, at, msg("an object"));
      return undefined;
    }
    reportMissing(node, required, at);
    return mapToJson(node);
  },
});

/** Reads JSON that has no source text, such as an API response. */
export function readJson<T>(schema: ManifestSchema<T>, json: Json): Read<T> {
  const findings: ManifestFinding[] = [];
  const report = (finding: ManifestFinding): void => void findings.push(finding);
  return { value: schema.read(fromJson(json), { path: "", report }), findings };
}

interface Read<T> {
  readonly value: T | undefined;
  readonly findings: readonly ManifestFinding[];
}

export function toJson(node: YamlNode): Json {
  switch (node.kind) {
    case "map":
      return mapToJson(node);
    case "list":
      return node.items.map(toJson);
    case "scalar":
      return node.value;
  }
}

export function entryOf(
  node: YamlNode | undefined,
  key: string,
): YamlMap["entries"][number] | undefined {
  return node?.kind === "map" ? node.entries.findLast((entry) => entry.key === key) : undefined;
}

/** Returns the node at a path of keys. Undefined if a key is missing. */
export function nodeAt(node: YamlNode, ...keys: readonly string[]): YamlNode | undefined {
  return keys.reduce<YamlNode | undefined>((at, key) => entryOf(at, key)?.value, node);
}

// Converts a map without its null values, which the API server drops too.
const mapToJson = (node: YamlMap): JsonObject =>
  Object.fromEntries(
    node.entries.flatMap(({ key, value }) => (isNull(value) ? [] : [[key, toJson(value)]])),
  );

const nowhere: Span = { start: 0, end: 0 };

function fromJson(json: Json): YamlNode {
  if (typeof json !== "object" || json === null) {
    return { kind: "scalar", value: json, text: json === null ? "" : `${json}`, span: nowhere };
  }
  if (isList(json)) return { kind: "list", span: nowhere, items: json.map(fromJson) };
  const entries = Object.entries(json).map(([key, value]) => ({
    key,
    keySpan: nowhere,
    value: fromJson(value),
  }));
  return { kind: "map", span: nowhere, entries };
}

// `Array.isArray` does not narrow readonly lists.
const isList = (json: JsonObject | readonly Json[]): json is readonly Json[] => Array.isArray(json);

function reportMissing(node: YamlMap, required: readonly string[], at: Reading): void {
  if (node.entries.some(({ key }) => isPlaceholderText(key))) return;
  for (const field of required) {
    const entry = entryOf(node, field);
    if (entry && !isNull(entry.value)) continue;
    const path = at.path === "" ? field : `${at.path}.${field}`;
    const span = entry?.keySpan ?? { start: node.span.start, end: node.span.start };
    at.report(manifestProblems.missingField(path, field, span));
  }
}

function reportType(node: YamlNode, at: Reading, expected: Message, fix?: string): void {
  if (isPlaceholder(node)) return;
  at.report(manifestProblems.wrongType(at.path, expected, node.span, fix));
}

// Reports the wrong type of a field unless its value is null, which the API server treats as missing.
function reportUnlessNull(node: YamlNode, at: Reading, expected: Message): void {
  if (!isNull(node)) reportType(node, at, expected);
}

const isNull = (node: YamlNode): node is YamlScalar =>
  node.kind === "scalar" && node.value === null;

const isPlaceholder = (node: YamlNode): boolean =>
  node.kind === "scalar" && isPlaceholderText(node.text);

/** True if the text contains a template placeholder: `{{ x }}`, `${X}`, `$(X)`, `<% x %>`. */
export const isPlaceholderText = (text: string): boolean => /\{\{|\$\{|\$\(|<%/.test(text);
