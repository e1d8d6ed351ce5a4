// Rules of the operators beyond the API's schema.
import type { JsonObject } from "../../base/json.ts";
import type { KubeflowSpec, ManifestMetadata } from "./kubeflowSchema.ts";
import { readField } from "./fieldValue.ts";
import { podNameKey, refusedKeys, strongFields, weakFields } from "./kubeflowFields.ts";
import type { ManifestFinding } from "./manifestFinding.ts";
import { manifestProblems } from "./manifestProblems.ts";
import { isLetterLabel } from "../kubernetesNames.ts";
import type {
  ApacheApplication,
  KubeflowApplication,
  ScheduledApplication,
} from "./operatorManifest.ts";
import { kindOfFile } from "../submit/arguments/fileKind.ts";
import { namespaceKey } from "./submissionRequest.ts";
import { entryOf, isPlaceholderText, nodeAt } from "./schema.ts";
import type { YamlNode } from "./yamlNode.ts";

export function checkKubeflow(
  { metadata, spec }: KubeflowApplication,
  document: YamlNode,
): readonly ManifestFinding[] {
  return [
    ...checkName(metadata, document),
    ...checkSpec(metadata, spec, { path: "spec", node: nodeAt(document, "spec") }),
  ];
}

export function checkScheduled(
  { metadata, spec }: ScheduledApplication,
  document: YamlNode,
): readonly ManifestFinding[] {
  const node = nodeAt(document, "spec", "template");
  return [
    ...checkName(metadata, document),
    ...checkSpec(metadata, spec.template ?? {}, { path: "spec.template", node }),
  ];
}

export function checkApache(
  { spec }: ApacheApplication,
  document: YamlNode,
): readonly ManifestFinding[] {
  const files = entryOf(nodeAt(document, "spec"), "files");
  return files && spec.files !== undefined ? [manifestProblems.unreadFiles(files.keySpan)] : [];
}

/** A spec with its node; undefined if the document has no node for it. */
interface SpecPlace {
  readonly path: string;
  readonly node: YamlNode | undefined;
}

function checkName({ name }: ManifestMetadata, document: YamlNode): readonly ManifestFinding[] {
  const node = nodeAt(document, "metadata", "name");
  if (name === undefined || node === undefined || isLetterLabel(name) || isPlaceholderText(name))
    return [];
  return [manifestProblems.badName(name, node.span)];
}

function checkSpec(
  metadata: ManifestMetadata,
  spec: KubeflowSpec,
  { path, node }: SpecPlace,
): readonly ManifestFinding[] {
  if (node === undefined) return [];
  return [
    ...checkKeys(metadata, spec, { path, node }),
    ...checkShadows(spec, { path, node }),
    ...checkSelectors(spec, { path, node }),
    ...checkType(spec, { path, node }),
  ];
}

function checkKeys(
  { namespace }: ManifestMetadata,
  { sparkConf = {} }: KubeflowSpec,
  place: SpecPlace,
): readonly ManifestFinding[] {
  const conf = entryOf(place.node, "sparkConf")?.value;
  return [...refusedKeys.keys(), podNameKey, namespaceKey].flatMap((key) => {
    const span = entryOf(conf, key)?.keySpan;
    const value = sparkConf[key];
    if (span === undefined || value === undefined) return [];
    const path = `${place.path}.sparkConf[${key}]`;
    const instead = refusedKeys.get(key);
    if (instead !== undefined) return [manifestProblems.refusedKey(path, key, instead, span)];
    if (key === podNameKey) return [manifestProblems.driverPodNameKey(path, span)];
    const isOther = namespace !== undefined && namespace !== value;
    return isOther ? [manifestProblems.otherNamespace(path, value, namespace, span)] : [];
  });
}

function checkShadows(spec: KubeflowSpec, place: SpecPlace): readonly ManifestFinding[] {
  const { sparkConf = {} } = spec;
  const fields: JsonObject = spec;
  const clash = (key: string, path: readonly string[]): boolean => {
    const value = readField(fields, path);
    const given = sparkConf[key];
    return value !== undefined && given !== undefined && value !== given && !refusedKeys.has(key);
  };
  const conf = entryOf(place.node, "sparkConf")?.value;
  const keys = strongFields.flatMap(({ key, path }) => {
    if (key === podNameKey || !clash(key, path)) return [];
    const entry = entryOf(conf, key);
    if (entry === undefined) return [];
    const at = `${place.path}.sparkConf[${key}]`;
    return [manifestProblems.shadowedKey(at, path.join("."), entry.keySpan)];
  });
  const weak = weakFields.flatMap(({ key, path }) => {
    const entry = entryOf(place.node, path.join("."));
    if (!entry || !clash(key, path)) return [];
    return [manifestProblems.shadowedField(`${place.path}.${path.join(".")}`, key, entry.keySpan)];
  });
  return [...keys, ...weak];
}

function checkSelectors(
  { nodeSelector, driver, executor }: KubeflowSpec,
  { path, node }: SpecPlace,
): readonly ManifestFinding[] {
  const entry = entryOf(node, "nodeSelector");
  const isTwice = driver?.nodeSelector !== undefined || executor?.nodeSelector !== undefined;
  if (nodeSelector === undefined || !entry || !isTwice) return [];
  return [manifestProblems.selectorTwice(`${path}.nodeSelector`, entry.keySpan)];
}

function checkType(
  { type, mainApplicationFile: file }: KubeflowSpec,
  { path, node }: SpecPlace,
): readonly ManifestFinding[] {
  const entry = entryOf(node, "type");
  if (type === undefined || file === undefined || !entry || isPlaceholderText(file)) return [];
  const isRight = kindOfFile(file) === (type === "Python" ? "python" : type === "R" ? "r" : "java");
  if (isRight) return [];
  return [manifestProblems.typeAgainstFile(`${path}.type`, type, file, entry.value.span)];
}
