import { planRestart } from "../../spark/operator/operatorPlan.ts";
import type { Manifest } from "../../spark/submit/plan/manifest.ts";
import type { Application } from "../../spark/pods/application.ts";
import {
  decodeOperatorResource,
  type OperatorResource,
  type ResourceName,
} from "../../spark/pods/operatorResource.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { noAnswer, type ClusterError } from "../clusterError.ts";
import type { KnownObject } from "../lifecycle/deletePod.ts";
import {
  carryOutRequests,
  type OperatorFailure,
  type OperatorPorts,
} from "../lifecycle/operatorRequests.ts";
import type { ObjectApi, StoredObject } from "../ports/objects.ts";
import type { ResourceKind } from "../ports/resources.ts";
import { isAbort } from "../../base/isAbort.ts";

/** The custom resources by which operators run Spark applications. */
export const operatorKinds = [
  { operator: "kubeflow", apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" },
  { operator: "kubeflow", apiVersion: "sparkoperator.k8s.io/v1alpha1", kind: "SparkConnect" },
  { operator: "apache", apiVersion: "spark.apache.org/v1", kind: "SparkApplication" },
] as const satisfies readonly (ResourceKind & Pick<ResourceName, "operator">)[];

/** Returns the custom resource as an API object. Deleting it ends its pods, and the operator starts no others. */
export function resourceOf({
  operator,
  kind,
  namespace,
  name,
  uid,
}: OperatorResource): KnownObject {
  return { apiVersion: kindOf({ operator, kind })?.apiVersion ?? "", kind, namespace, name, uid };
}

const kindOf = ({ operator, kind }: Pick<ResourceName, "operator" | "kind">) =>
  operatorKinds.find((one) => one.operator === operator && one.kind === kind);

/**
 * Reads the custom resource from which an operator started the application. Undefined if no operator started it, or
 * the resource was deleted.
 */
export async function readOperated(
  objects: Pick<ObjectApi, "read">,
  { origin: { operator }, namespace }: Pick<Application, "origin" | "namespace">,
  signal: AbortSignal,
): Promise<Result<OperatorResource | undefined, ClusterError>> {
  const known = operator && kindOf(operator);
  if (operator === undefined || known === undefined) return ok(undefined);
  const { apiVersion, kind } = known;
  const read = await objects.read({ apiVersion, kind, namespace, name: operator.name }, signal);
  if (read.ok) return ok(decodeOperatorResource(apiVersion, kind, read.value.body));
  return read.error.kind === "notFound" ? ok(undefined) : read;
}

/**
 * Suspends or resumes the application through its operator. Returns `invalid` if another resource has the name now.
 */
export function setSuspended(
  objects: ObjectApi,
  resource: OperatorResource,
  suspend: boolean,
  signal: AbortSignal,
): Promise<Result<StoredObject, ClusterError>> {
  const options = { charset: false, fieldValidation: "Strict", dryRun: false } as const;
  // The uid is immutable, so the server rejects the patch if it differs.
  const patch = { metadata: { uid: resource.uid }, spec: { suspend } };
  return objects.patch(resourceOf(resource), patch, options, signal);
}

interface RestartFailure {
  readonly failure: OperatorFailure;
  /** The manifest, so that the user can create the resource again. Set if it is deleted or being deleted. */
  readonly lost: Manifest | undefined;
}

/**
 * Deletes the custom resource and creates it again from its stored manifest, so that the operator restarts the
 * application.
 */
export async function restartOperated(
  resource: OperatorResource,
  ports: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<StoredObject | undefined, RestartFailure>> {
  const object = resourceOf(resource);
  const stored = await ports.objects.read(object, signal);
  const refused = (error: ClusterError, isDeleted: boolean): OperatorFailure => ({
    kind: "refused",
    ...{ object, error, isDeleted },
  });
  if (!stored.ok) return err({ failure: refused(stored.error, false), lost: undefined });
  const { requests, manifest } = planRestart({ ...stored.value, uid: resource.uid });
  try {
    const done = await carryOutRequests(requests, resource.namespace, ports, signal);
    if (done.ok) return done;
    return err({ failure: done.error, lost: isLost(done.error) ? manifest : undefined });
  } catch (error) {
    if (!signal.aborted && !isAbort(error)) throw error;
    // The request was interrupted, so it is unknown whether the server carried it out.
    const detail = signal.aborted
      ? "the server did not respond in time"
      : "the connection was closed";
    return err({ failure: refused(noAnswer(detail), true), lost: manifest });
  }
}

// The creation passed a dry run before the deletion. A conflict therefore means that another client has created an
// object with the same name.
const isLost = (failure: OperatorFailure): boolean =>
  failure.kind === "stillThere" ||
  failure.kind === "alreadyThere" ||
  (failure.kind === "refused" && failure.isDeleted);
