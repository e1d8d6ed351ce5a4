// Backs each PersistentVolumeClaim with a local folder, regardless of its storage class.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Disposable } from "../../base/disposable.ts";
import { fieldsOf } from "../../base/json.ts";
import type { Objects } from "../api/objects.ts";
import type { JsonValue, JsonMembers, KubeObject } from "../kubeObject.ts";
import { statusOf } from "./conditions.ts";

const claims = "persistentvolumeclaims";

/** Deletes the folder and the PersistentVolume of each deleted claim until disposed. */
export function dropClaims(objects: Objects, folder: string): Disposable {
  return objects.onDidChange(({ resource, kind, object }) => {
    if (resource !== claims || kind !== "deleted") return;
    objects.remove({ resource: "persistentvolumes", namespace: "", name: volumeName(object) });
    // On failure, the files are deleted with the sandbox's folder.
    rm(join(folder, "claims", object.metadata.uid ?? ""), { recursive: true, force: true }).catch(
      () => undefined,
    );
  });
}

const volumeName = ({ metadata: { uid = "" } }: KubeObject): string => `pvc-${uid}`;

/** Binds a claim to a new volume, unless it is bound. Called when a pod is scheduled, as for `WaitForFirstConsumer`. */
export function bindClaim(objects: Objects, claim: KubeObject): void {
  if (statusOf(claim)["phase"] === "Bound") return;
  const { name, namespace = "", uid = "" } = claim.metadata;
  const spec = fieldsOf(claim["spec"]) as JsonMembers;
  const modes: JsonValue = spec["accessModes"] ?? [];
  const capacity = (fieldsOf(spec["resources"])["requests"] ?? {}) as JsonValue;
  objects.create("persistentvolumes", {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: volumeName(claim) },
    spec: {
      capacity,
      accessModes: modes,
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: spec["storageClassName"] ?? "",
      volumeMode: "Filesystem",
    },
    status: { phase: "Bound" },
  });
  objects.update({ resource: claims, namespace, name }, (present) => ({
    ...present,
    spec: { ...(fieldsOf(present["spec"]) as JsonMembers), volumeName: volumeName(claim) },
    status: { ...statusOf(present), phase: "Bound", accessModes: modes, capacity },
  }));
}
