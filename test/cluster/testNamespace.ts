import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "../../src/engine/ports/connection.ts";
import type { Result } from "../../src/base/result.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";

/**
 * A namespace for one test, ready for pods, with a service account that has the permissions of a
 * driver.
 */
export interface TestNamespace {
  readonly name: string;
  readonly serviceAccount: string;
  remove(): Promise<void>;
}

const serviceAccount = "spark";
const deadlineMs = 20_000;
const controllersDeadlineMs = 90_000;
const givenToEach = [
  ["ServiceAccount", "default"],
  ["ConfigMap", "kube-root-ca.crt"],
] as const;

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
  await untilPodsMayRun(objects, name);
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

/**
 * Waits for the default objects of a new namespace, which the cluster creates asynchronously. After a restart of the
 * API server this may take up to a minute. A cluster whose `default` namespace lacks an object, such as the sandbox,
 * never creates it, so it is not waited for.
 */
async function untilPodsMayRun(objects: Connection["objects"], name: string): Promise<void> {
  const deadline = AbortSignal.timeout(controllersDeadlineMs);
  const isThere = async (namespace: string, kind: string, called: string): Promise<boolean> => {
    const reference = { apiVersion: "v1", kind, namespace, name: called };
    const read = await objects.read(reference, deadline);
    if (!read.ok && read.error.kind !== "notFound") demand(read);
    return read.ok;
  };
  for (const [kind, called] of givenToEach) {
    if (!(await isThere("default", kind, called))) continue;
    while (!(await isThere(name, kind, called))) await wait(100, undefined, { signal: deadline });
  }
}

function demand(result: Result<unknown, { readonly kind: string; readonly detail: string }>): void {
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.detail}`);
}
