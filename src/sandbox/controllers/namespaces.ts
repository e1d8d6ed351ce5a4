import type { Disposable } from "../../base/disposable.ts";
import type { ApiContext } from "../api/context.ts";
import { remove } from "../api/deletion.ts";
import { leaveOut, type KubeObject } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";

/** Creates the default objects of each namespace, and empties namespaces that are being deleted. */
export function keepNamespaces(context: ApiContext): Disposable {
  const { objects, kinds, authority } = context;

  const addDefaults = (namespace: string): void => {
    objects.create("serviceaccounts", {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "default", namespace },
    });
    objects.create("configmaps", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "kube-root-ca.crt", namespace },
      data: { "ca.crt": authority },
    });
  };

  const empty = (namespace: KubeObject): void => {
    const { name } = namespace.metadata;
    let isEmpty = true;
    for (const kind of kinds.all().filter(({ namespaced }) => namespaced)) {
      for (const object of objects.list(kind.resource, name)) {
        if (object.metadata.deletionTimestamp === undefined) {
          remove(context, kind, object, {
            gracePeriodSeconds: undefined,
            propagationPolicy: "Background",
            uid: undefined,
            resourceVersion: undefined,
            dryRun: false,
          });
        }
        const key = { resource: kind.resource, namespace: name, name: object.metadata.name };
        if (objects.get(key) !== undefined) isEmpty = false;
      }
    }
    if (!isEmpty) return;
    const key = { resource: "namespaces", namespace: "", name };
    // Remove only the finalizers in `spec`. Other controllers must remove those in `metadata`.
    objects.update(key, (present) => {
      const spec = asObject(present["spec"]) ?? {};
      return spec["finalizers"] === undefined
        ? present
        : { ...present, spec: leaveOut(spec, "finalizers") };
    });
    objects.remove(key);
  };

  return objects.onDidChange(({ kind, resource, object }) => {
    if (resource === "namespaces") {
      if (kind === "added") addDefaults(object.metadata.name);
      else if (kind === "modified" && object.metadata.deletionTimestamp !== undefined)
        empty(object);
    } else if (kind === "deleted") {
      const name = object.metadata.namespace ?? "";
      const namespace = objects.get({ resource: "namespaces", namespace: "", name });
      if (namespace === undefined) return;
      if (namespace.metadata.deletionTimestamp !== undefined) empty(namespace);
      else if (resource === "serviceaccounts" && object.metadata.name === "default")
        addDefaults(name);
    }
  });
}
