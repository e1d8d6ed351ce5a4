import { canonical } from "../rules/quantity.ts";
import { isList, plainTextOf, type JsonValue, type JsonMembers } from "../kubeObject.ts";
import { asObject, schemaFieldOf, isOpen, resolve, type OpenApiSchema } from "./schema.ts";

/** A decoded body and its problems. */
export interface DecodedObject {
  readonly value: JsonMembers;
  /** Paths of unknown fields, which `value` lacks. */
  readonly unknown: readonly string[];
  /** Messages about values of a wrong type, worded like those of Go's decoder. */
  readonly mistyped: readonly string[];
}

/**
 * Decodes a body of a built-in kind like the API server. Drops unknown fields, and empty values of fields with Go's
 * `omitempty` (null, "", [], or {} for a map). Structs without it, such as `resources: {}`, are kept.
 */
export function decode(body: JsonMembers, schema: OpenApiSchema, owner = ""): DecodedObject {
  const unknown: string[] = [];
  const mistyped: string[] = [];
  const value = objectOf(body, schema, { path: "", owner }, { unknown, mistyped });
  return { value, unknown, mistyped };
}

interface Notes {
  readonly unknown: string[];
  readonly mistyped: string[];
}

function objectOf(body: JsonMembers, schema: OpenApiSchema, at: Place, notes: Notes): JsonMembers {
  const full = resolve(schema);
  const decoded: Record<string, JsonValue> = {};
  const owner = schema.$ref === undefined ? at.owner : shortName(schema.$ref);
  const isMap = full.properties === undefined;
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const path = at.path === "" ? name : `${at.path}.${name}`;
    const field = schemaFieldOf(full, name);
    if (field === undefined) {
      if (isOpen(full)) decoded[name] = value;
      else notes.unknown.push(path);
      continue;
    }
    // For a wrong value in a map, Go reports the path of the map.
    const read = valueOf(value, field, { path: isMap ? at.path : path, owner }, notes);
    if (read !== undefined && (isMap || !isLeftOut(name, read, field))) decoded[name] = read;
  }
  for (const [name, field] of Object.entries(full.properties ?? {})) {
    // Go serializes structs held by value even if they are unset.
    const isStruct = field.$ref !== undefined && asObject(field.default) !== undefined;
    if (decoded[name] === undefined && isStruct && resolve(field).type === "object") {
      decoded[name] = objectOf({}, field, { path: `${at.path}.${name}`, owner }, notes);
    }
  }
  return decoded;
}

function valueOf(
  value: JsonValue,
  schema: OpenApiSchema,
  at: Place,
  notes: Notes,
): JsonValue | undefined {
  const full = resolve(schema);
  if (value === null) {
    return full["x-kubernetes-preserve-unknown-fields"] === true ? null : undefined;
  }
  if (full.items !== undefined) {
    if (!isList(value)) {
      noteMistyped(value, schema, at, notes);
      return undefined;
    }
    const { items } = full;
    return value.map((item, index) => {
      const place = { ...at, path: `${at.path}[${index}]` };
      return valueOf(item, items, place, notes) ?? (resolve(items).type === "object" ? {} : "");
    });
  }
  const object = asObject(value);
  const hasMembers = full.properties !== undefined || typeof full.additionalProperties === "object";
  if (hasMembers) {
    if (object !== undefined) return objectOf(object, schema, at, notes);
    noteMistyped(value, schema, at, notes);
    return undefined;
  }
  if (!fits(value, full)) {
    noteMistyped(value, schema, at, notes);
    return undefined;
  }
  if (isQuantity(full)) return quantityOf(value, notes);
  if (full.format === "byte" && typeof value === "string") checkBase64(value, notes);
  return value;
}

function quantityOf(value: JsonValue, notes: Notes): JsonValue {
  const amount = canonical(plainTextOf(value));
  if (amount !== undefined) return amount;
  notes.mistyped.push(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
  return "0";
}

function checkBase64(value: string, notes: Notes): void {
  const at = value.search(/[^A-Za-z0-9+/=\r\n]/);
  const isWhole = value.replaceAll(/[\r\n]/g, "").length % 4 === 0;
  if (at === -1 && isWhole) return;
  notes.mistyped.push(
    `illegal base64 data at input byte ${at === -1 ? value.length - (value.length % 4) : at}`,
  );
}

function fits(value: JsonValue, schema: OpenApiSchema): boolean {
  if (isEither(schema) || schema["x-kubernetes-preserve-unknown-fields"] === true) {
    return ["string", "number"].includes(typeof value) || !isEither(schema);
  }
  switch (schema.type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "object":
      return asObject(value) !== undefined;
    case undefined:
    default:
      return true;
  }
}

const isEither = (schema: OpenApiSchema): boolean =>
  schema.format === "int-or-string" ||
  schema["x-kubernetes-int-or-string"] === true ||
  "oneOf" in schema;

const isQuantity = (schema: OpenApiSchema): boolean =>
  "oneOf" in schema && schema.format !== "int-or-string";

interface Place {
  readonly path: string;
  /** Name of the Go struct that has the field. */
  readonly owner: string;
}

function noteMistyped(
  value: JsonValue,
  schema: OpenApiSchema,
  { path, owner }: Place,
  notes: Notes,
): void {
  const found = Array.isArray(value)
    ? "array"
    : asObject(value) !== undefined
      ? "object"
      : typeof value === "boolean"
        ? "bool"
        : typeof value;
  const place = path.replaceAll(/\[\d+\]/g, "");
  notes.mistyped.push(
    `json: cannot unmarshal ${found} into Go struct field ${owner}.${place} of type ${goType(schema)}`,
  );
}

function goType(schema: OpenApiSchema): string {
  if (schema.items !== undefined) return `[]${goType(schema.items)}`;
  if (schema.$ref !== undefined) return `v1.${shortName(schema.$ref)}`;
  if (schema.type === "integer") return schema.format ?? "int32";
  if (schema.type === "object") return `map[string]${goType(mapValue(schema))}`;
  return { string: "string", boolean: "bool", number: "float64" }[schema.type ?? ""] ?? "struct";
}

const mapValue = ({ additionalProperties }: OpenApiSchema): OpenApiSchema =>
  typeof additionalProperties === "object" ? additionalProperties : { type: "string" };

const shortName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

function isLeftOut(name: string, value: JsonValue, field: OpenApiSchema): boolean {
  if (field.default !== undefined) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (asObject(value) !== undefined) {
    const isMap = resolve(field).properties === undefined && !isOpen(field);
    return isMap && Object.keys(value as JsonMembers).length === 0;
  }
  if (value === "") return !keptWhenEmpty.has(name);
  if (value === false) return plainBooleans.has(name);
  if (value === 0) return plainNumbers.has(name);
  return false;
}

// These fields are pointers in Go: an empty value differs from an absent one.
const keptWhenEmpty = new Set([
  "storageClassName",
  "ingressClassName",
  "volumeAttributesClassName",
]);
const plainBooleans = new Set(
  "hostNetwork hostPID hostIPC stdin stdinOnce tty readOnly publishNotReadyAddresses unschedulable globalDefault".split(
    " ",
  ),
);
const plainNumbers = new Set(
  "hostPort nodePort initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold count healthCheckNodePort generation".split(
    " ",
  ),
);
