import { parse } from "yaml";
import { type JsonValue, type JsonMembers, plainTextOf } from "../kubeObject.ts";
import { decode } from "../schema/decode.ts";
import { pruneCustom } from "../schema/customValues.ts";
import { asObject } from "../schema/schema.ts";
import { duplicateFields } from "./duplicateFields.ts";
import { apiVersionOf, type Kind } from "./kinds.ts";
import { badRequest, unsupportedMedia, type Refusal } from "./refusal.ts";

/** How unknown and duplicate fields are handled, as in the query parameter `fieldValidation`. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

interface Body {
  readonly json: JsonMembers;
  /** Paths of duplicate fields. JSON.parse keeps the last value of each. */
  readonly duplicates: readonly string[];
}

const accepted = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** Parses the body of a request. Throws a Refusal for an unsupported media type, or if the text is not an object. */
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

/** Parses a JSON or YAML object; throws a Refusal if the text is neither. */
export function toObject(text: string, isYaml: boolean, kind = "object"): JsonMembers {
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
  const object = asObject(value as JsonMembers);
  if (object === undefined) throw unrecognized("it is not an object");
  return object;
}

interface ReadOptions {
  readonly fieldValidation: FieldValidation;
  readonly warn: (warning: string) => void;
  readonly duplicates?: readonly string[];
}

/**
 * Decodes a body as the kind of the path, and drops unknown fields. `fieldValidation` decides whether they are refused,
 * reported by `warn`, or ignored.
 */
export function readBody(body: JsonMembers, kind: Kind, options: ReadOptions): JsonMembers {
  const apiVersion = apiVersionOf(kind);
  const stated = { apiVersion: body["apiVersion"] ?? apiVersion, kind: body["kind"] ?? kind.kind };
  if (stated.kind !== kind.kind || stated.apiVersion !== apiVersion) {
    throw badRequest(mismatch(stated, kind));
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
  const problems = [
    ...(options.duplicates ?? []).map((field) => `duplicate field ${JSON.stringify(field)}`),
    ...known.unknown.map((field) => `unknown field ${JSON.stringify(field)}`),
  ];
  if (problems.length > 0 && options.fieldValidation === "Strict") {
    const list = problems.join(", ");
    throw badRequest(
      kind.custom === undefined
        ? `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: strict decoding error: ${list}`
        : `strict decoding error: ${list}`,
    );
  }
  if (options.fieldValidation === "Warn") problems.forEach(options.warn);
  return known.value;
}

function mismatch(own: { apiVersion: JsonValue; kind: JsonValue }, kind: Kind): string {
  const [apiVersion, name] = [plainTextOf(own.apiVersion), plainTextOf(own.kind)];
  const known = apiVersion === apiVersionOf(kind);
  return `${name} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${kind.kind}: ${
    known
      ? `it is not a ${kind.kind}`
      : `no kind ${JSON.stringify(name)} is registered for version ${JSON.stringify(apiVersion)}`
  }`;
}
