// Reads and edits the pod templates of a request, which are from files or from custom resources.
import { isJsonObject, listAt, objectAt, type Json, type JsonObject } from "../../base/json.ts";
import type { Role } from "./kubeflowFields.ts";
import { toJson } from "./schema.ts";
import { parseYamlTrees } from "./yamlTree.ts";

/** The name of Spark's container. */
export const sparkContainer: Readonly<Record<Role, string>> = {
  driver: "spark-kubernetes-driver",
  executor: "spark-kubernetes-executor",
};

/**
 * Parses a template file. Returns the template without `apiVersion` and `kind`. Undefined unless the text is one valid
 * YAML document with a map.
 */
export function parseOperatorTemplate(text: string): JsonObject | undefined {
  const { documents, findings } = parseYamlTrees(text);
  const [document, another] = documents;
  if (document === undefined || another !== undefined || findings.length > 0) return undefined;
  const json = toJson(document);
  if (!isJsonObject(json)) return undefined;
  return Object.fromEntries(
    Object.entries(json).filter(([field]) => field !== "apiVersion" && field !== "kind"),
  );
}

/** Returns the template as a pod, which Spark reads from a file. */
export const templateAsPod = (template: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  ...template,
});

/** Edits Spark's container: the one named `name`, else the first one, else a new one. */
export function editSparkContainer(
  template: JsonObject,
  role: Role,
  name: string | undefined,
  edit: (container: JsonObject) => JsonObject,
): JsonObject {
  const spec = objectAt(template, "spec");
  const containers = listAt(spec, "containers").filter((item) => isJsonObject(item));
  const named = containers.find((container) => container["name"] === name);
  const chosen = named ?? containers[0];
  const others = containers.filter((container) => container !== chosen);
  const edited = edit(chosen ?? { name: sparkContainer[role] });
  // Puts Spark's container first, because Spark uses the first one if none has its name.
  const all: readonly Json[] = [edited, ...others];
  return { ...template, spec: { ...spec, containers: all } };
}
