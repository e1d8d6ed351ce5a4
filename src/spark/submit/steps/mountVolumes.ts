import { assertNever } from "../../../base/assertNever.ts";
import { appSelectorLabel } from "../../labels.ts";
import {
  addFindings,
  type DriverContext,
  type DriverSpec,
  type OwnedObject,
} from "../driverSpec.ts";
import { append, editObject } from "../json.ts";
import type { JsonObject } from "../manifest.ts";
import { problems } from "../problems.ts";
import { readBoolean } from "../readConf.ts";
import type { Checked, SubmissionFinding } from "../submissionFinding.ts";
import { checkMountPaths, parseVolumes, type ConfVolume, type VolumeSource } from "../volumes.ts";

const onDemand = "OnDemand";

/** Mounts the volumes of the conf; makes the claims that have a storage class and a size. */
export function mountVolumes(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { value: volumes, findings } = parseVolumes(
    context.application.conf,
    "driver",
    context.traits,
  );
  const accessMode = claimAccessMode(context);
  const claims = volumes.flatMap((volume, index) =>
    claimOf(volume, index, accessMode.value, context),
  );
  return addFindings(
    {
      ...spec,
      pod: editObject(spec.pod, "spec", (own) =>
        append(
          own,
          "volumes",
          volumes.map(({ name, source, readOnly }, index) => ({
            name,
            ...volumeSource(source, readOnly, index, context),
          })),
        ),
      ),
      container: append(
        spec.container,
        "volumeMounts",
        volumes.map((volume) => mountOf(volume, context)),
      ),
      resources: [...spec.resources, ...claims.map(({ object }) => object)],
    },
    [
      ...findings,
      ...(claims.length > 0 ? accessMode.findings : []),
      ...checkMountPaths(volumes),
      ...claims.flatMap(({ warning }) => warning),
    ],
  );
}

// Spark writes the zero values too.
function mountOf(volume: ConfVolume, { traits }: DriverContext): JsonObject {
  return {
    name: volume.name,
    mountPath: volume.mountPath,
    readOnly: volume.readOnly,
    subPath: volume.subPath,
    ...(traits.hasVolumeExtras ? { subPathExpr: volume.subPathExpr } : {}),
  };
}

function volumeSource(
  source: VolumeSource,
  readOnly: boolean,
  index: number,
  context: DriverContext,
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
      return {
        persistentVolumeClaim: { claimName: claimName(source.claimName, index, context), readOnly },
      };
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
): readonly { readonly object: OwnedObject; readonly warning: readonly SubmissionFinding[] }[] {
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
