// The surface of YAML: the settings of the operators' applications, in `sparkConf` and in fields.
import type { Span } from "../../base/span.ts";
import type {
  ConfEntry,
  EntryStretch,
  PlacedDocument,
  ReadDocument,
} from "../conf/confDocument.ts";
import { keptStretches, type SteppedReader } from "../conf/stretches.ts";
import {
  allocationFields,
  families,
  strongFields,
  weakFields,
  type FieldKey,
} from "../operator/kubeflowFields.ts";
import { entryOf, nodeAt } from "../operator/schema.ts";
import type { YamlEntry, YamlMap, YamlNode, YamlRun } from "../operator/yamlNode.ts";
import { yamlSkimmer } from "../operator/yamlTree.ts";
import { wholeOfManifest } from "./wholeOfManifest.ts";

/**
 * One document for each application, and for each map by the name of `sparkConf` elsewhere, as in the values
 * of a chart. What is wrong with the manifest itself is `decodeManifests`'s to say. Takes any text.
 */
export function manifestReader(): SteppedReader<readonly PlacedDocument[]> {
  const skimmer = yamlSkimmer();
  const kept = keptStretches<ReadManifest>();
  const readDocument = (part: string): ReadManifest => {
    const whole = skimmer.read(part).flatMap((document) => settingsOf(document, part));
    return { whole, ofTemplate: whole.map(partOf) };
  };
  const readPart = (part: string): ReadManifest =>
    part.length > longestKept ? readDocument(part) : kept(part, readDocument);
  const read = (text: string): readonly PlacedDocument[] => {
    if (!/spark/i.test(text)) return [];
    const name = isTemplate(text) ? "ofTemplate" : "whole";
    const documents: PlacedDocument[] = [];
    for (const { start, end } of partsOf(text)) {
      const found = readPart(text.slice(start, end))[name];
      for (const document of found) documents.push({ at: start, document });
    }
    return documents;
  };
  const steps = function* (text: string): Generator<void, void> {
    for (const { start, end } of partsOf(text)) {
      const part = text.slice(start, end);
      if (part.length <= longestKept) readPart(part);
      else {
        yield* skimmer.steps(part);
        const documents = skimmer.read(part);
        yield;
        for (const document of documents) {
          ownSettings(document, part);
          yield;
        }
      }
      yield;
    }
  };
  return { read, steps };
}

/** What a document of a text came to, in a manifest and in a template of one. */
interface ReadManifest {
  readonly whole: readonly ReadDocument[];
  readonly ofTemplate: readonly ReadDocument[];
}

/** Longer ones are not kept whole, as each change of them would be. */
const longestKept = 20_000;

/** The documents of a text, each with the marker that it begins with. */
function* partsOf(text: string): Generator<Span, void> {
  let start = 0;
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) {
    if (!/^\s?$/.test(text.charAt(at + marker.length))) continue;
    yield { start, end: at + 1 };
    start = at + 1;
  }
  if (start < text.length) yield { start, end: text.length };
}

const marker = "\n---";

/** What a template puts in may be any part of a manifest. */
const isTemplate = (text: string): boolean => /\{\{|\{%/.test(text);

const partOf = (document: ReadDocument): ReadDocument =>
  document.application === undefined
    ? document
    : { ...document, application: { ...document.application, isWhole: false } };

function settingsOf(document: YamlNode, text: string): readonly ReadDocument[] {
  const settings = ownSettings(document, text);
  const whole = wholeOfManifest(document);
  return whole === undefined ? settings : settings.map((own) => ({ ...own, ...whole }));
}

function ownSettings(document: YamlNode, text: string): readonly ReadDocument[] {
  const [group, version] = (textAt(document, "apiVersion") ?? "").split("/");
  const spec = specOf(document);
  if (group === "sparkoperator.k8s.io" && spec !== undefined) {
    // Fields of older versions have other forms.
    return [version === "v1beta2" ? ofKubeflow(spec, text) : ofConf(spec, text, "sparkVersion")];
  }
  if (group === "spark.apache.org" && spec !== undefined) {
    return [ofConf(spec, text, "runtimeVersions", "sparkVersion")];
  }
  return confMaps(document, text).map((stretches) => ({ stretches, entries: [], findings: [] }));
}

const specOf = (document: YamlNode): YamlNode | undefined =>
  textAt(document, "kind") === "ScheduledSparkApplication"
    ? nodeAt(document, "spec", "template")
    : nodeAt(document, "spec");

// The operator passes the weak fields on before `sparkConf` and the others after it, and the last one counts.
function ofKubeflow(spec: YamlNode, text: string): ReadDocument {
  const ofFields = (fields: readonly FieldKey[]): readonly ConfEntry[] =>
    fields.flatMap((field) => fieldEntry(spec, field, text));
  const allocates = textAt(spec, "dynamicAllocation", "enabled") === "true";
  return {
    stretches: [
      { at: 0, entries: ofFields(weakFields) },
      ...mapEntries(entryOf(spec, "sparkConf")?.value, "", text),
      ...families.flatMap(({ path, prefix }) =>
        mapEntries(nodeAt(spec, ...path), prefix, text).map((stretch) => ({
          ...stretch,
          entries: stretch.entries.map((entry) => ({ ...entry, field: path.join(".") })),
        })),
      ),
    ],
    entries: [
      ...ofFields(strongFields),
      ...(allocates ? ofFields([allocationSwitch, ...allocationFields]) : []),
    ],
    findings: [],
    ...versionAt(spec, "sparkVersion"),
  };
}

const allocationSwitch: FieldKey = {
  path: ["dynamicAllocation", "enabled"],
  key: "spark.dynamicAllocation.enabled",
  form: "flag",
};

const ofConf = (spec: YamlNode, text: string, ...versionPath: readonly string[]): ReadDocument => ({
  stretches: mapEntries(entryOf(spec, "sparkConf")?.value, "", text),
  entries: [],
  findings: [],
  ...versionAt(spec, ...versionPath),
});

function versionAt(spec: YamlNode, ...path: readonly string[]): Pick<ReadDocument, "sparkVersion"> {
  const sparkVersion = textAt(spec, ...path);
  return sparkVersion === undefined ? {} : { sparkVersion };
}

function fieldEntry(
  spec: YamlNode,
  { path, key, form }: FieldKey,
  text: string,
): readonly ConfEntry[] {
  const name = path.at(-1) ?? "";
  const entry = entryOf(nodeAt(spec, ...path.slice(0, -1)), name);
  if (form === "list" || entry === undefined) return [];
  return settingOf(entry, key, text, 0).map((setting) => ({ ...setting, field: path.join(".") }));
}

function mapEntries(
  node: YamlNode | undefined,
  prefix: string,
  text: string,
  from = 0,
): readonly EntryStretch[] {
  if (node?.kind !== "map") return [];
  return runsOf(node).map(({ at, entries }) => ({
    at,
    entries: settingsOfRun(entries, prefix, text, from + at),
  }));
}

const runsOf = (map: YamlMap): readonly YamlRun[] => map.runs ?? [{ at: 0, entries: map.entries }];

// What was made of the very same entries before, wherever they stood then.
const settingsOfRuns = new WeakMap<readonly YamlEntry[], Map<string, readonly ConfEntry[]>>();

function settingsOfRun(
  entries: readonly YamlEntry[],
  prefix: string,
  text: string,
  at: number,
): readonly ConfEntry[] {
  const known = settingsOfRuns.get(entries) ?? new Map<string, readonly ConfEntry[]>();
  settingsOfRuns.set(entries, known);
  const settings =
    known.get(prefix) ??
    entries.flatMap((entry) =>
      settingOf(entry, prefix === "" ? entry.key : `${prefix}${entry.key}`, text, at),
    );
  known.set(prefix, settings);
  return settings;
}

/** The setting with its places inside the quotes that they are written in. */
function settingOf(
  { keySpan, value }: YamlEntry,
  key: string,
  text: string,
  at: number,
): readonly ConfEntry[] {
  if (value.kind !== "scalar") return [];
  const inside = (span: Span): Span => {
    const { start, end } = span;
    const isQuoted = "\"'".includes(text.charAt(at + start)) && end - start > 1;
    return isQuoted ? { start: start + 1, end: end - 1 } : span;
  };
  return [{ key, keySpan: inside(keySpan), value: value.text, valueSpan: inside(value.span) }];
}

/** How deep in a file settings are looked for. */
const mostLevels = 12;

type ConfMaps = readonly (readonly EntryStretch[])[];

/** The node's places are counted from one of the text. */
function confMaps(node: YamlNode, text: string, from = 0, level = 0): ConfMaps {
  if (node.kind === "scalar" || level > mostLevels) return [];
  if (node.kind === "list")
    return node.items.flatMap((item) => confMaps(item, text, from, level + 1));
  return runsOf(node).flatMap(({ at, entries }) =>
    confMapsIn(entries, text, from + at, level).map((stretches) =>
      stretches.map((one) => ({ ...one, at: one.at + at })),
    ),
  );
}

const confMapsOfRuns = new WeakMap<readonly YamlEntry[], ConfMaps>();

function confMapsIn(
  entries: readonly YamlEntry[],
  text: string,
  from: number,
  level: number,
): ConfMaps {
  const found =
    confMapsOfRuns.get(entries) ??
    entries.flatMap(({ key, value }) => {
      if (!/^spark_?conf$/i.test(key)) return confMaps(value, text, from, level + 1);
      const stretches = mapEntries(value, "", text, from);
      // The field of a schema by this name holds its description.
      return stretches.some((one) => one.entries.some((entry) => entry.key.startsWith("spark.")))
        ? [stretches]
        : [];
    });
  confMapsOfRuns.set(entries, found);
  return found;
}

function textAt(node: YamlNode, ...path: readonly string[]): string | undefined {
  const found = nodeAt(node, ...path);
  return found?.kind === "scalar" && found.text !== "" ? found.text : undefined;
}
