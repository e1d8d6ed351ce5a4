import { assertNever } from "../../../../base/assertNever.ts";
import { append, editObject, textAt } from "../../json.ts";
import type { JsonObject } from "../../manifest.ts";
import { objectAt } from "../../json.ts";
import { checkMountPaths, parseVolumes, type ConfVolume } from "../../volumes.ts";
import { addFindings, type ExecutorContext, type ExecutorSpec } from "../executorSpec.ts";

/** Mounts the volumes of the conf. Claims on demand are named after the executor's pod. */
export function executorVolumes(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const { value: volumes, findings } = parseVolumes(
    context.application.conf,
    "executor",
    context.traits,
  );
  const podName = textAt(objectAt(spec.pod, "metadata"), "name") ?? "";
  const made = {
    ...spec,
    pod: editObject(spec.pod, "spec", (own) =>
      append(
        own,
        "volumes",
        volumes.map((volume, index) => ({
          name: volume.name,
          ...sourceOf(volume, `${podName}-pvc-${index}`, context.executorId),
        })),
      ),
    ),
    container: append(
      spec.container,
      "volumeMounts",
      // Spark writes the zero values too.
      volumes.map(({ name, mountPath, readOnly, subPath, subPathExpr }) => ({
        name,
        mountPath,
        readOnly,
        subPath,
        ...(context.traits.hasVolumeExtras ? { subPathExpr } : {}),
      })),
    ),
  };
  return addFindings(made, [...findings, ...checkMountPaths(volumes)]);
}

function sourceOf(
  { source, readOnly }: ConfVolume,
  onDemandName: string,
  executorId: string,
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
    case "persistentVolumeClaim": {
      const claimName = source.claimName
        .replaceAll("OnDemand", onDemandName)
        .replaceAll("SPARK_EXECUTOR_ID", executorId);
      return { persistentVolumeClaim: { claimName, readOnly } };
    }
    default:
      return assertNever(source);
  }
}
