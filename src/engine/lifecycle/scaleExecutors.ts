import { err, ok, type Result } from "../../base/result.ts";
import type { Application } from "../../spark/pods/application.ts";
import { possibleSetsOf, type ExecutorSet } from "../../spark/pods/executorSets.ts";
import { fieldsOf, itemsOf, numberOf } from "../../base/json.ts";
import type { ClusterError } from "../clusterError.ts";
import type { ObjectApi, ObjectReference, StoredObject } from "../ports/objects.ts";

/** A StatefulSet or Deployment that manages executors, as stored in the cluster. */
export interface FoundSet extends ExecutorSet {
  readonly namespace: string;
  /** Requested number of executors. */
  readonly replicas: number;
  readonly uid: string;
  /**
   * True if the set creates volume claims for its executors. By default, Kubernetes does not delete these claims with
   * the pods.
   */
  readonly hasClaims: boolean;
}

/**
 * Finds the StatefulSets or Deployments that manage an application's executors. Needs permission to `get` them. Empty
 * if the driver creates each executor pod.
 */
export async function findExecutorSets(
  objects: ObjectApi,
  application: Pick<Application, "id" | "namespace" | "profiles" | "past">,
  signal: AbortSignal,
): Promise<Result<readonly FoundSet[], ClusterError>> {
  const { namespace } = application;
  const reads = possibleSetsOf(application).map(async (set) => {
    const read = await objects.read(referenceTo(set, namespace), signal);
    if (!read.ok) return read.error.kind === "notFound" ? ok(undefined) : read;
    const spec = fieldsOf(fieldsOf(read.value.body)["spec"]);
    return ok<FoundSet>({
      ...set,
      namespace,
      replicas: replicasOf(read.value),
      uid: read.value.uid,
      hasClaims: itemsOf(spec["volumeClaimTemplates"]).length > 0,
    });
  });
  const all = await Promise.all(reads);
  const found = all.flatMap((read) => (read.ok ? (read.value ?? []) : []));
  // Ignore failed reads if at least one set was found, because that set can still be scaled.
  const refusal = found.length === 0 ? all.find((read) => !read.ok) : undefined;
  return refusal ?? ok(found);
}

const replicasOf = ({ body }: StoredObject): number =>
  numberOf(fieldsOf(fieldsOf(body)["spec"])["replicas"]) ?? 1;

/**
 * Sets the number of executors. Returns a `conflict` and changes nothing if the number has changed since the set was
 * found, because the driver may scale it, too. The same applies to a replaced set.
 */
export async function scaleExecutors(
  objects: ObjectApi,
  set: FoundSet,
  replicas: number,
  signal: AbortSignal,
): Promise<Result<void, ClusterError>> {
  const object = referenceTo(set, set.namespace);
  const options = { dryRun: false, charset: false, fieldValidation: "Strict" } as const;
  for (let left = attempts; ; left -= 1) {
    // Status updates change the version whenever an executor starts or ends, so read the current
    // one.
    const read = await objects.read(object, signal);
    if (!read.ok) return read;
    const now = replicasOf(read.value);
    if (read.value.uid !== set.uid || now !== set.replicas) {
      const detail = `it now requests ${now} replicas`;
      return err({ kind: "conflict", resource: resources[set.kind], name: set.name, detail });
    }
    const patch = { metadata: { resourceVersion: read.value.resourceVersion }, spec: { replicas } };
    const patched = await objects.patch(object, patch, options, signal);
    if (patched.ok) return ok(undefined);
    if (patched.error.kind !== "conflict" || left <= 1) return patched;
  }
}

const attempts = 5;

const resources = { StatefulSet: "statefulsets", Deployment: "deployments" } as const;

const referenceTo = ({ kind, name }: ExecutorSet, namespace: string): ObjectReference => ({
  apiVersion: "apps/v1",
  kind,
  namespace,
  name,
});
