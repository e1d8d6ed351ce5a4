import { objectAt, textAt } from "../submit/json.ts";
import type { Json, JsonObject } from "../submit/manifest.ts";
import type { Role } from "./kubeflowFields.ts";

/** The types of volumes that have conf keys, with the options that have. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  emptyDir: ["medium", "sizeLimit"],
  hostPath: ["path", "type"],
  nfs: ["path", "server"],
  persistentVolumeClaim: ["claimName"],
};

/** The conf entries that mount the volume; undefined where they cannot say all of it. */
export function readVolume(
  volume: JsonObject,
  mount: JsonObject,
  role: Role,
): readonly (readonly [string, string])[] | undefined {
  const { name, ...sources } = volume;
  const [type, another] = Object.keys(sources);
  const known = type === undefined ? undefined : optionsOf[type];
  // A dot would end the name within the key.
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

/** The fields as texts; undefined if there is one that is not among the names. */
function readTexts(
  fields: JsonObject,
  names: readonly string[],
): readonly (readonly [string, string])[] | undefined {
  const texts: (readonly [string, string])[] = [];
  for (const [field, value] of Object.entries(fields)) {
    // `readOnly: false` is what there is without it.
    if (value === null || value === false || value === "") continue;
    if (!names.includes(field) || typeof value === "object") return undefined;
    texts.push([field, textOf(value)]);
  }
  return texts;
}

const without = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const textOf = (value: Json): string => `${typeof value === "object" ? "" : value}`;
