import { msg } from "../../../base/message.ts";
import { entriesWithPrefix, type NamedEntry, type ResolvedConf } from "../conf/conf.ts";
import { problems } from "../plan/problems.ts";
import { isQuantity, parseJavaBoolean } from "../conf/sparkValues.ts";
import type { Checked, FindingOrigin, SubmissionFinding } from "../plan/submissionFinding.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

export type VolumeSource =
  | { readonly type: "hostPath"; readonly path: string; readonly hostPathType: string }
  | { readonly type: "nfs"; readonly path: string; readonly server: string }
  | { readonly type: "emptyDir"; readonly medium: string; readonly sizeLimit: string | undefined }
  | {
      readonly type: "persistentVolumeClaim";
      readonly claimName: string;
      readonly storageClass: string | undefined;
      readonly sizeLimit: string | undefined;
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };

export interface ConfVolume {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
  readonly subPath: string;
  readonly subPathExpr: string;
  readonly source: VolumeSource;
  /**
   * The origin of the conf entry with the mount path. Without that entry: the origin of another entry of the volume.
   */
  readonly origin: FindingOrigin | undefined;
  readonly mountKey: string;
}

const volumeTypes = ["hostPath", "nfs", "emptyDir", "persistentVolumeClaim"] as const;

/** Parses `spark.kubernetes.<role>.volumes.*`. Returns a volume for each type and name, and reports unknown types. */
export function parseVolumes(
  conf: ResolvedConf,
  role: "driver" | "executor",
  traits: VersionTraits,
): Checked<readonly ConfVolume[]> {
  const prefix = `spark.kubernetes.${role}.volumes.`;
  const entries = new Map(
    entriesWithPrefix(conf, prefix).map((entry) => [entry.name, entry] as const),
  );
  const volumes: ConfVolume[] = [];
  const findings: SubmissionFinding[] = [];
  const seen = new Set<string>();
  for (const entry of entries.values()) {
    const [type, name] = entry.name.split(".");
    if (type === undefined || name === undefined || seen.has(`${type}.${name}`)) continue;
    seen.add(`${type}.${name}`);
    const known = volumeTypes.find((candidate) => candidate === type);
    if (known === undefined) {
      findings.push(problems.unknownVolumeType(type, entry.key, entry.origin));
      continue;
    }
    const volume = parseVolume(entries, prefix, known, name, traits);
    findings.push(...volume.findings);
    if (volume.value) volumes.push(volume.value);
  }
  return { value: volumes, findings };
}

/** Reports volumes with the same mount path. Compares paths as strings: `/d` and `/d/` differ. */
export function checkMountPaths(volumes: readonly ConfVolume[]): readonly SubmissionFinding[] {
  return volumes
    .filter((volume, index) =>
      volumes.slice(0, index).some(({ mountPath }) => mountPath === volume.mountPath),
    )
    .map(({ mountPath, mountKey, origin }) =>
      problems.twoVolumesOnOnePath(mountPath, mountKey, origin),
    );
}

function parseVolume(
  entries: ReadonlyMap<string, NamedEntry>,
  prefix: string,
  type: VolumeSource["type"],
  name: string,
  traits: VersionTraits,
): Checked<ConfVolume | undefined> {
  const findings: SubmissionFinding[] = [];
  const anyOrigin = [...entries.values()].find((entry) =>
    entry.name.startsWith(`${type}.${name}.`),
  )?.origin;
  const optional = (rest: string): NamedEntry | undefined => entries.get(`${type}.${name}.${rest}`);
  const required = (rest: string): string => {
    const entry = optional(rest);
    if (entry) return entry.value;
    findings.push(problems.missingVolumeKey(`${prefix}${type}.${name}.${rest}`, anyOrigin));
    return "";
  };
  const labelsOf = (family: "label" | "annotation"): Readonly<Record<string, string>> =>
    traits.hasVolumeExtras ? recordUnder(entries, `${type}.${name}.${family}.`) : {};

  const readOnly = optional("mount.readOnly");
  const isReadOnly = parseJavaBoolean(readOnly?.value ?? "false");
  if (readOnly && isReadOnly === undefined) {
    findings.push(
      problems.badValue(readOnly.key, readOnly.value, msg("true or false"), readOnly.origin),
    );
  }
  const subPathExpr = traits.hasVolumeExtras ? optional("mount.subPathExpr") : undefined;
  if (subPathExpr && optional("mount.subPath")) {
    findings.push(problems.twoSubPaths(subPathExpr.key, subPathExpr.origin));
  }
  const sizeLimit = (): string | undefined => {
    const entry = optional("options.sizeLimit");
    if (entry === undefined) return undefined;
    const bare =
      traits.hasVolumeExtras && /^[0-9]+$/.test(entry.value) ? BigInt(entry.value) : undefined;
    if (!isQuantity(entry.value) || (bare !== undefined && bare >= 2n ** 63n)) {
      findings.push(
        problems.badValue(entry.key, entry.value, msg("a size such as 10Gi"), entry.origin),
      );
    } else if (bare !== undefined && bare < 1024n) {
      findings.push(problems.sizeWithoutUnit(entry.value, entry.key, entry.origin));
    }
    return entry.value;
  };
  const sourceOf = (): VolumeSource => {
    switch (type) {
      case "hostPath":
        return {
          type,
          path: required("options.path"),
          hostPathType: traits.hasVolumeExtras ? (optional("options.type")?.value ?? "") : "",
        };
      case "nfs":
        return { type, path: required("options.path"), server: required("options.server") };
      case "emptyDir":
        return {
          type,
          medium: optional("options.medium")?.value ?? "",
          sizeLimit: sizeLimit(),
        };
      case "persistentVolumeClaim":
        return {
          type,
          claimName: required("options.claimName"),
          storageClass: optional("options.storageClass")?.value,
          sizeLimit: sizeLimit(),
          labels: labelsOf("label"),
          annotations: labelsOf("annotation"),
        };
    }
  };
  const mountPath = required("mount.path");
  const source = sourceOf();
  const volume: ConfVolume = {
    name,
    mountPath,
    readOnly: isReadOnly ?? false,
    subPath: optional("mount.subPath")?.value ?? "",
    subPathExpr: subPathExpr?.value ?? "",
    source,
    origin: optional("mount.path")?.origin ?? anyOrigin,
    mountKey: `${prefix}${type}.${name}.mount.path`,
  };
  return { value: volume, findings };
}

function recordUnder(
  entries: ReadonlyMap<string, NamedEntry>,
  prefix: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...entries.values()]
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ name, value }) => [name.slice(prefix.length), value]),
  );
}
