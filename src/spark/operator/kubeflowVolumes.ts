import { objectAt, textAt, type Json, type JsonObject } from "../../base/json.ts";
import type { Role } from "./kubeflowFields.ts";

/** The volume types that have conf keys, with their options. */
const optionsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["emptyDir", ["medium", "sizeLimit"]],
  ["hostPath", ["path", "type"]],
  ["nfs", ["path", "server"]],
  ["persistentVolumeClaim", ["claimName"]],
]);

/** Returns the conf entries for the volume; undefined if they cannot express all of it. */
export function readVolume(
  volume: JsonObject,
  mount: JsonObject,
  role: Role,
): readonly (readonly [string, string])[] | undefined {
  const { name, ...sources } = volume;
  const [type, another] = Object.keys(sources);
  const known = type === undefined ? undefined : optionsOf.get(type);
  // Refuses a name with a dot, which would end the name in the key.
  if (
    typeof name !== "string" ||
    name.includes(".") ||
    type === undefined ||
    another !== undefined
  ) {
    return undefined;
  }
  const options = readTexts(objectAt(volume, type), known ?? []);
  const mountPath = textAt(mount, "mountPath");
  const more = readTexts(without(mount, ["name", "mountPath"]), ["subPath", "readOnly"]);
  if (!known || mountPath === undefined || !options || !more) return undefined;
  const prefix = `spark.kubernetes.${role}.volumes.${type}.${name}`;
  return [
    [`${prefix}.mount.path`, mountPath],
    ...more.map(([field, text]) => [`${prefix}.mount.${field}`, text] as const),
    ...options.map(([field, text]) => [`${prefix}.options.${field}`, text] as const),
  ];
}

/** Returns the fields as strings, without default values. Undefined if a field is not in `names` or is an object. */
function readTexts(
  fields: JsonObject,
  names: readonly string[],
): readonly (readonly [string, string])[] | undefined {
  const texts: (readonly [string, string])[] = [];
  for (const [field, value] of Object.entries(fields)) {
    // Skips default values such as `readOnly: false`.
    if (value === null || value === false || value === "") continue;
    if (!names.includes(field) || typeof value === "object") return undefined;
    texts.push([field, textOf(value)]);
  }
  return texts;
}

const without = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const textOf = (value: Json): string => `${typeof value === "object" ? "" : value}`;
