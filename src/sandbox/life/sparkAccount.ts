import type { StoredResource } from "../api/objects.ts";
import type { KubeObject } from "../kubeObject.ts";

const name = "spark";
const namespace = "default";
const rbac = "rbac.authorization.k8s.io";

/** Returns the objects of a service account that may create executors, so that a first application needs no set-up. */
export const sparkAccount = (): readonly (readonly [StoredResource, KubeObject])[] => [
  ["serviceaccounts", { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } }],
  [
    `rolebindings.${rbac}`,
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { name, namespace },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "edit" },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
  ],
];
