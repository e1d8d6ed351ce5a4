import { noExecutors, type Application, isAlive } from "./application.ts";
import { resourceKeyOf, type OperatorResource } from "./operatorResource.ts";
import { emptyOrdered } from "./ordered.ts";

/**
 * Returns the key of the application's custom resource. Undefined without an operator, and if the application is itself
 * a resource without pods.
 */
export function linkedResourceKey(application: Application | undefined): string | undefined {
  if (application === undefined || application.state.kind === "operated") return undefined;
  const { operator } = application.origin;
  return operator && resourceKeyOf(application.namespace, operator);
}

/** Returns the application with its custom resource; the same object if nothing changed. */
export const joinResource = (
  application: Application,
  resource: OperatorResource | undefined,
): Application => (application.resource === resource ? application : { ...application, resource });

/** True if the operator can suspend the application. Only the Kubeflow operator can. */
export const canBeSuspended = ({ resource }: Application): boolean =>
  resource?.operator === "kubeflow" &&
  resource.kind === "SparkApplication" &&
  !resource.hasEnded &&
  resource.outlook !== "suspended";

export const isSuspended = ({ resource }: Application): boolean =>
  resource?.operator === "kubeflow" && resource.outlook === "suspended";

/** True if the application's pods belong to an earlier attempt than the resource's current one. */
export function isEarlierAttempt(application: Application): boolean {
  const { driver, resource, id } = application;
  if (resource === undefined || driver === undefined || isAlive(application)) return false;
  const { applicationId, driverPod } = resource;
  if (applicationId !== undefined) return applicationId !== id;
  return driverPod !== undefined && driverPod !== driver.pod.name;
}

/** True if a resource needs its own row: it has no pods, or only pods of earlier attempts. */
export function needsOwnRow(resource: OperatorResource, runs: readonly Application[]): boolean {
  if (runs.length === 0) return true;
  if (resource.hasEnded || runs.some(isAlive)) return false;
  const { applicationId } = resource;
  const isKnown = applicationId !== undefined && runs.some(({ id }) => id === applicationId);
  return applicationId !== undefined && !isKnown;
}

/** Builds an application without pods from its custom resource. */
export const applicationOfResource = (key: string, resource: OperatorResource): Application => ({
  key,
  namespace: resource.namespace,
  id: resource.applicationId ?? resource.name,
  name: resource.name,
  createdAt: resource.creationTimestamp,
  origin: {
    operator: resource,
    isConnect: resource.kind === "SparkConnect",
    user: undefined,
  },
  driver: undefined,
  live: emptyOrdered,
  ended: emptyOrdered,
  counts: noExecutors,
  formerIds: new Map(),
  profiles: [],
  past: {
    firstSeen: resource.creationTimestamp,
    highestId: 0,
    failed: 0,
    finished: 0,
    lastFailed: undefined,
    lastDeleted: undefined,
    lastFinishedAt: undefined,
    driver: undefined,
    setProfiles: [],
  },
  state: { kind: "operated", resource },
  resource,
  formerKeys: [],
});
