// JSON Schemas of the assistant tools, in the subset that package.json and the Model Context Protocol share.
import type { JsonObject } from "../../base/json.ts";

export const textSchema = (description: string): JsonObject => ({ type: "string", description });

export const enumSchema = (values: readonly string[], description: string): JsonObject => ({
  ...textSchema(description),
  enum: values,
});

export const countSchema = (description: string, maximum: number): JsonObject => ({
  ...{ type: "integer", minimum: 1, maximum },
  description,
});

export const flagSchema = (description: string): JsonObject => ({ type: "boolean", description });

export const integerSchema = (description: string): JsonObject => ({
  type: "integer",
  description,
});

export const listSchema = (items: JsonObject, description: string): JsonObject => ({
  type: "array",
  ...{ items, description },
});

/** Returns the schema of an object with these members and no others. */
export const objectSchema = (
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject => ({ type: "object", properties, required, additionalProperties: false });

/** The arguments that select a cluster and an application. */
export const applicationArguments = {
  context: textSchema("Context of the kubeconfig. Default: the chosen context."),
  namespace: textSchema("Namespace. Default: the watched namespaces."),
  application: textSchema("Name, application id, or name of the driver pod."),
};
