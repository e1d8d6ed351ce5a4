import { err, ok, type Result } from "../base/result.ts";
import type { Application } from "../spark/pods/application.ts";
import { possibleSetsOf, type ExecutorSet } from "../spark/pods/executorSets.ts";
import { fieldsOf, itemsOf, numberOf } from "../spark/pods/fields.ts";
import type { ClusterError } from "./clusterError.ts";
import type { ObjectApi, ObjectReference } from "./ports.ts";

/** A set as the cluster has it. */
export interface FoundSet extends ExecutorSet {
  readonly namespace: string;
  /** How many executors it is to have. */
  readonly replicas: number;
  readonly resourceVersion: string;
  /** It makes volume claims for each of its executors, which nobody deletes. */
  readonly hasClaims: boolean;
}

/** Takes the right to `get statefulsets` and `deployments`. None where the driver makes each executor itself. */
export async function findExecutorSets(
  objects: ObjectApi,
  application: Pick<Application, "id" | "namespace" | "profiles">,
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
      replicas: numberOf(spec["replicas"]) ?? 1,
      resourceVersion: read.value.resourceVersion,
      hasClaims: itemsOf(spec["volumeClaimTemplates"]).length > 0,
    });
  });
  const found: FoundSet[] = [];
  for (const read of await Promise.all(reads)) {
    if (!read.ok) return read;
    if (read.value !== undefined) found.push(read.value);
  }
  return ok(found);
}

/**
 * Has the set make or end executors until there are so many. Changes nothing where the set is not as it was found: the
 * driver may have changed it meanwhile.
 */
export async function scaleExecutors(
  objects: ObjectApi,
  set: FoundSet,
  replicas: number,
  signal: AbortSignal,
): Promise<Result<void, ClusterError>> {
  const { namespace, resourceVersion } = set;
  const patch = { metadata: { resourceVersion }, spec: { replicas } };
  const options = { dryRun: false, charset: false, fieldValidation: "Strict" } as const;
  const patched = await objects.patch(referenceTo(set, namespace), patch, options, signal);
  return patched.ok ? ok(undefined) : err(patched.error);
}

const referenceTo = ({ kind, name }: ExecutorSet, namespace: string): ObjectReference => ({
  apiVersion: "apps/v1",
  kind,
  namespace,
  name,
});
