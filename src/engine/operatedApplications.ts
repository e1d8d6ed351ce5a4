import { planRestart } from "../spark/operator/operatorPlan.ts";
import type { Manifest } from "../spark/submit/manifest.ts";
import type { OperatorResource, ResourceName } from "../spark/pods/operatorResource.ts";
import { err, type Result } from "../base/result.ts";
import type { ClusterError } from "./clusterError.ts";
import type { KnownObject } from "./deletePod.ts";
import { carryOutRequests, type OperatorFailure, type OperatorPorts } from "./operatorRequests.ts";
import type { ObjectApi, ResourceKind, StoredObject } from "./ports.ts";
import { isAbort } from "./running.ts";

/** The kinds by which operators run Spark applications. */
export const operatorKinds = [
  { operator: "kubeflow", apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" },
  { operator: "kubeflow", apiVersion: "sparkoperator.k8s.io/v1alpha1", kind: "SparkConnect" },
  { operator: "apache", apiVersion: "spark.apache.org/v1", kind: "SparkApplication" },
] as const satisfies readonly (ResourceKind & Pick<ResourceName, "operator">)[];

/** The custom resource as the API knows it. To delete it ends what it runs: its operator starts nothing more. */
export function objectOf({ operator, kind, namespace, name, uid }: OperatorResource): KnownObject {
  const known = operatorKinds.find((one) => one.operator === operator && one.kind === kind);
  return { apiVersion: known?.apiVersion ?? "", kind, namespace, name, uid };
}

/**
 * Has the operator end the application, or start it anew, and keep the custom resource. Refused as invalid where
 * another resource has the name by now.
 */
export function setSuspended(
  objects: ObjectApi,
  resource: OperatorResource,
  suspend: boolean,
  signal: AbortSignal,
): Promise<Result<StoredObject, ClusterError>> {
  const options = { charset: false, fieldValidation: "Strict", dryRun: false } as const;
  // A uid cannot be changed, so that a patch with another one changes nothing.
  const patch = { metadata: { uid: resource.uid }, spec: { suspend } };
  return objects.patch(objectOf(resource), patch, options, signal);
}

export interface RestartFailure {
  readonly failure: OperatorFailure;
  /** The resource to be made anew, where it is not in the cluster any more, or will soon not be. */
  readonly lost: Manifest | undefined;
}

/** Deletes this very resource and makes it again as it is stored, so that its operator runs it from the start. */
export async function restartOperated(
  resource: OperatorResource,
  ports: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<StoredObject | undefined, RestartFailure>> {
  const object = objectOf(resource);
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
    // At which of the requests nobody knows.
    const detail = signal.aborted ? "no answer came in time" : "the connection was closed";
    const closed = { kind: "unreachable", server: "", detail, requestSent: true } as const;
    return err({ failure: refused(closed, true), lost: manifest });
  }
}

// Before a deletion the creation is tried: whoever has the name after that has taken it from the one that went.
const isLost = (failure: OperatorFailure): boolean =>
  failure.kind === "stillThere" ||
  failure.kind === "alreadyThere" ||
  (failure.kind === "refused" && failure.isDeleted);
