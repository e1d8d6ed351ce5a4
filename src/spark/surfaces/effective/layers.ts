import { msg, verbatim, type Message } from "../../../base/message.ts";
import type { ConfDocument, ConfEntry } from "../../conf/parse/confDocument.ts";
import { parseProperties } from "../../conf/parse/properties.ts";

/** Settings from one source. */
export interface ConfLayer {
  readonly name: Message;
  /** True if the application's code sets them, which is too late for settings that spark-submit reads at launch. */
  readonly isCode: boolean;
  readonly settings: readonly LayerSetting[];
}

interface LayerSetting {
  readonly key: string;
  readonly value: string;
  /** Counted from 1; undefined for sources without lines. */
  readonly line: number | undefined;
}

/** A text and its display name. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface LayerSources {
  /** The text that contains the document. */
  readonly own: NamedText;
  /** The texts of the properties files, by the path that the document names. */
  readonly files: ReadonlyMap<string, string>;
  /** The file that spark-submit reads without --properties-file. */
  readonly defaults: NamedText | undefined;
  /** The application's main file, with its settings. */
  readonly code:
    | { readonly name: string; readonly text: string; readonly documents: readonly ConfDocument[] }
    | undefined;
}

/** Returns the layers of a document in Spark's order: the last setting of a key wins. */
export function layersOf(document: ConfDocument, sources: LayerSources): readonly ConfLayer[] {
  const { own, files, defaults, code } = sources;
  const { propertiesFiles = [], entries, elsewhere = [] } = document;
  const set = new Set(entries.map(({ key }) => key));
  const added = elsewhere.filter(({ key }) => !set.has(key));
  const named = propertiesFiles.flatMap((path): readonly ConfLayer[] => {
    const text = files.get(path);
    return text === undefined ? [] : [layerOfFile({ name: path, text })];
  });
  // Only a manifest has a place. Its `elsewhere` contains the operator's settings. The `elsewhere` of a command line
  // contains the settings of properties files.
  const isByOperator = document.application?.place !== undefined;
  const hasDefaults = document.application?.readsDefaults === true;
  return [
    ...(hasDefaults && defaults ? [layerOfFile(defaults)] : []),
    ...(isByOperator
      ? [
          layer(
            msg("the operator"),
            added.map(({ key, value }) => ({ key, value, line: undefined })),
          ),
        ]
      : []),
    ...named,
    ...ownLayers(entries, own),
    ...(code ? [layerOfCode(code)] : []),
  ].filter(({ settings }) => settings.length > 0);
}

const layer = (name: Message, settings: readonly LayerSetting[]): ConfLayer => ({
  name,
  isCode: false,
  settings,
});

const layerOfFile = ({ name, text }: NamedText): ConfLayer =>
  layer(verbatim(name), settingsOf(text, parseProperties(text).entries));

function layerOfCode({ name, text, documents }: NonNullable<LayerSources["code"]>): ConfLayer {
  const entries = documents
    // Omits command lines in a program's strings, because they start other applications.
    .filter(({ application }) => application !== undefined)
    .flatMap((document) => document.entries);
  return { name: msg`SparkConf in ${name}`, isCode: true, settings: settingsOf(text, entries) };
}

/**
 * Groups consecutive settings of the same kind into layers: dedicated options, manifest fields, and the rest. The
 * entries must be in order of precedence.
 */
function ownLayers(entries: readonly ConfEntry[], { name, text }: NamedText): readonly ConfLayer[] {
  const layers: { kind: OwnKind; entries: ConfEntry[] }[] = [];
  const isCommand = entries.some(({ option }) => option !== undefined);
  const isManifest = entries.some(({ field }) => field !== undefined);
  const plain = isCommand ? "command" : isManifest ? "manifest" : "file";
  for (const entry of entries) {
    const kind =
      entry.option !== undefined ? "options" : entry.field !== undefined ? "fields" : plain;
    const last = layers.at(-1);
    if (last?.kind === kind) last.entries.push(entry);
    else layers.push({ kind, entries: [entry] });
  }
  return layers.map((one) => layer(ownNames[one.kind](name), settingsOf(text, one.entries)));
}

type OwnKind = "options" | "fields" | "command" | "manifest" | "file";

const ownNames: Readonly<Record<OwnKind, (document: string) => Message>> = {
  options: (document) => msg`options in ${document}`,
  fields: (document) => msg`fields of ${document}`,
  command: (document) => msg`--conf in ${document}`,
  manifest: (document) => msg`sparkConf of ${document}`,
  file: verbatim,
};

function settingsOf(text: string, entries: readonly ConfEntry[]): readonly LayerSetting[] {
  let line = 1;
  let at = 0;
  const lines = new Map<ConfEntry, number>();
  for (const entry of entries.toSorted((a, b) => a.keySpan.start - b.keySpan.start)) {
    for (; at < entry.keySpan.start; at++) if (text.charAt(at) === "\n") line++;
    lines.set(entry, line);
  }
  return entries.map((entry) => ({
    key: entry.key,
    value: entry.value,
    line: lines.get(entry) ?? 1,
  }));
}
