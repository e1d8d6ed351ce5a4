import { assertNever } from "../../../../base/assertNever.ts";
import { appSelectorLabel } from "../../../labels.ts";
import type { DriverContext, DriverSpec, DriverOwnedObject } from "../driverSpec.ts";
import type { JsonObject } from "../../../../base/json.ts";
import { addFindings, addVolumes, type PodSpec } from "../podSpec.ts";
import { problems } from "../../plan/problems.ts";
import { readBoolean } from "../../conf/readConf.ts";
import type { Checked, SubmissionFinding } from "../../plan/submissionFinding.ts";
import type { VersionTraits } from "../../conf/versionTraits.ts";
import { checkMountPaths, parseVolumes, type ConfVolume, type VolumeSource } from "../volumes.ts";

const onDemand = "OnDemand";

/** Mounts the volumes of the conf. Adds the claims that have a storage class and a size to the objects to create. */
export function mountVolumes(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { application, traits } = context;
  const { value: volumes, findings } = parseVolumes(application.conf, "driver", traits);
  const accessMode = claimAccessMode(context);
  const claims = volumes.flatMap((volume, index) =>
    claimOf(volume, index, accessMode.value, context),
  );
  const mounted = addConfVolumes(
    addFindings(spec, [...findings, ...(claims.length > 0 ? accessMode.findings : [])]),
    volumes,
    traits,
    (template, index) => claimName(template, index, context),
  );
  return addFindings(
    { ...mounted, resources: [...mounted.resources, ...claims.map(({ object }) => object)] },
    claims.flatMap(({ warning }) => warning),
  );
}

/** Adds volumes and mounts. `nameClaim` returns a claim's name for the conf value and the volume's index. */
export function addConfVolumes<Spec extends PodSpec>(
  spec: Spec,
  volumes: readonly ConfVolume[],
  { hasVolumeExtras }: VersionTraits,
  nameClaim: (template: string, index: number) => string,
): Spec {
  const made = addVolumes(
    spec,
    volumes.map(({ name, source, readOnly }, index) => ({
      name,
      ...volumeSource(source, readOnly, (template) => nameClaim(template, index)),
    })),
    // Includes default values, because Spark sends them too.
    volumes.map(({ name, mountPath, readOnly, subPath, subPathExpr }) => ({
      name,
      mountPath,
      readOnly,
      subPath,
      ...(hasVolumeExtras ? { subPathExpr } : {}),
    })),
  );
  return addFindings(made, checkMountPaths(volumes));
}

function volumeSource(
  source: VolumeSource,
  readOnly: boolean,
  nameClaim: (template: string) => string,
): JsonObject {
  switch (source.type) {
    case "hostPath":
      return { hostPath: { path: source.path, type: source.hostPathType } };
    case "nfs":
      return { nfs: { path: source.path, server: source.server } };
    case "emptyDir": {
      const { medium, sizeLimit } = source;
      return { emptyDir: { medium, ...(sizeLimit === undefined ? {} : { sizeLimit }) } };
    }
    case "persistentVolumeClaim":
      return { persistentVolumeClaim: { claimName: nameClaim(source.claimName), readOnly } };
    default:
      return assertNever(source);
  }
}

function claimName(template: string, index: number, { identity }: DriverContext): string {
  return template.replaceAll(onDemand, `${identity.prefix}-driver-pvc-${index}`);
}

function claimOf(
  { source, origin, mountKey }: ConfVolume,
  index: number,
  accessMode: string,
  context: DriverContext,
): readonly {
  readonly object: DriverOwnedObject;
  readonly warning: readonly SubmissionFinding[];
}[] {
  if (source.type !== "persistentVolumeClaim") return [];
  const { storageClass, sizeLimit, annotations } = source;
  if (storageClass === undefined || sizeLimit === undefined) return [];
  const name = claimName(source.claimName, index, context);
  const isNamedByUser = !source.claimName.includes(onDemand);
  const manifest = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      labels: { ...source.labels, [appSelectorLabel]: context.identity.applicationId },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: {
      accessModes: [accessMode],
      storageClassName: storageClass,
      resources: { requests: { storage: sizeLimit } },
    },
  };
  return [
    {
      object: { manifest, isNamedByUser },
      warning: isNamedByUser ? [problems.claimOwnership(name, mountKey, origin)] : [],
    },
  ];
}

function claimAccessMode(context: DriverContext): Checked<string> {
  const { traits } = context;
  if (!traits.hasLegacyAccessModeKey) return { value: traits.claimAccessMode, findings: [] };
  const isLegacy = readBoolean(
    context,
    "spark.kubernetes.legacy.useReadWriteOnceAccessMode",
    traits.claimAccessMode === "ReadWriteOnce",
  );
  return {
    value: isLegacy.value ? "ReadWriteOnce" : "ReadWriteOncePod",
    findings: isLegacy.findings,
  };
}
