import type { Span } from "../../base/span.ts";
import type { ApplicationFacts } from "../conf/catalogue/applicationFacts.ts";
import type { Finding } from "../conf/lint/finding.ts";
import type { ConfDocument, ConfEntry } from "../conf/parse/confDocument.ts";
import { decodeManifest } from "../operator/decodeManifests.ts";
import type { ManifestFinding } from "../operator/manifestFinding.ts";
import { kindOfFile } from "../submit/arguments/fileKind.ts";
import { requestOfManifest } from "../operator/requestOfManifest.ts";
import { entryOf } from "../operator/schema.ts";
import type { YamlNode } from "../operator/yamlNode.ts";

/**
 * Returns the application in a manifest, the faults of the manifest, and the settings that the operator adds. Undefined
 * for a document that is not an application.
 */
export function wholeOfManifest(
  document: YamlNode,
): Pick<ConfDocument, "application" | "elsewhere" | "findings"> | undefined {
  const decoded = decodeManifest(withoutConf(document), []);
  const kind = entryOf(document, "kind")?.value;
  if (decoded === undefined || kind === undefined) return undefined;
  const request = requestOfManifest(decoded.manifest);
  const { resource, mainClass, proxyUser } = request;
  const application: ApplicationFacts = {
    // A patch for a manifest names no program, so its settings are not complete.
    isWhole: resource !== undefined && resource !== "spark-internal",
    mode: request.conf.get("spark.submit.deployMode") === "client" ? "client" : "cluster",
    place: kind.span,
    ...(resource === undefined ? {} : { mainResource: resource, language: kindOfFile(resource) }),
    ...(mainClass === undefined ? {} : { mainClass }),
    ...(proxyUser === undefined ? {} : { proxyUser }),
  };
  const conf = new Map([...operatorConf, ...request.conf]);
  return {
    application,
    elsewhere: entriesAt(conf, kind.span),
    findings: problemsOf(document, application),
  };
}

/** Finds fields that the API server or the operator's webhook rejects, and fields without an effect. */
function problemsOf(document: YamlNode, { isWhole }: ApplicationFacts): readonly Finding[] {
  const found: ManifestFinding[] = [];
  decodeManifest(document, found);
  // Omits missing fields of a patch for a manifest, which need not be complete.
  const kept = found.filter(({ code }) => isWhole === true || code !== "missing-field");
  return kept.map(({ code, severity, message, span, fix }) => ({
    code: "manifest",
    problem: code,
    severity,
    says: message,
    span,
    replacement: fix,
  }));
}

// Removes the settings from the node: they are already parsed, and there may be thousands of them.
function withoutConf(node: YamlNode): YamlNode {
  if (node.kind !== "map") return node;
  const entries = node.entries
    .filter(({ key }) => key !== "sparkConf")
    .map((entry) =>
      entry.key === "spec" || entry.key === "template"
        ? { ...entry, value: withoutConf(entry.value) }
        : entry,
    );
  return { kind: "map", span: node.span, entries };
}

// Stand-ins for the conf that the operator adds: the address of its own cluster, and the default namespace.
const operatorConf: readonly (readonly [string, string])[] = [
  ["spark.master", "k8s://https://operator:443"],
  ["spark.kubernetes.namespace", "default"],
];

/** Converts the conf to entries, all with the span `place`, because they are not written in the text. */
const entriesAt = (conf: ReadonlyMap<string, string>, place: Span): readonly ConfEntry[] =>
  [...conf].map(([key, value]) => ({ key, value, keySpan: place, valueSpan: place }));
