import { nearestWord } from "../conf/nearest/words.ts";
import type { Span } from "../../base/span.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { apacheSpec } from "./apacheSchema.ts";
import { checkApache, checkKubeflow, checkScheduled } from "./manifestRules.ts";
import { kubeflowSpec, manifestMetadata, scheduledSpec } from "./kubeflowSchema.ts";
import type { ManifestFinding } from "./manifestFinding.ts";
import { manifestProblems } from "./manifestProblems.ts";
import { apacheVersion, kubeflowVersion, type OperatorManifest } from "./operatorManifest.ts";
import { entryOf, isPlaceholderText, toJson, type Reading, type ManifestSchema } from "./schema.ts";
import type { YamlMap, YamlNode } from "./yamlNode.ts";
import { parseYamlTrees } from "./yamlTree.ts";

export interface DecodedManifest {
  /** The decoded manifest without invalid and unknown fields. */
  readonly manifest: OperatorManifest;
  /** The whole document, including invalid and unknown fields. */
  readonly source: JsonObject;
  /** The document's span in the text. */
  readonly span: Span;
}

interface DecodedManifests {
  readonly manifests: readonly DecodedManifest[];
  /** Sorted by position in the text. */
  readonly findings: readonly ManifestFinding[];
}

/** Decodes the Spark applications in a YAML text. Skips documents of other kinds. Never throws. */
export function decodeManifests(text: string): DecodedManifests {
  const { documents, findings: found } = parseYamlTrees(text);
  const findings = [...found];
  const manifests = documents.flatMap((document) => {
    const decoded = decodeManifest(document, findings);
    return decoded === undefined ? [] : [decoded];
  });
  return { manifests, findings: findings.sort((a, b) => a.span.start - b.span.start) };
}

/** Decodes one document, and adds its findings to the list. Undefined if the document is not a Spark application. */
export const decodeManifest = (
  document: YamlNode,
  findings: ManifestFinding[],
): DecodedManifest | undefined =>
  document.kind === "map" ? decodeDocument(document, findings) : undefined;

const currentVersions: ReadonlyMap<string, string> = new Map([
  ["sparkoperator.k8s.io", kubeflowVersion],
  ["spark.apache.org", apacheVersion],
]);

/** Kinds of the operators that are not applications. */
const otherKinds = ["SparkConnect", "SparkCluster"];

function decodeDocument(
  document: YamlMap,
  findings: ManifestFinding[],
): DecodedManifest | undefined {
  const versionNode = entryOf(document, "apiVersion")?.value;
  const kindNode = entryOf(document, "kind")?.value;
  const apiVersion = textOf(versionNode);
  const kind = textOf(kindNode);
  const version = versionOf(apiVersion, kind);
  if (version === undefined || !versionNode || !kindNode) return undefined;
  const kinds = version === kubeflowVersion ? kubeflowKinds : apacheKinds;
  if (!kinds.some((known) => known === kind)) {
    const near = otherKinds.includes(kind) ? undefined : nearestWord(kind, kinds);
    if (near === undefined) return undefined;
    findings.push(manifestProblems.unknownKind(kind, near, kindNode.span));
    return undefined;
  }
  const own: ManifestFinding[] = [];
  const manifest = decodeKind(version, kind, document, own);
  if (apiVersion === version) findings.push(...own);
  else if (currentVersions.has(groupOf(apiVersion))) {
    // Reports only the version, because the fields of an old version may be unknown in the current one.
    findings.push(manifestProblems.oldVersion(apiVersion, version, versionNode.span));
  } else {
    findings.push(manifestProblems.unknownApi(apiVersion, version, versionNode.span), ...own);
  }
  const source = toJson(document);
  return isJsonObject(source) ? { manifest, source, span: document.span } : undefined;
}

const kubeflowKinds = ["SparkApplication", "ScheduledSparkApplication"];
const apacheKinds = ["SparkApplication"];

// Returns the version of the group, or of the most similar group if it is misspelled.
function versionOf(apiVersion: string, kind: string): string | undefined {
  const known = currentVersions.get(groupOf(apiVersion));
  if (known !== undefined || !kubeflowKinds.includes(kind)) return known;
  return nearestWord(apiVersion, [...currentVersions.values()]);
}

const groupOf = (apiVersion: string): string => apiVersion.split("/")[0] ?? "";

function decodeKind(
  version: string,
  kind: string,
  document: YamlMap,
  findings: ManifestFinding[],
): OperatorManifest {
  const report = (finding: ManifestFinding): void => void findings.push(finding);
  const part = <T>(name: string, schema: ManifestSchema<T>, empty: T): T => {
    const node = entryOf(document, name)?.value;
    const at: Reading = { path: name, report };
    if (node !== undefined) return schema.read(node, at) ?? empty;
    const start = document.span.start;
    report(manifestProblems.missingField(name, name, { start, end: start }));
    return empty;
  };
  reportStrangers(document, report);
  const metadata = part("metadata", manifestMetadata, {});
  if (version === apacheVersion) {
    const spec = part("spec", apacheSpec, {});
    const manifest = {
      apiVersion: apacheVersion,
      kind: "SparkApplication",
      metadata,
      spec,
    } as const;
    findings.push(...checkApache(manifest, document));
    return manifest;
  }
  if (kind === "ScheduledSparkApplication") {
    const spec = part("spec", scheduledSpec, {});
    const manifest = { apiVersion: kubeflowVersion, kind, metadata, spec } as const;
    findings.push(...checkScheduled(manifest, document));
    return manifest;
  }
  const spec = part("spec", kubeflowSpec, {});
  const manifest = {
    apiVersion: kubeflowVersion,
    kind: "SparkApplication",
    metadata,
    spec,
  } as const;
  findings.push(...checkKubeflow(manifest, document));
  return manifest;
}

const topFields = ["apiVersion", "kind", "metadata", "spec", "status"];

function reportStrangers(document: YamlMap, report: Reading["report"]): void {
  for (const { key, keySpan } of document.entries) {
    if (topFields.includes(key) || isPlaceholderText(key)) continue;
    report(manifestProblems.unknownField(key, key, nearestWord(key, topFields), keySpan));
  }
}

const textOf = (node: YamlNode | undefined): string =>
  node?.kind === "scalar" && typeof node.value === "string" ? node.value : "";
