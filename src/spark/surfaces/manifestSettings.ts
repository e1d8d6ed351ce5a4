// Spark settings in YAML: applications of both operators (`sparkConf` and fields), and `sparkConf` maps elsewhere.
import type { Span } from "../../base/span.ts";
import type { ConfDocument, ConfEntry } from "../conf/parse/confDocument.ts";
import {
  allocationFields,
  fieldFamilies,
  strongFields,
  weakFields,
  type FieldKey,
} from "../operator/kubeflowFields.ts";
import { entryOf, nodeAt } from "../operator/schema.ts";
import type { YamlEntry, YamlNode } from "../operator/yamlNode.ts";
import { skimYaml } from "../operator/yamlTree.ts";
import { wholeOfManifest } from "./wholeOfManifest.ts";

/**
 * Returns one document for each application, and one for each `sparkConf` map elsewhere, for example in Helm values.
 * The findings of an application are the faults of its manifest. Templates have no such findings. Accepts any text.
 */
export function readManifest(text: string): readonly ConfDocument[] {
  if (!/spark/i.test(text)) return [];
  const documents = skimYaml(text).flatMap((node) => settingsOf(node, text));
  return isTemplate(text) ? documents.map(partOf) : documents;
}

/** True for a template, whose expressions can insert any part of a manifest. */
const isTemplate = (text: string): boolean => /\{\{|\{%/.test(text);

const partOf = (document: ConfDocument): ConfDocument =>
  document.application === undefined
    ? document
    : { ...document, findings: [], application: { ...document.application, isWhole: false } };

function settingsOf(document: YamlNode, text: string): readonly ConfDocument[] {
  const settings = ownSettings(document, text);
  const whole = wholeOfManifest(document);
  return whole === undefined ? settings : settings.map((own) => ({ ...own, ...whole }));
}

function ownSettings(document: YamlNode, text: string): readonly ConfDocument[] {
  const [group, version] = (textAt(document, "apiVersion") ?? "").split("/");
  const spec = specOf(document);
  if (group === "sparkoperator.k8s.io" && spec !== undefined) {
    // Older API versions have other fields, so only their `sparkConf` is read.
    return [version === "v1beta2" ? ofKubeflow(spec, text) : ofConf(spec, text, "sparkVersion")];
  }
  if (group === "spark.apache.org" && spec !== undefined) {
    return [ofConf(spec, text, "runtimeVersions", "sparkVersion")];
  }
  return confMaps(document, text).map((entries) => ({ entries, findings: [] }));
}

const specOf = (document: YamlNode): YamlNode | undefined =>
  textAt(document, "kind") === "ScheduledSparkApplication"
    ? nodeAt(document, "spec", "template")
    : nodeAt(document, "spec");

// Returns the entries in the order in which the operator passes them: weak fields, `sparkConf`, then the other fields.
// The last entry of a key wins.
function ofKubeflow(spec: YamlNode, text: string): ConfDocument {
  const ofFields = (fields: readonly FieldKey[]): readonly ConfEntry[] =>
    fields.flatMap((field) => fieldEntry(spec, field, text));
  const allocates = textAt(spec, "dynamicAllocation", "enabled") === "true";
  return {
    entries: [
      ...ofFields(weakFields),
      ...mapEntries(entryOf(spec, "sparkConf")?.value, "", text),
      ...fieldFamilies.flatMap(({ path, prefix }) =>
        mapEntries(nodeAt(spec, ...path), prefix, text).map((entry) => ({
          ...entry,
          field: path.join("."),
        })),
      ),
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

const ofConf = (spec: YamlNode, text: string, ...versionPath: readonly string[]): ConfDocument => ({
  entries: mapEntries(entryOf(spec, "sparkConf")?.value, "", text),
  findings: [],
  ...versionAt(spec, ...versionPath),
});

function versionAt(spec: YamlNode, ...path: readonly string[]): Pick<ConfDocument, "sparkVersion"> {
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
  return settingOf(entry, key, text).map((setting) => ({ ...setting, field: path.join(".") }));
}

const mapEntries = (
  node: YamlNode | undefined,
  prefix: string,
  text: string,
): readonly ConfEntry[] =>
  node?.kind === "map"
    ? node.entries.flatMap((entry) => settingOf(entry, `${prefix}${entry.key}`, text))
    : [];

/** Returns the setting, with spans that exclude the quotes. Empty if the value is not a scalar. */
function settingOf({ keySpan, value }: YamlEntry, key: string, text: string): readonly ConfEntry[] {
  if (value.kind !== "scalar") return [];
  const inside = (span: Span): Span => {
    const { start, end } = span;
    const isQuoted = "\"'".includes(text.charAt(start)) && end - start > 1;
    return isQuoted ? { start: start + 1, end: end - 1 } : span;
  };
  return [{ key, keySpan: inside(keySpan), value: value.text, valueSpan: inside(value.span) }];
}

/** Maximum depth at which a `sparkConf` map is searched. */
const maxLevels = 12;

function confMaps(node: YamlNode, text: string, level = 0): readonly (readonly ConfEntry[])[] {
  if (node.kind === "scalar" || level > maxLevels) return [];
  if (node.kind === "list") return node.items.flatMap((item) => confMaps(item, text, level + 1));
  return node.entries.flatMap(({ key, value }) => {
    if (!/^spark_?conf$/i.test(key)) return confMaps(value, text, level + 1);
    const entries = mapEntries(value, "", text);
    // Requires a Spark key, because in a CRD's schema the field `sparkConf` contains a description instead.
    return entries.some((entry) => entry.key.startsWith("spark.")) ? [entries] : [];
  });
}

function textAt(node: YamlNode, ...path: readonly string[]): string | undefined {
  const found = nodeAt(node, ...path);
  return found?.kind === "scalar" && found.text !== "" ? found.text : undefined;
}
