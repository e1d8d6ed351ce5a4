import { parseQuantity } from "../../spark/quantity.ts";
import type { FieldProblem } from "../api/refusal.ts";
import { type JsonValue, type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { labelProblems, metadataProblems, notSupported, required, invalidField } from "./names.ts";
import { items, podProblems, podUpdateProblems, sorted } from "./podRules.ts";

/** Returns the validation problems of a new object of a built-in kind. */
export function createProblems(object: KubeObject): readonly FieldProblem[] {
  return [...metadataProblems(object), ...(ofKind[object.kind]?.(object) ?? [])];
}

/** Returns the validation problems of an update. */
export function updateProblems(before: KubeObject, after: KubeObject): readonly FieldProblem[] {
  const same = createProblems(after);
  const immutable = (field: string, value: JsonValue | undefined): FieldProblem =>
    invalidField(field, value, "field is immutable");
  switch (after.kind) {
    case "Pod":
      return [
        ...same,
        ...podUpdateProblems(asObject(before["spec"]) ?? {}, asObject(after["spec"]) ?? {}),
      ];
    case "Secret":
      return before["type"] === after["type"] ? same : [...same, immutable("type", after["type"])];
    case "RoleBinding":
    case "ClusterRoleBinding":
      return JSON.stringify(sorted(before["roleRef"])) === JSON.stringify(sorted(after["roleRef"]))
        ? same
        : [
            ...same,
            invalidField(
              "roleRef",
              inGo(asObject(after["roleRef"]) ?? {}),
              "cannot change roleRef",
            ),
          ];
    case "PriorityClass":
      return before["value"] === after["value"]
        ? same
        : [
            ...same,
            {
              reason: "FieldValueForbidden",
              field: "value",
              message: "Forbidden: may not be changed in an update.",
            },
          ];
    default:
      return before["immutable"] === true ? [...same, ...fixedProblems(before, after)] : same;
  }
}

function fixedProblems(before: KubeObject, after: KubeObject): readonly FieldProblem[] {
  const forbid = (field: string): readonly FieldProblem[] => [
    {
      reason: "FieldValueForbidden",
      field,
      message: "Forbidden: field is immutable when `immutable` is set",
    },
  ];
  const isOther = (field: string): boolean =>
    JSON.stringify(sorted(before[field])) !== JSON.stringify(sorted(after[field]));
  return [
    ...(after["immutable"] === true ? [] : forbid("immutable")),
    ...(isOther("data") ? forbid("data") : []),
    ...(isOther("binaryData") ? forbid("binaryData") : []),
  ];
}

const ofKind: Readonly<Record<string, (object: KubeObject) => readonly FieldProblem[]>> = {
  Pod: podProblems,
  ConfigMap: (map) => [
    ...keyProblems(asObject(map["data"]) ?? {}, "data"),
    ...keyProblems(asObject(map["binaryData"]) ?? {}, "binaryData"),
  ],
  Secret: (secret) => keyProblems(asObject(secret["data"]) ?? {}, "data"),
  Service: (service) => serviceProblems(asObject(service["spec"]) ?? {}),
  PersistentVolumeClaim: (claim) => claimProblems(asObject(claim["spec"]) ?? {}),
  NetworkPolicy: (policy) =>
    labelProblems(
      asObject(asObject(asObject(policy["spec"])?.["podSelector"])?.["matchLabels"]),
      "spec.podSelector.matchLabels",
    ),
  RoleBinding: roleProblems,
  ClusterRoleBinding: roleProblems,
};

function keyProblems(entries: JsonMembers, field: string): readonly FieldProblem[] {
  return Object.keys(entries)
    .filter(
      (key) => !/^[-._a-zA-Z0-9]+$/.test(key) || key === "." || key === ".." || key.length > 253,
    )
    .map((key) =>
      invalidField(
        `${field}[${key}]`,
        key,
        [".", ".."].includes(key)
          ? `must not be '${key}'`
          : "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ),
    );
}

function serviceProblems(spec: JsonMembers): readonly FieldProblem[] {
  const ports = items(spec["ports"]);
  const type = plainTextOf(spec["type"]);
  const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
  return [
    ...(ports.length === 0 && spec["clusterIP"] !== "None" && type !== "ExternalName"
      ? [required("spec.ports")]
      : []),
    ...ports.flatMap((port, index) => [
      ...(ports.length > 1 && port["name"] === undefined
        ? [required(`spec.ports[${index}].name`)]
        : []),
      ...[["port", port["port"]] as const, ["targetPort", port["targetPort"]] as const].flatMap(
        ([name, value]) =>
          typeof value === "string" || (Number(value) >= 1 && Number(value) <= 65535)
            ? []
            : [
                invalidField(
                  `spec.ports[${index}].${name}`,
                  value,
                  "must be between 1 and 65535, inclusive",
                ),
              ],
      ),
    ]),
    ...labelProblems(asObject(spec["selector"]), "spec.selector"),
    ...(types.includes(type) ? [] : [notSupported("spec.type", type, types)]),
  ];
}

function claimProblems(spec: JsonMembers): readonly FieldProblem[] {
  const requests = asObject(asObject(spec["resources"])?.["requests"]) ?? {};
  const storage = requests["storage"];
  return [
    ...(Array.isArray(spec["accessModes"]) && spec["accessModes"].length > 0
      ? []
      : [required("spec.accessModes", "at least 1 access mode is required")]),
    ...(storage === undefined
      ? [required("spec.resources[storage]")]
      : (parseQuantity(plainTextOf(storage)) ?? 0) > 0
        ? []
        : [
            invalidField(
              "spec.resources[storage]",
              plainTextOf(storage),
              "must be greater than zero",
            ),
          ]),
  ];
}

function roleProblems({ roleRef }: KubeObject): readonly FieldProblem[] {
  const { kind, name } = asObject(roleRef) ?? {};
  return [
    ...(["Role", "ClusterRole"].includes(plainTextOf(kind))
      ? []
      : [notSupported("roleRef.kind", plainTextOf(kind ?? ""), ["Role", "ClusterRole"])]),
    ...(name === undefined || name === "" ? [required("roleRef.name")] : []),
  ];
}

// The real API server prints the names of the Go fields in this message.
const inGo = ({ apiGroup, kind, name }: JsonMembers): JsonMembers => ({
  APIGroup: apiGroup,
  Kind: kind,
  Name: name,
});
