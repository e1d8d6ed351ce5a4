import type { Span } from "../../base/span.ts";
import type { ApplicationFacts } from "../conf/applicationFacts.ts";
import type { ConfDocument, ConfEntry } from "../conf/confDocument.ts";
import { decodeManifest } from "../operator/decodeManifests.ts";
import { kindOfFile } from "../operator/fileKind.ts";
import { requestOfManifest } from "../operator/requestOfManifest.ts";
import { entryOf } from "../operator/schema.ts";
import type { YamlNode } from "../operator/yamlNode.ts";

/**
 * What a manifest tells of its application beside its settings, and what the operator adds to them: nothing
 * else counts for such an application. Undefined for a document that is no application.
 */
export function wholeOfManifest(
  document: YamlNode,
): Pick<ConfDocument, "application" | "elsewhere"> | undefined {
  const decoded = decodeManifest(withoutConf(document), []);
  const kind = entryOf(document, "kind")?.value;
  if (decoded === undefined || kind === undefined) return undefined;
  const request = requestOfManifest(decoded.manifest);
  const { resource, mainClass, proxyUser } = request;
  const application: ApplicationFacts = {
    // A patch for a manifest names no program, and the rest stands in what is patched.
    isWhole: resource !== undefined && resource !== "spark-internal",
    mode: request.conf.get("spark.submit.deployMode") === "client" ? "client" : "cluster",
    place: kind.span,
    ...(resource === undefined ? {} : { mainResource: resource, language: kindOfFile(resource) }),
    ...(mainClass === undefined ? {} : { mainClass }),
    ...(proxyUser === undefined ? {} : { proxyUser }),
  };
  const conf = new Map([...operatorConf, ...request.conf]);
  return { application, elsewhere: entriesAt(conf, kind.span) };
}

// Its settings are read already, and there may be thousands of them.
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

// The operator submits to the cluster that it runs in, into the object's namespace.
const operatorConf: readonly (readonly [string, string])[] = [
  ["spark.master", "k8s://https://operator:443"],
  ["spark.kubernetes.namespace", "default"],
];

/** Settings without a place of their own. */
export const entriesAt = (conf: ReadonlyMap<string, string>, place: Span): readonly ConfEntry[] =>
  [...conf].map(([key, value]) => ({ key, value, keySpan: place, valueSpan: place }));
