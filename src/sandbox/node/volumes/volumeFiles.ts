// Contents of volumes from ConfigMaps, Secrets, the downward API and projections.
import { err, ok, type Result } from "../../../base/result.ts";
import { fieldsOf, itemsOf, numberOf, textOf, type Fields } from "../../../base/json.ts";
import type { ConfigSources } from "../env/containerEnv.ts";
import { podFieldValue, resourceValue, type PodFacts } from "../env/fieldValue.ts";

export interface VolumeFile {
  /** Relative path with `/` separators. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** True if container paths and host names in the content must be rewritten. */
  readonly isMapped: boolean;
  /** True if the mode has an execute permission. */
  readonly isExecutable: boolean;
}

interface VolumeWorld {
  readonly holdings: ConfigSources;
  readonly facts: PodFacts;
  readonly token: () => string;
  /** PEM certificate of the API server's authority. */
  readonly authority: string;
}

/** The volume types whose files have contents from API objects. */
export const madeOfFiles: ReadonlySet<string> = new Set([
  "configMap",
  "secret",
  "downwardAPI",
  "projected",
]);

/** Returns the files of a volume. The error is the message for `MountVolume.SetUp failed`. */
export function volumeFiles(
  kind: string,
  source: Fields,
  world: VolumeWorld,
): Result<readonly VolumeFile[], string> {
  switch (kind) {
    case "configMap":
      return heldFiles("configMap", textOf(source["name"]) ?? "", source, world);
    case "secret":
      // Secret volumes use the field `secretName`, projected sources use `name`.
      return heldFiles(
        "secret",
        textOf(source["secretName"] ?? source["name"]) ?? "",
        source,
        world,
      );
    case "downwardAPI":
      return downwardFiles(source, world);
    case "serviceAccountToken":
      return ok([textFile(textOf(source["path"]) ?? "token", world.token())]);
    case "projected":
      return together(
        itemsOf(source["sources"])
          .flatMap((one) => Object.entries(fieldsOf(one)))
          .map(([part, inner]) => volumeFiles(part, fieldsOf(inner), world)),
      );
    default:
      return err(`the sandbox does not support volumes of type "${kind}"`);
  }
}

function heldFiles(
  kind: "configMap" | "secret",
  name: string,
  source: Fields,
  { holdings, authority }: VolumeWorld,
): Result<readonly VolumeFile[], string> {
  const isOptional = source["optional"] === true;
  const held =
    holdings[kind](name) ?? (name === "kube-root-ca.crt" ? rootOf(authority) : undefined);
  if (held === undefined) {
    return isOptional ? ok([]) : err(`${kind.toLowerCase()} ${JSON.stringify(name)} not found`);
  }
  const isMapped = kind === "configMap";
  const items = source["items"];
  if (items === undefined || items === null) {
    const isExecutable = hasExecuteBit(source["defaultMode"]);
    return ok([...held].map(([path, bytes]) => ({ path, bytes, isMapped, isExecutable })));
  }
  const files: VolumeFile[] = [];
  for (const item of itemsOf(items).map(fieldsOf)) {
    const key = textOf(item["key"]) ?? "";
    const bytes = held.get(key);
    const isExecutable = hasExecuteBit(item["mode"] ?? source["defaultMode"]);
    if (bytes !== undefined) {
      files.push({ path: textOf(item["path"]) ?? key, bytes, isMapped, isExecutable });
    } else if (!isOptional) {
      return err(
        `${kind.toLowerCase()} references non-existent ${kind === "secret" ? "secret" : "config"} key: ${key}`,
      );
    }
  }
  return ok(files);
}

const rootOf = (authority: string): ReadonlyMap<string, Uint8Array> =>
  new Map([["ca.crt", Buffer.from(authority)]]);

function downwardFiles(
  source: Fields,
  { facts }: VolumeWorld,
): Result<readonly VolumeFile[], string> {
  const files: VolumeFile[] = [];
  for (const item of itemsOf(source["items"]).map(fieldsOf)) {
    const value =
      item["fieldRef"] === undefined
        ? resourceValue(fieldsOf(item["resourceFieldRef"]), undefined, facts)
        : podFieldValue(fieldsOf(item["fieldRef"]), facts);
    if (value === undefined) return err("the downward API does not support this field");
    files.push(textFile(textOf(item["path"]) ?? "", value));
  }
  return ok(files);
}

const textFile = (path: string, text: string): VolumeFile => ({
  path,
  bytes: Buffer.from(text),
  isMapped: false,
  isExecutable: false,
});

const hasExecuteBit = (mode: unknown): boolean => ((numberOf(mode) ?? 0) & 0o111) !== 0;

function together(
  parts: readonly Result<readonly VolumeFile[], string>[],
): Result<readonly VolumeFile[], string> {
  const files: VolumeFile[] = [];
  for (const part of parts) {
    if (!part.ok) return part;
    files.push(...part.value);
  }
  return ok(files);
}
