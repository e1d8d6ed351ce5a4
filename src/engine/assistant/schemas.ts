// JSON Schemas of the assistant tools, in the subset that package.json and the Model Context Protocol share.
import type { JsonObject } from "../../base/json.ts";

export const text = (description: string): JsonObject => ({ type: "string", description });

export const oneOf = (values: readonly string[], description: string): JsonObject => ({
  ...text(description),
  enum: values,
});

export const count = (description: string, maximum: number): JsonObject => ({
  ...{ type: "integer", minimum: 1, maximum },
  description,
});

export const flag = (description: string): JsonObject => ({ type: "boolean", description });

export const whole = (description: string): JsonObject => ({ type: "integer", description });

export const list = (items: JsonObject, description: string): JsonObject => ({
  type: "array",
  ...{ items, description },
});

/** An object with these members and no others. */
export const object = (
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject => ({ type: "object", properties, required, additionalProperties: false });

/** The arguments that select a cluster and an application. */
export const applicationArguments = {
  context: text("Context of the kubeconfig. Default: the chosen context."),
  namespace: text("Namespace. Default: the watched namespaces."),
  application: text("Name, application id, or name of the driver pod."),
};
