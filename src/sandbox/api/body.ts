import { parse } from "yaml";
import { type Json, type JsonObject, plainText } from "../kubeObject.ts";
import { decode } from "../schema/decode.ts";
import { pruneCustom } from "../schema/customValues.ts";
import { asObject } from "../schema/schema.ts";
import { duplicateFields } from "./duplicateFields.ts";
import { apiVersionOf, type Kind } from "./kinds.ts";
import { badRequest, unsupportedMedia, type Refusal } from "./refusal.ts";

/** What becomes of fields that a kind does not have, or that stand twice. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

export interface Body {
  readonly json: JsonObject;
  /** Fields that stand twice; JSON keeps the last. */
  readonly duplicates: readonly string[];
}

const accepted = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** The text of a request as an object. */
export function parseBody(text: string, contentType: string, kind: string): Body {
  const type = contentType.split(";")[0]?.trim() ?? "";
  if (type !== "" && type !== "application/json" && type !== "application/yaml") {
    throw unsupportedMedia(accepted);
  }
  return {
    json: toObject(text, type === "application/yaml", kind),
    duplicates: duplicateFields(text),
  };
}

/** JSON or YAML, which holds JSON. */
export function toObject(text: string, isYaml: boolean, kind = "object"): JsonObject {
  const unrecognized = (why: string): Refusal =>
    badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why}`,
    );
  let value: unknown;
  try {
    value = isYaml ? (parse(text, { version: "1.1" }) as unknown) : JSON.parse(text);
  } catch (error) {
    throw unrecognized(String(error));
  }
  const object = asObject(value as JsonObject);
  if (object === undefined) throw unrecognized("it is not an object");
  return object;
}

export interface ReadOptions {
  readonly fieldValidation: FieldValidation;
  readonly warn: (warning: string) => void;
  readonly duplicates?: readonly string[];
}

/** A body as the kind that the path leads to; what the kind does not have is left out, told of, or refused. */
export function readBody(body: JsonObject, kind: Kind, options: ReadOptions): JsonObject {
  const apiVersion = apiVersionOf(kind);
  const own = { apiVersion: body["apiVersion"] ?? apiVersion, kind: body["kind"] ?? kind.kind };
  if (own.kind !== kind.kind || own.apiVersion !== apiVersion) {
    throw badRequest(mismatch(own, kind));
  }
  const known =
    kind.custom === undefined
      ? decode(body, kind.schema, kind.kind)
      : pruneCustom(body, kind.schema);
  if (known.mistyped.length > 0) {
    throw badRequest(
      `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${known.mistyped[0] ?? ""}`,
    );
  }
  const complaints = [
    ...(options.duplicates ?? []).map((field) => `duplicate field ${JSON.stringify(field)}`),
    ...known.unknown.map((field) => `unknown field ${JSON.stringify(field)}`),
  ];
  if (complaints.length > 0 && options.fieldValidation === "Strict") {
    const list = complaints.join(", ");
    throw badRequest(
      kind.custom === undefined
        ? `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: strict decoding error: ${list}`
        : `strict decoding error: ${list}`,
    );
  }
  if (options.fieldValidation === "Warn") complaints.forEach(options.warn);
  return known.value;
}

function mismatch(own: { apiVersion: Json; kind: Json }, kind: Kind): string {
  const [apiVersion, name] = [plainText(own.apiVersion), plainText(own.kind)];
  const known = apiVersion === apiVersionOf(kind);
  return `${name} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${kind.kind}: ${
    known
      ? `it is no ${kind.kind}`
      : `no kind ${JSON.stringify(name)} is registered for version ${JSON.stringify(apiVersion)}`
  }`;
}
