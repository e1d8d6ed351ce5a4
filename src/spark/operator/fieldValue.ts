// Converts between spec fields and conf values.
import { assertNever } from "../../base/assertNever.ts";
import { isJsonObject, objectAt, type Json, type JsonObject } from "../../base/json.ts";
import { isDnsName } from "../kubernetesNames.ts";
import type { FieldForm } from "./kubeflowFields.ts";

/**
 * Returns the conf value that the operator sets for a field. Undefined if the field is missing, an object, or a list
 * without strings.
 */
export function readField(spec: JsonObject, path: readonly string[]): string | undefined {
  const value = valueAt(spec, path);
  if (value === undefined || value === null || isJsonObject(value)) return undefined;
  if (typeof value !== "object") return `${value}`;
  const texts = value.filter((item) => typeof item === "string");
  return texts.length === 0 ? undefined : texts.join(",");
}

/** Returns the field's value for a conf value; undefined if the field's type cannot express it. */
export function fieldValue(text: string, form: FieldForm): Json | undefined {
  switch (form) {
    case "text":
      return text;
    case "integer":
      return isPlainInteger(text) ? Number(text) : undefined;
    case "positive":
      return isPlainInteger(text) && Number(text) > 0 ? Number(text) : undefined;
    case "flag":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "list":
      return text === "" ? undefined : text.split(",");
    case "pythonVersion":
      return text === "2" || text === "3" ? text : undefined;
    case "podName":
      return isDnsName(text) ? text : undefined;
    default:
      return assertNever(form);
  }
}

export function valueAt(spec: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, name) => (isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    spec,
  );
}

/** Returns the spec with the value at the path. */
export function withValue(spec: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return spec;
  return {
    ...spec,
    [name]: rest.length === 0 ? value : withValue(objectAt(spec, name), rest, value),
  };
}

// True for a non-negative 32-bit integer without a sign and leading zeros. Converting it to a number loses nothing.
const isPlainInteger = (text: string): boolean =>
  /^(?:0|[1-9]\d{0,9})$/.test(text) && Number(text) <= 2_147_483_647;
