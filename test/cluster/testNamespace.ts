import type { Connection } from "../../src/engine/ports.ts";
import type { Result } from "../../src/base/result.ts";
import type { Manifest } from "../../src/spark/submit/manifest.ts";

/** A namespace of a test's own, with a service account that may do what a driver needs. */
export interface TestNamespace {
  readonly name: string;
  readonly serviceAccount: string;
  remove(): Promise<void>;
}

const serviceAccount = "spark";
const deadlineMs = 20_000;

export async function makeTestNamespace(
  { objects }: Connection,
  name: string,
): Promise<TestNamespace> {
  const options = { dryRun: false, charset: false };
  const manifests: readonly Manifest[] = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: serviceAccount } },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: serviceAccount },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
      subjects: [{ kind: "ServiceAccount", name: serviceAccount, namespace: name }],
    },
  ];
  for (const manifest of manifests) {
    demand(await objects.create(name, manifest, options, AbortSignal.timeout(deadlineMs)));
  }
  return {
    name,
    serviceAccount,
    remove: async () => {
      demand(
        await objects.delete(
          { apiVersion: "v1", kind: "Namespace", namespace: name, name },
          { uid: undefined, propagationPolicy: "Background", gracePeriodSeconds: undefined },
          AbortSignal.timeout(deadlineMs),
        ),
      );
    },
  };
}

function demand(result: Result<unknown, { readonly kind: string; readonly detail: string }>): void {
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.detail}`);
}
