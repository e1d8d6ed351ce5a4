import type { Disposable } from "../../base/disposable.ts";
import type { ApiContext } from "../api/context.ts";
import type { KubeObject } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { items } from "../rules/podRules.ts";

const finalizer = "kubernetes.io/pvc-protection";

/** Delays the deletion of a PersistentVolumeClaim until no pod uses it. */
export function protectClaims({ objects }: ApiContext): Disposable {
  const isUsed = ({ metadata }: KubeObject): boolean =>
    objects.list("pods", metadata.namespace ?? "").some((pod) => {
      const phase = asObject(pod["status"])?.["phase"];
      if (phase === "Succeeded" || phase === "Failed") return false;
      return items(asObject(pod["spec"])?.["volumes"]).some(
        (volume) => asObject(volume["persistentVolumeClaim"])?.["claimName"] === metadata.name,
      );
    });

  const release = (claim: KubeObject): void => {
    const { finalizers = [], deletionTimestamp, name, namespace = "" } = claim.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer) || isUsed(claim)) return;
    objects.update({ resource: "persistentvolumeclaims", namespace, name }, (object) => {
      const { finalizers: all = [], ...metadata } = object.metadata;
      const rest = all.filter((one) => one !== finalizer);
      return {
        ...object,
        metadata: { ...metadata, ...(rest.length > 0 ? { finalizers: rest } : {}) },
      };
    });
  };

  return objects.onDidChange(({ kind, resource, object }) => {
    if (resource === "persistentvolumeclaims" && kind === "modified") release(object);
    if (resource !== "pods" || kind === "added") return;
    for (const claim of objects.list("persistentvolumeclaims", object.metadata.namespace ?? "")) {
      release(claim);
    }
  });
}
