// Claims: each is a folder of this machine, whatever storage class it asks for.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Disposable } from "../../base/disposable.ts";
import { fieldsOf } from "../../spark/pods/fields.ts";
import type { Objects } from "../api/objects.ts";
import type { Json, JsonObject, KubeObject } from "../kubeObject.ts";
import { statusOf } from "./conditions.ts";

const claims = "persistentvolumeclaims";

/** Takes the folders of claims away that are deleted. */
export function dropClaims(objects: Objects, folder: string): Disposable {
  return objects.onDidChange(({ resource, kind, object }) => {
    if (resource !== claims || kind !== "deleted") return;
    objects.remove({ resource: "persistentvolumes", namespace: "", name: volumeName(object) });
    // What cannot be taken away now goes with the sandbox's folder.
    rm(join(folder, "claims", object.metadata.uid ?? ""), { recursive: true, force: true }).catch(
      () => undefined,
    );
  });
}

const volumeName = ({ metadata: { uid = "" } }: KubeObject): string => `pvc-${uid}`;

/** Gives a claim its volume when its first pod comes, as storage classes with `WaitForFirstConsumer` do. */
export function bindClaim(objects: Objects, claim: KubeObject): void {
  if (statusOf(claim)["phase"] === "Bound") return;
  const { name, namespace = "", uid = "" } = claim.metadata;
  const spec = fieldsOf(claim["spec"]) as JsonObject;
  const modes: Json = spec["accessModes"] ?? [];
  const capacity = (fieldsOf(spec["resources"])["requests"] ?? {}) as Json;
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
    spec: { ...(fieldsOf(present["spec"]) as JsonObject), volumeName: volumeName(claim) },
    status: { ...statusOf(present), phase: "Bound", accessModes: modes, capacity },
  }));
}
