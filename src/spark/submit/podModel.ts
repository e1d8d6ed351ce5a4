// Spark reads a template into typed objects and writes those, which changes what a scalar is. Where the
// type of a field is known here, a value gets it.
import type { Json } from "./manifest.ts";

const textFields: ReadonlySet<string> = new Set([
  "name",
  "value",
  "key",
  "image",
  "storage",
  "sizeLimit",
  "priorityClassName",
  "nodeName",
  "operator",
]);
/** Fields of whose children the same holds. */
const textMaps: ReadonlySet<string> = new Set([
  "labels",
  "annotations",
  "nodeSelector",
  "matchLabels",
  "limits",
  "requests",
  "minResources",
  "overhead",
]);
const textLists: ReadonlySet<string> = new Set(["args", "command", "values"]);
const numberFields: ReadonlySet<string> = new Set([
  "activeDeadlineSeconds",
  "containerPort",
  "defaultMode",
  "expirationSeconds",
  "failureThreshold",
  "fsGroup",
  "hostPort",
  "initialDelaySeconds",
  "maxSkew",
  "minMember",
  "mode",
  "periodSeconds",
  "priority",
  "runAsGroup",
  "runAsUser",
  "successThreshold",
  "terminationGracePeriodSeconds",
  "timeoutSeconds",
  "tolerationSeconds",
  "weight",
]);
const booleanFields: ReadonlySet<string> = new Set([
  "allowPrivilegeEscalation",
  "automountServiceAccountToken",
  "enableServiceLinks",
  "hostIPC",
  "hostNetwork",
  "hostPID",
  "optional",
  "privileged",
  "readOnly",
  "readOnlyRootFilesystem",
  "runAsNonRoot",
  "shareProcessNamespace",
]);

const listFields: ReadonlySet<string> = new Set([
  "containers",
  "env",
  "envFrom",
  "ephemeralContainers",
  "hostAliases",
  "imagePullSecrets",
  "initContainers",
  "ports",
  "readinessGates",
  "tolerations",
  "topologySpreadConstraints",
  "volumeDevices",
  "volumeMounts",
  "volumes",
  ...textLists,
]);

/** A number of a template as it was written, for a field that wants a text. */
export class WrittenNumber {
  readonly value: number;
  readonly text: string;
  constructor(value: number, text: string) {
    this.value = value;
    this.text = text;
  }
}

/** The first value that has another type than its field, which Spark cannot read; undefined: none. */
export function misfitIn(value: unknown, path = ""): string | undefined {
  const key = /[^.[\]]*$/.exec(path)?.[0] ?? "";
  if (Array.isArray(value)) {
    return value.reduce<string | undefined>(
      (found, item: unknown, index) => found ?? misfitIn(item, `${path}[${index}]`),
      undefined,
    );
  }
  if (value === null || value === undefined) return undefined;
  if (listFields.has(key)) return path;
  if (typeof value === "string") {
    const isMisfit =
      (numberFields.has(key) && !/^-?[0-9]+$/.test(value)) ||
      (booleanFields.has(key) && !/^(?:true|false)$/i.test(value));
    return isMisfit ? path : undefined;
  }
  if (typeof value !== "object" || value instanceof Date || value instanceof WrittenNumber) {
    return typeof value === "boolean" && numberFields.has(key) ? path : undefined;
  }
  for (const [name, child] of Object.entries(value)) {
    // Below these, names are the user's own.
    const isFree = textMaps.has(key);
    const found = isFree ? undefined : misfitIn(child, path === "" ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What Spark sends for a template's value: no nulls, no empty lists, scalars of the fields' types. */
export function modelValue(value: unknown, writesEmptyMaps: boolean): Json {
  return convert(value, "", "", writesEmptyMaps) ?? null;
}

function convert(
  value: unknown,
  key: string,
  parentKey: string,
  writesEmptyMaps: boolean,
): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown) => convert(item, "", key, writesEmptyMaps) ?? []);
    return items.length === 0 ? undefined : items;
  }
  if (value instanceof WrittenNumber) {
    const isText = textFields.has(key) || textMaps.has(parentKey) || textLists.has(parentKey);
    return isText ? value.text : value.value;
  }
  if (typeof value === "object" && value !== null && !(value instanceof Date)) {
    const entries = Object.entries(value).flatMap(([name, child]) => {
      const converted = convert(child, name, key, writesEmptyMaps);
      return converted === undefined ? [] : [[name, converted] as const];
    });
    const isEmptyMap = entries.length === 0 && textMaps.has(key) && !writesEmptyMaps;
    return isEmptyMap ? undefined : Object.fromEntries(entries);
  }
  return scalar(value, key, parentKey);
}

function scalar(value: unknown, key: string, parentKey: string): Json | undefined {
  const isText = textFields.has(key) || textMaps.has(parentKey) || textLists.has(parentKey);
  if (value instanceof Date) return isText ? `${value.getTime()}` : value.getTime();
  if (typeof value === "number" || typeof value === "boolean") return isText ? `${value}` : value;
  if (typeof value !== "string") return undefined;
  if (isText || textMaps.has(parentKey)) return value;
  if (numberFields.has(key) && /^-?[0-9]+$/.test(value)) return Number(value);
  if (booleanFields.has(key) && /^(?:true|false)$/.test(value)) return value === "true";
  return value;
}
