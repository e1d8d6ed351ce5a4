import type { FieldProblem } from "../api/refusal.ts";
import { plainTextOf, type JsonValue, type JsonMembers, type KubeObject } from "../kubeObject.ts";

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const qualifiedPart = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const wrongSubdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
export const wrongLabel =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const wrongLabelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
export const wrongQualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

export const isLabel = (text: string): boolean => label.test(text) && text.length <= 63;

export const invalidField = (
  field: string,
  value: JsonValue | undefined,
  why: string,
): FieldProblem => ({
  reason: "FieldValueInvalid",
  field,
  message: `Invalid value: ${typeof value === "string" ? JSON.stringify(value) : plainTextOf(value)}: ${why}`,
});

export const required = (field: string, why = ""): FieldProblem => ({
  reason: "FieldValueRequired",
  field,
  message: `Required value${why === "" ? "" : `: ${why}`}`,
});

export const duplicate = (field: string, value: string): FieldProblem => ({
  reason: "FieldValueDuplicate",
  field,
  message: `Duplicate value: ${JSON.stringify(value)}`,
});

export const notSupported = (
  field: string,
  value: string,
  supported: readonly string[],
): FieldProblem => ({
  reason: "FieldValueNotSupported",
  field,
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((one) => JSON.stringify(one)).join(", ")}`,
});

const labelNamed = new Set(["Namespace", "Service"]);

/** Returns the problems of the name, labels and annotations of an object. */
export function metadataProblems({
  kind,
  apiVersion,
  metadata,
}: KubeObject): readonly FieldProblem[] {
  return [
    ...nameProblems(kind, apiVersion, metadata.name),
    ...labelProblems(metadata.labels, "metadata.labels"),
    ...annotationProblems(metadata.annotations),
  ];
}

function nameProblems(kind: string, apiVersion: string, name: string): readonly FieldProblem[] {
  const field = "metadata.name";
  if (apiVersion.startsWith("rbac.")) return [];
  if (labelNamed.has(kind) && apiVersion === "v1") {
    const long =
      name.length > 63 ? [invalidField(field, name, "must be no more than 63 characters")] : [];
    if (name.includes(".")) return [...long, invalidField(field, name, "must not contain dots")];
    return label.test(name) ? long : [...long, invalidField(field, name, wrongLabel)];
  }
  const long =
    name.length > 253 ? [invalidField(field, name, "must be no more than 253 characters")] : [];
  return subdomain.test(name) ? long : [...long, invalidField(field, name, wrongSubdomain)];
}

export function labelProblems(
  labels: JsonMembers | undefined,
  field: string,
): readonly FieldProblem[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => {
    const text = plainTextOf(value);
    return [
      ...qualifiedProblems(key, field),
      ...(text.length > 63 ? [invalidField(field, text, "must be no more than 63 bytes")] : []),
      ...(labelValue.test(text) ? [] : [invalidField(field, text, wrongLabelValue)]),
    ];
  });
}

function qualifiedProblems(key: string, field: string): readonly FieldProblem[] {
  const parts = key.split("/");
  if (parts.length > 2) {
    return [
      invalidField(
        field,
        key,
        `a valid label key ${wrongQualified.slice("name part ".length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ),
    ];
  }
  const name = parts.at(-1) ?? "";
  const [prefix] = parts.length > 1 ? parts : [];
  return [
    ...(prefix === "" ? [invalidField(field, key, "prefix part must be non-empty")] : []),
    ...(prefix !== undefined && prefix !== "" && !subdomain.test(prefix)
      ? [invalidField(field, key, `prefix part ${wrongSubdomain}`)]
      : []),
    ...(name === "" ? [invalidField(field, key, "name part must be non-empty")] : []),
    ...(name.length > 63
      ? [invalidField(field, key, "name part must be no more than 63 bytes")]
      : []),
    ...(qualifiedPart.test(name) ? [] : [invalidField(field, key, wrongQualified)]),
  ];
}

function annotationProblems(annotations: JsonMembers | undefined): readonly FieldProblem[] {
  const entries = Object.entries(annotations ?? {});
  const size = entries.reduce(
    (sum, [key, value]) => sum + key.length + plainTextOf(value).length,
    0,
  );
  return [
    ...entries.flatMap(([key]) => qualifiedProblems(key.toLowerCase(), "metadata.annotations")),
    ...(size > 256 * 1024
      ? [
          {
            reason: "FieldValueTooLong" as const,
            field: "metadata.annotations",
            message: "Too long: may not be more than 262144 bytes",
          },
        ]
      : []),
  ];
}
