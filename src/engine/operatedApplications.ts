import { planRestart } from "../spark/operator/operatorPlan.ts";
import type { OperatorResource, ResourceName } from "../spark/pods/operatorResource.ts";
import { err, type Result } from "../base/result.ts";
import type { ClusterError } from "./clusterError.ts";
import type { KnownObject } from "./deletePod.ts";
import { carryOutRequests, type OperatorFailure, type OperatorPorts } from "./operatorRequests.ts";
import type { ObjectApi, ResourceKind, StoredObject } from "./ports.ts";

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

/** Has the operator end the application, or start it anew, and keep the custom resource. */
export function setSuspended(
  objects: ObjectApi,
  resource: OperatorResource,
  suspend: boolean,
  signal: AbortSignal,
): Promise<Result<StoredObject, ClusterError>> {
  const options = { charset: false, fieldValidation: "Strict", dryRun: false } as const;
  return objects.patch(objectOf(resource), { spec: { suspend } }, options, signal);
}

/** Deletes the custom resource and makes it again as it is stored, so that its operator runs it from the start. */
export async function restartOperated(
  resource: OperatorResource,
  ports: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<StoredObject | undefined, OperatorFailure>> {
  const object = objectOf(resource);
  const stored = await ports.objects.read(object, signal);
  if (!stored.ok) {
    return err({ kind: "refused", object, error: stored.error, isDeleted: false });
  }
  return carryOutRequests(planRestart(stored.value.body), resource.namespace, ports, signal);
}
