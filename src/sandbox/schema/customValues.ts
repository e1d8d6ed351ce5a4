import { inEnglish } from "../../base/message.ts";
import { compileLinear } from "../../base/linearPattern.ts";
import type { FieldProblem } from "../api/refusal.ts";
import { isList, type JsonValue, type JsonMembers, type KubeObject } from "../kubeObject.ts";
import { decode, type DecodedObject } from "./decode.ts";
import { asObject, schemaFieldOf, isOpen, objectMetaSchema, type OpenApiSchema } from "./schema.ts";

/** Drops fields that the schema of a custom resource does not have, and fills in its defaults. */
export function pruneCustom(body: JsonMembers, schema: OpenApiSchema): DecodedObject {
  const unknown: string[] = [];
  const { apiVersion, kind, metadata, ...rest } = body;
  const meta = decode(asObject(metadata) ?? {}, objectMetaSchema);
  const pruned = prune(rest, schema, "", unknown) as JsonMembers;
  return {
    value: { apiVersion, kind, metadata: meta.value, ...pruned },
    unknown: [...meta.unknown.map((field) => `metadata.${field}`), ...unknown],
    mistyped: meta.mistyped,
  };
}

function prune(
  value: JsonValue,
  schema: OpenApiSchema,
  path: string,
  unknown: string[],
): JsonValue {
  if (isList(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    return value.map((item, index) => prune(item, items, `${path}[${index}]`, unknown));
  }
  const object = asObject(value);
  if (object === undefined) return value;
  const pruned: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    const field = schemaFieldOf(schema, name);
    const at = path === "" ? name : `${path}.${name}`;
    if (field !== undefined) {
      if (member === null && field.nullable !== true) continue;
      pruned[name] = prune(member, field, at, unknown);
    } else if (
      schema["x-kubernetes-preserve-unknown-fields"] === true ||
      schema.additionalProperties === true
    ) {
      pruned[name] = member;
    } else {
      unknown.push(at);
    }
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (pruned[name] === undefined && field.default !== undefined) pruned[name] = field.default;
  }
  return pruned;
}

/** Returns the validation problems of a custom object. */
export function customProblems(object: KubeObject, schema: OpenApiSchema): readonly FieldProblem[] {
  return valueProblems(object, schema, "").filter(({ field }) => !field.startsWith("metadata"));
}

function valueProblems(
  value: JsonValue,
  schema: OpenApiSchema,
  field: string,
): readonly FieldProblem[] {
  const problem = (reason: FieldProblem["reason"], message: string): readonly FieldProblem[] => [
    { reason, field: field === "" ? "<nil>" : field, message },
  ];
  const wrong = (why: string): readonly FieldProblem[] =>
    problem("FieldValueInvalid", `Invalid value: ${shown(value)}: ${field} in body ${why}`);
  const type = typeOf(value);
  if (value === null && schema.nullable === true) return [];
  if (schema["x-kubernetes-int-or-string"] === true) {
    return type === "integer" || type === "string"
      ? []
      : wrong("must be of type integer or string");
  }
  if (
    schema.type !== undefined &&
    schema.type !== type &&
    !(schema.type === "number" && type === "integer")
  ) {
    return problem(
      "FieldValueTypeInvalid",
      `Invalid value: ${JSON.stringify(type)}: ${field} in body must be of type ${schema.type}: ${JSON.stringify(type)}`,
    );
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return problem(
      "FieldValueNotSupported",
      `Unsupported value: ${JSON.stringify(value)}: supported values: ${schema.enum.map((one) => JSON.stringify(one)).join(", ")}`,
    );
  }
  if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum) {
      return wrong(`should be greater than or equal to ${schema.minimum}`);
    }
    if (schema.maximum !== undefined && value > schema.maximum) {
      return wrong(`should be less than or equal to ${schema.maximum}`);
    }
  }
  if (typeof value === "string") {
    if (schema.minLength !== undefined && value.length < schema.minLength) {
      return wrong(`should be at least ${schema.minLength} chars long`);
    }
    if (schema.pattern !== undefined) {
      // The API server uses Go's regular expressions, which have RE2 syntax.
      const pattern = compileLinear(schema.pattern, { for: "text" });
      if (!pattern.ok)
        return wrong(`has an unsupported pattern: ${inEnglish(pattern.error.detail)}`);
      if (!pattern.value.test(value)) return wrong(`should match '${schema.pattern}'`);
    }
  }
  if (isList(value)) {
    const { items } = schema;
    return items === undefined
      ? []
      : value.flatMap((item, index) => valueProblems(item, items, `${field}[${index}]`));
  }
  const object = asObject(value);
  if (object === undefined || (isOpen(schema) && schema.required === undefined)) return [];
  return [
    ...(schema.required ?? [])
      .filter((name) => object[name] === undefined)
      .map((name) => ({
        reason: "FieldValueRequired" as const,
        field: field === "" ? name : `${field}.${name}`,
        message: "Required value",
      })),
    ...Object.entries(object).flatMap(([name, member]) => {
      const inner = schemaFieldOf(schema, name);
      const at = field === "" ? name : `${field}.${name}`;
      return inner === undefined || member === undefined ? [] : valueProblems(member, inner, at);
    }),
  ];
}

const typeOf = (value: JsonValue): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "array"
      : typeof value === "number"
        ? Number.isInteger(value)
          ? "integer"
          : "number"
        : typeof value;

const shown = (value: JsonValue): string =>
  typeof value === "object" ? JSON.stringify(typeOf(value)) : JSON.stringify(value);
