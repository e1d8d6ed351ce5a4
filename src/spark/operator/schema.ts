import type { Span } from "../../base/span.ts";
import { nearestWord } from "../conf/nearest/words.ts";
import type { Json, JsonObject } from "../submit/manifest.ts";
import type { ManifestFinding } from "./manifestFinding.ts";
import { manifestProblems } from "./manifestProblems.ts";
import type { YamlMap, YamlNode, YamlScalar } from "./yamlNode.ts";

/** What a field may hold: described for whoever asks, and able to read it. */
export interface Schema<T> {
  readonly shape: Shape;
  /** Undefined where nothing of the type is there; why is among the findings. */
  read(node: YamlNode, at: Reading): T | undefined;
}

export type Shape =
  | { readonly kind: "text" | "boolean" | "quantity" | "any" }
  | { readonly kind: "integer"; readonly minimum: number | undefined }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "list" | "map"; readonly of: Shape }
  | {
      readonly kind: "record";
      readonly fields: Readonly<Record<string, Shape>>;
      readonly required: readonly string[];
    }
  /** A type of Kubernetes' own: only some of its fields are looked at. */
  | { readonly kind: "open"; readonly required: readonly string[] };

export interface Reading {
  readonly path: string;
  readonly report: (finding: ManifestFinding) => void;
}

export type Decoded<S> = S extends Schema<infer T> ? T : never;

type Fields = Readonly<Record<string, Schema<Json>>>;
type RecordOf<F extends Fields> = { readonly [K in keyof F]?: Decoded<F[K]> };

export const text: Schema<string> = {
  shape: { kind: "text" },
  read: (node, at) => {
    if (node.kind !== "scalar" || node.value === null) {
      reportType(node, at, "a text");
      return undefined;
    }
    if (typeof node.value !== "string") {
      reportType(node, at, "a text: put it in quotes", JSON.stringify(node.text));
    }
    return node.text;
  },
};

export const flag: Schema<boolean> = {
  shape: { kind: "boolean" },
  read: (node, at) => {
    if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
    const written = node.kind === "scalar" ? node.text.trim().toLowerCase() : "";
    const known = ["true", "false"].find((word) => word === written);
    reportType(node, at, "true or false", known);
    return known === undefined ? undefined : known === "true";
  },
};

export const integer = (minimum?: number): Schema<number> => ({
  shape: { kind: "integer", minimum },
  read: (node, at) => {
    const written = node.kind === "scalar" ? node.value : null;
    const isQuoted = typeof written === "string" && /^[+-]?\d+$/.test(written);
    const value = isQuoted ? Number(written) : written;
    if (typeof value !== "number" || !Number.isSafeInteger(value)) {
      reportType(node, at, "a whole number");
      return undefined;
    }
    if (isQuoted) reportType(node, at, "a number, without quotes", `${value}`);
    if (minimum !== undefined && value < minimum) {
      at.report(manifestProblems.tooSmall(at.path, minimum, node.span));
    }
    return value;
  },
});

export const choice = <const C extends string>(...choices: readonly C[]): Schema<C> => ({
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

/** An amount as Kubernetes writes it: `500m`, `1Gi`, or a bare number. */
export const quantity: Schema<string | number> = {
  shape: { kind: "quantity" },
  read: (node, at) => {
    if (node.kind !== "scalar" || node.value === null || typeof node.value === "boolean") {
      reportType(node, at, "a quantity such as 500m or 1Gi");
      return undefined;
    }
    return node.value;
  },
};

/** A type that is taken as it comes. */
export const anything: Schema<Json> = { shape: { kind: "any" }, read: (node) => toJson(node) };

export const list = <T extends Json>(of: Schema<T>): Schema<readonly T[]> => ({
  shape: { kind: "list", of: of.shape },
  read: (node, at) => {
    if (node.kind !== "list") {
      reportUnlessNull(node, at, "a list");
      return undefined;
    }
    return node.items.flatMap((item, index) => {
      const value = of.read(item, { ...at, path: `${at.path}[${index}]` });
      return value === undefined ? [] : [value];
    });
  },
});

export const map = <T extends Json>(of: Schema<T>): Schema<Readonly<Record<string, T>>> => ({
  shape: { kind: "map", of: of.shape },
  read: (node, at) => {
    if (node.kind !== "map") {
      reportUnlessNull(node, at, "a map");
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

/** Fields of known names; any other is reported and left out. */
export const record = <const F extends Fields>(
  fields: F,
  ...required: readonly (keyof F & string)[]
): Schema<RecordOf<F>> => ({
  shape: {
    kind: "record",
    fields: Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape])),
    required,
  },
  read: (node, at) => {
    if (node.kind !== "map") {
      reportUnlessNull(node, at, "a map of fields");
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

/** An object of Kubernetes' own types, taken as it comes but for the fields that it must have. */
export const open = (...required: readonly string[]): Schema<JsonObject> => ({
  shape: { kind: "open", required },
  read: (node, at) => {
    if (node.kind !== "map") {
      reportUnlessNull(node, at, "a map of fields");
      return undefined;
    }
    reportMissing(node, required, at);
    return mapToJson(node);
  },
});

/** Reads a value without a text, such as an answer of the API server. */
export function readJson<T>(schema: Schema<T>, json: Json): Read<T> {
  const findings: ManifestFinding[] = [];
  const report = (finding: ManifestFinding): void => void findings.push(finding);
  return { value: schema.read(fromJson(json), { path: "", report }), findings };
}

export interface Read<T> {
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

/** The node at the end of a way of keys. */
export function nodeAt(node: YamlNode, ...keys: readonly string[]): YamlNode | undefined {
  return keys.reduce<YamlNode | undefined>((at, key) => entryOf(at, key)?.value, node);
}

// The API server leaves out what is empty.
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

// `Array.isArray` alone does not narrow read-only lists.
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

function reportType(node: YamlNode, at: Reading, expected: string, fix?: string): void {
  if (isPlaceholder(node)) return;
  at.report(manifestProblems.wrongType(at.path, expected, node.span, fix));
}

// An empty field is the same as none.
function reportUnlessNull(node: YamlNode, at: Reading, expected: string): void {
  if (!isNull(node)) reportType(node, at, expected);
}

const isNull = (node: YamlNode): node is YamlScalar =>
  node.kind === "scalar" && node.value === null;

const isPlaceholder = (node: YamlNode): boolean =>
  node.kind === "scalar" && isPlaceholderText(node.text);

/** Something that is filled in before the manifest is sent: `{{ x }}`, `${X}`, `$(X)`, `<% x %>`. */
export const isPlaceholderText = (text: string): boolean => /\{\{|\$\{|\$\(|<%/.test(text);
