import { canonical } from "../rules/quantity.ts";
import { isList, plainText, type Json, type JsonObject } from "../kubeObject.ts";
import { asObject, fieldOf, isOpen, resolve, type Schema } from "./schema.ts";

/** What a body means to the API server: its known fields, and what is wrong with it. */
export interface Decoded {
  readonly value: JsonObject;
  /** Paths of fields that the type does not have; they are left out of `value`. */
  readonly unknown: readonly string[];
  /** Values of another type than their field's, as the server's decoder tells of them. */
  readonly mistyped: readonly string[];
}

/**
 * Reads a body of a built-in kind as the API server does: unknown fields are dropped, and so is what is not
 * written when it is empty (null, "", [], {} of a map); `resources: {}` and the like are always written.
 */
export function decode(body: JsonObject, schema: Schema, owner = ""): Decoded {
  const unknown: string[] = [];
  const mistyped: string[] = [];
  const value = objectOf(body, schema, { path: "", owner }, { unknown, mistyped });
  return { value, unknown, mistyped };
}

interface Notes {
  readonly unknown: string[];
  readonly mistyped: string[];
}

function objectOf(body: JsonObject, schema: Schema, at: Place, notes: Notes): JsonObject {
  const full = resolve(schema);
  const decoded: Record<string, Json> = {};
  const owner = schema.$ref === undefined ? at.owner : shortName(schema.$ref);
  const isMap = full.properties === undefined;
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const path = at.path === "" ? name : `${at.path}.${name}`;
    const field = fieldOf(full, name);
    if (field === undefined) {
      if (isOpen(full)) decoded[name] = value;
      else notes.unknown.push(path);
      continue;
    }
    // Go tells of a wrong value in a map by the map.
    const read = valueOf(value, field, { path: isMap ? at.path : path, owner }, notes);
    if (read !== undefined && (isMap || !isLeftOut(name, read, field))) decoded[name] = read;
  }
  for (const [name, field] of Object.entries(full.properties ?? {})) {
    // Structs that Go holds by value are there even when nobody wrote them.
    const isStruct = field.$ref !== undefined && asObject(field.default) !== undefined;
    if (decoded[name] === undefined && isStruct && resolve(field).type === "object") {
      decoded[name] = objectOf({}, field, { path: `${at.path}.${name}`, owner }, notes);
    }
  }
  return decoded;
}

function valueOf(value: Json, schema: Schema, at: Place, notes: Notes): Json | undefined {
  const full = resolve(schema);
  if (value === null) {
    return full["x-kubernetes-preserve-unknown-fields"] === true ? null : undefined;
  }
  if (full.items !== undefined) {
    if (!isList(value)) {
      complain(value, schema, at, notes);
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
    complain(value, schema, at, notes);
    return undefined;
  }
  if (!fits(value, full)) {
    complain(value, schema, at, notes);
    return undefined;
  }
  if (isQuantity(full)) return quantityOf(value, notes);
  if (full.format === "byte" && typeof value === "string") checkBase64(value, notes);
  return value;
}

function quantityOf(value: Json, notes: Notes): Json {
  const amount = canonical(plainText(value));
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

function fits(value: Json, schema: Schema): boolean {
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

const isEither = (schema: Schema): boolean =>
  schema.format === "int-or-string" ||
  schema["x-kubernetes-int-or-string"] === true ||
  "oneOf" in schema;

const isQuantity = (schema: Schema): boolean =>
  "oneOf" in schema && schema.format !== "int-or-string";

interface Place {
  readonly path: string;
  /** The struct that has the field, as Go calls it. */
  readonly owner: string;
}

function complain(value: Json, schema: Schema, { path, owner }: Place, notes: Notes): void {
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

function goType(schema: Schema): string {
  if (schema.items !== undefined) return `[]${goType(schema.items)}`;
  if (schema.$ref !== undefined) return `v1.${shortName(schema.$ref)}`;
  if (schema.type === "integer") return schema.format ?? "int32";
  if (schema.type === "object") return `map[string]${goType(mapValue(schema))}`;
  return { string: "string", boolean: "bool", number: "float64" }[schema.type ?? ""] ?? "struct";
}

const mapValue = ({ additionalProperties }: Schema): Schema =>
  typeof additionalProperties === "object" ? additionalProperties : { type: "string" };

const shortName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

function isLeftOut(name: string, value: Json, field: Schema): boolean {
  if (field.default !== undefined) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (asObject(value) !== undefined) {
    const isMap = resolve(field).properties === undefined && !isOpen(field);
    return isMap && Object.keys(value as JsonObject).length === 0;
  }
  if (value === "") return !keptWhenEmpty.has(name);
  if (value === false) return plainBooleans.has(name);
  if (value === 0) return plainNumbers.has(name);
  return false;
}

// Held by reference in Go, so that empty is something else than absent.
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
