import type { FieldProblem } from "../api/refusal.ts";
import {
  type JsonValue,
  type JsonArray,
  type JsonMembers,
  type KubeObject,
  plainTextOf,
} from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import {
  duplicate,
  isLabel,
  labelProblems,
  notSupported,
  required,
  invalidField,
  wrongLabel,
} from "./names.ts";
import { parseQuantity } from "../../spark/quantity.ts";

export const items = (value: JsonValue | undefined): readonly JsonMembers[] =>
  Array.isArray(value) ? (value as JsonArray).map((item) => asObject(item) ?? {}) : [];

/** Returns the validation problems of a new pod. */
export function podProblems(pod: KubeObject): readonly FieldProblem[] {
  const spec = asObject(pod["spec"]) ?? {};
  const volumes = items(spec["volumes"]);
  const names = new Set(volumes.map(({ name }) => plainTextOf(name)));
  const containers = items(spec["containers"]);
  const initContainers = items(spec["initContainers"]);
  const policy = plainTextOf(spec["restartPolicy"]);
  const all = [...containers, ...initContainers].map(({ name }) => plainTextOf(name));
  const deadline = spec["activeDeadlineSeconds"];
  return [
    ...volumes.flatMap((volume, index) => volumeProblems(volume, index, volumes)),
    ...(containers.length === 0 ? [required("spec.containers")] : []),
    ...containers.flatMap((one, index) =>
      containerProblems(one, `spec.containers[${index}]`, names, all.slice(0, index)),
    ),
    ...initContainers.flatMap((one, index) =>
      containerProblems(
        one,
        `spec.initContainers[${index}]`,
        names,
        all.slice(0, containers.length + index),
      ),
    ),
    ...(["Always", "OnFailure", "Never"].includes(policy)
      ? []
      : [notSupported("spec.restartPolicy", policy, ["Always", "OnFailure", "Never"])]),
    ...(deadline !== undefined && (Number(deadline) < 1 || Number(deadline) > 2_147_483_647)
      ? [
          invalidField(
            "spec.activeDeadlineSeconds",
            deadline,
            "must be between 1 and 2147483647, inclusive",
          ),
        ]
      : []),
    ...labelProblems(asObject(spec["nodeSelector"]), "spec.nodeSelector"),
  ];
}

function volumeProblems(
  volume: JsonMembers,
  index: number,
  all: readonly JsonMembers[],
): readonly FieldProblem[] {
  const field = `spec.volumes[${index}].name`;
  const name = plainTextOf(volume["name"] ?? "");
  if (name === "") return [required(field)];
  if (!isLabel(name)) return [invalidField(field, name, wrongLabel)];
  const isSecond = all.slice(0, index).some((one) => one["name"] === name);
  const hostPath = asObject(volume["hostPath"]);
  return [
    ...(isSecond ? [duplicate(field, name)] : []),
    ...(hostPath !== undefined && (hostPath["path"] ?? "") === ""
      ? [required(`spec.volumes[${index}].hostPath.path`)]
      : []),
  ];
}

const pullPolicies = ["Always", "IfNotPresent", "Never"];

function containerProblems(
  container: JsonMembers,
  field: string,
  volumes: ReadonlySet<string>,
  earlier: readonly string[],
): readonly FieldProblem[] {
  const name = plainTextOf(container["name"] ?? "");
  const image = plainTextOf(container["image"] ?? "");
  const pull = plainTextOf(container["imagePullPolicy"]);
  return [
    ...(name === ""
      ? [required(`${field}.name`)]
      : isLabel(name)
        ? []
        : [invalidField(`${field}.name`, name, wrongLabel)]),
    ...(earlier.includes(name) ? [duplicate(`${field}.name`, name)] : []),
    ...(image === "" ? [required(`${field}.image`)] : []),
    ...(pullPolicies.includes(pull)
      ? []
      : [notSupported(`${field}.imagePullPolicy`, pull, pullPolicies)]),
    ...(image !== image.trim()
      ? [invalidField(`${field}.image`, image, "must not have leading or trailing whitespace")]
      : []),
    ...items(container["ports"]).flatMap((port, index) =>
      portProblems(port, `${field}.ports[${index}]`),
    ),
    ...items(container["env"]).flatMap((one, index) =>
      one["name"] === undefined || one["name"] === ""
        ? [required(`${field}.env[${index}].name`)]
        : [],
    ),
    ...items(container["volumeMounts"]).flatMap((mount, index) =>
      mountProblems(mount, `${field}.volumeMounts[${index}]`, volumes),
    ),
    ...resourceProblems(asObject(container["resources"]) ?? {}, `${field}.resources`),
  ];
}

function portProblems(port: JsonMembers, field: string): readonly FieldProblem[] {
  const number = port["containerPort"];
  if (number === undefined || number === 0) return [required(`${field}.containerPort`)];
  return Number(number) >= 1 && Number(number) <= 65535
    ? []
    : [invalidField(`${field}.containerPort`, number, "must be between 1 and 65535, inclusive")];
}

function mountProblems(
  mount: JsonMembers,
  field: string,
  volumes: ReadonlySet<string>,
): readonly FieldProblem[] {
  const name = plainTextOf(mount["name"] ?? "");
  return [
    ...(name === "" ? [required(`${field}.name`)] : []),
    ...(volumes.has(name)
      ? []
      : [
          {
            reason: "FieldValueNotFound" as const,
            field: `${field}.name`,
            message: `Not found: ${JSON.stringify(name)}`,
          },
        ]),
    ...(mount["mountPath"] === undefined || mount["mountPath"] === ""
      ? [required(`${field}.mountPath`)]
      : []),
    ...(plainTextOf(mount["subPath"] ?? "")
      .split("/")
      .includes("..")
      ? [
          invalidField(
            `${field.replace(/\[\d+\]$/, "")}.subPath`,
            mount["subPath"],
            "must not contain '..'",
          ),
        ]
      : []),
  ];
}

function resourceProblems(resources: JsonMembers, field: string): readonly FieldProblem[] {
  const limits = asObject(resources["limits"]) ?? {};
  const requests = asObject(resources["requests"]) ?? {};
  return Object.entries(requests).flatMap(([name, value]) => {
    const asked = parseQuantity(plainTextOf(value)) ?? 0;
    const limit = limits[name] === undefined ? undefined : parseQuantity(plainTextOf(limits[name]));
    return limit !== undefined && asked > limit
      ? [
          invalidField(
            `${field}.requests`,
            plainTextOf(value),
            `must be less than or equal to ${name} limit of ${plainTextOf(limits[name])}`,
          ),
        ]
      : [];
  });
}

const changeable = new Set([
  "activeDeadlineSeconds",
  "tolerations",
  "terminationGracePeriodSeconds",
  "schedulingGates",
]);

/** Returns the problems of an update that changes immutable fields of a pod. */
export function podUpdateProblems(
  before: JsonMembers,
  after: JsonMembers,
): readonly FieldProblem[] {
  const fixed = (spec: JsonMembers): string =>
    JSON.stringify(
      sorted({
        ...Object.fromEntries(Object.entries(spec).filter(([name]) => !changeable.has(name))),
        containers: items(spec["containers"]).map((one) => ({ ...one, image: "" })),
        initContainers: items(spec["initContainers"]).map((one) => ({ ...one, image: "" })),
      }),
    );
  const count = (spec: JsonMembers): number => items(spec["containers"]).length;
  if (count(before) !== count(after)) {
    return [
      {
        reason: "FieldValueForbidden",
        field: "spec.containers",
        message: "Forbidden: pod updates may not add or remove containers",
      },
    ];
  }
  if (fixed(before) === fixed(after)) return [];
  return [
    {
      reason: "FieldValueForbidden",
      field: "spec",
      message:
        "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
    },
  ];
}

export function sorted(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return (value as JsonArray).map((item) => sorted(item) ?? null);
  const object = asObject(value);
  if (object === undefined) return value;
  return Object.fromEntries(
    Object.keys(object)
      .filter((name) => object[name] !== undefined)
      .sort()
      .map((name) => [name, sorted(object[name]) ?? null]),
  );
}
