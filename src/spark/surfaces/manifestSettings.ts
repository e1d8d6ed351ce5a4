// The surface of YAML: the settings of the operators' applications, in `sparkConf` and in fields.
import type { Span } from "../../base/span.ts";
import type { ConfDocument, ConfEntry } from "../conf/confDocument.ts";
import {
  allocationFields,
  families,
  strongFields,
  weakFields,
  type FieldKey,
} from "../operator/kubeflowFields.ts";
import { entryOf, nodeAt } from "../operator/schema.ts";
import type { YamlEntry, YamlNode } from "../operator/yamlNode.ts";
import { skimYaml } from "../operator/yamlTree.ts";
import { wholeOfManifest } from "./wholeOfManifest.ts";

/**
 * One document for each application, and for each map by the name of `sparkConf` elsewhere, as in the values
 * of a chart. What is wrong with the manifest itself is `decodeManifests`'s to say. Takes any text.
 */
export function readManifestSettings(text: string): readonly ConfDocument[] {
  if (!/spark/i.test(text)) return [];
  return skimYaml(text)
    .flatMap(settingsOf)
    .map((document) => ({ ...document, entries: unquoted(text, document.entries) }))
    .map((document) => (isTemplate(text) ? partOf(document) : document));
}

/** What a template puts in may be any part of a manifest. */
const isTemplate = (text: string): boolean => /\{\{|\{%/.test(text);

const partOf = (document: ConfDocument): ConfDocument =>
  document.application === undefined
    ? document
    : { ...document, application: { ...document.application, isWhole: false } };

function settingsOf(document: YamlNode): readonly ConfDocument[] {
  const settings = ownSettings(document);
  const whole = wholeOfManifest(document);
  return whole === undefined ? settings : settings.map((own) => ({ ...own, ...whole }));
}

function ownSettings(document: YamlNode): readonly ConfDocument[] {
  const [group, version] = (textAt(document, "apiVersion") ?? "").split("/");
  const spec = specOf(document);
  if (group === "sparkoperator.k8s.io" && spec !== undefined) {
    // Fields of older versions have other forms.
    return [version === "v1beta2" ? ofKubeflow(spec) : ofConf(spec, "sparkVersion")];
  }
  if (group === "spark.apache.org" && spec !== undefined) {
    return [ofConf(spec, "runtimeVersions", "sparkVersion")];
  }
  return confMaps(document).map((entries) => ({ entries, findings: [] }));
}

const specOf = (document: YamlNode): YamlNode | undefined =>
  textAt(document, "kind") === "ScheduledSparkApplication"
    ? nodeAt(document, "spec", "template")
    : nodeAt(document, "spec");

// The operator passes the weak fields on before `sparkConf` and the others after it, and the last one counts.
function ofKubeflow(spec: YamlNode): ConfDocument {
  const ofFields = (fields: readonly FieldKey[]): readonly ConfEntry[] =>
    fields.flatMap((field) => fieldEntry(spec, field));
  const allocates = textAt(spec, "dynamicAllocation", "enabled") === "true";
  return {
    entries: [
      ...ofFields(weakFields),
      ...mapEntries(entryOf(spec, "sparkConf")?.value, ""),
      ...families.flatMap(({ path, prefix }) => mapEntries(nodeAt(spec, ...path), prefix)),
      ...ofFields(strongFields),
      ...(allocates ? ofFields(allocationFields) : []),
    ],
    findings: [],
    ...versionAt(spec, "sparkVersion"),
  };
}

const ofConf = (spec: YamlNode, ...versionPath: readonly string[]): ConfDocument => ({
  entries: mapEntries(entryOf(spec, "sparkConf")?.value, ""),
  findings: [],
  ...versionAt(spec, ...versionPath),
});

function versionAt(spec: YamlNode, ...path: readonly string[]): Pick<ConfDocument, "sparkVersion"> {
  const sparkVersion = textAt(spec, ...path);
  return sparkVersion === undefined ? {} : { sparkVersion };
}

function fieldEntry(spec: YamlNode, { path, key, form }: FieldKey): readonly ConfEntry[] {
  const name = path.at(-1) ?? "";
  const entry = entryOf(nodeAt(spec, ...path.slice(0, -1)), name);
  if (form === "list" || entry === undefined) return [];
  return settingOf(entry, key).map((setting) => ({ ...setting, field: path.join(".") }));
}

const mapEntries = (node: YamlNode | undefined, prefix: string): readonly ConfEntry[] =>
  node?.kind === "map"
    ? node.entries.flatMap((entry) => settingOf(entry, `${prefix}${entry.key}`))
    : [];

function settingOf({ keySpan, value }: YamlEntry, key: string): readonly ConfEntry[] {
  if (value.kind !== "scalar") return [];
  return [{ key, keySpan, value: value.text, valueSpan: value.span }];
}

/** The settings with their places inside the quotes that they are written in. */
function unquoted(text: string, entries: readonly ConfEntry[]): readonly ConfEntry[] {
  const inside = (span: Span): Span => {
    const { start, end } = span;
    const isQuoted = "\"'".includes(text.charAt(start)) && end - start > 1;
    return isQuoted ? { start: start + 1, end: end - 1 } : span;
  };
  return entries.map((entry) => ({
    ...entry,
    keySpan: inside(entry.keySpan),
    valueSpan: inside(entry.valueSpan),
  }));
}

/** How deep in a file settings are looked for. */
const mostLevels = 12;

function confMaps(node: YamlNode, level = 0): readonly (readonly ConfEntry[])[] {
  if (node.kind === "scalar" || level > mostLevels) return [];
  if (node.kind === "list") return node.items.flatMap((item) => confMaps(item, level + 1));
  return node.entries.flatMap(({ key, value }) => {
    if (!/^spark_?conf$/i.test(key)) return confMaps(value, level + 1);
    const entries = mapEntries(value, "");
    // The field of a schema by this name holds its description.
    return entries.some((entry) => entry.key.startsWith("spark.")) ? [entries] : [];
  });
}

function textAt(node: YamlNode, ...path: readonly string[]): string | undefined {
  const found = nodeAt(node, ...path);
  return found?.kind === "scalar" && found.text !== "" ? found.text : undefined;
}
