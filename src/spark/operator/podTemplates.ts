// Pod templates of a request: what stands in a file, and what a custom resource holds.
import { isJsonObject, listAt, objectAt } from "../submit/json.ts";
import type { Json, JsonObject } from "../submit/manifest.ts";
import type { Role } from "./kubeflowFields.ts";
import { toJson } from "./schema.ts";
import { parseYamlTrees } from "./yamlTree.ts";

/** What Spark calls the container that it runs in. */
export const sparkContainer: Readonly<Record<Role, string>> = {
  driver: "spark-kubernetes-driver",
  executor: "spark-kubernetes-executor",
};

/** The template in a file's text, without what says that it is a pod; undefined if there is none. */
export function parseTemplate(text: string): JsonObject | undefined {
  const { documents, findings } = parseYamlTrees(text);
  const [document, another] = documents;
  if (document === undefined || another !== undefined || findings.length > 0) return undefined;
  const json = toJson(document);
  if (!isJsonObject(json)) return undefined;
  return Object.fromEntries(
    Object.entries(json).filter(([field]) => field !== "apiVersion" && field !== "kind"),
  );
}

/** The template as a pod, as Spark reads it from a file. */
export const templateAsPod = (template: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  ...template,
});

/** `template` with Spark's container changed: the one of that name, else the first one, else a new one. */
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
  // Spark takes the first container where nothing names one.
  const all: readonly Json[] = [edited, ...others];
  return { ...template, spec: { ...spec, containers: all } };
}
