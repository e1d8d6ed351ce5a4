import { toJson } from "../../../src/spark/operator/schema.ts";
import { parseYamlTrees } from "../../../src/spark/operator/yamlTree.ts";
import { isJsonObject, listAt, type JsonObject } from "../../../src/base/json.ts";

/** Returns the custom resource definitions in YAML text, including the items of each `List`. */
export function definitionsIn(text: string): readonly JsonObject[] {
  return parseYamlTrees(text)
    .documents.map(toJson)
    .filter((json) => isJsonObject(json))
    .flatMap((json) => (json["kind"] === "List" ? listAt(json, "items") : [json]))
    .filter((json) => isJsonObject(json));
}
