import { noExecutors, type Application, isAlive } from "./application.ts";
import { resourceKeyOf, type OperatorResource } from "./operatorResource.ts";
import { emptyOrdered } from "./ordered.ts";

/**
 * The key of the custom resource of an application; undefined if the application is a resource
 * without pods.
 */
export function linkOf(application: Application | undefined): string | undefined {
  if (application === undefined || application.state.kind === "operated") return undefined;
  const { operator } = application.origin;
  return operator && resourceKeyOf(application.namespace, operator);
}

/** Joins the custom resource; returns the same object if nothing changed. */
export const joinResource = (
  application: Application,
  resource: OperatorResource | undefined,
): Application => (application.resource === resource ? application : { ...application, resource });

/** True if its operator can suspend and resume it: the Kubeflow operator only. */
export const canBeSuspended = ({ resource }: Application): boolean =>
  resource?.operator === "kubeflow" &&
  resource.kind === "SparkApplication" &&
  !resource.hasEnded &&
  resource.outlook !== "suspended";

export const isSuspended = ({ resource }: Application): boolean =>
  resource?.operator === "kubeflow" && resource.outlook === "suspended";

/** True if its pods belong to an earlier attempt than the one of the resource. */
export function isEarlierAttempt(application: Application): boolean {
  const { driver, resource, id } = application;
  if (resource === undefined || driver === undefined || isAlive(application)) return false;
  const { applicationId, driverPod } = resource;
  if (applicationId !== undefined) return applicationId !== id;
  return driverPod !== undefined && driverPod !== driver.pod.name;
}

/** True if a resource needs a row of its own: it has no pods, or only pods of earlier attempts. */
export function standsAlone(resource: OperatorResource, runs: readonly Application[]): boolean {
  if (runs.length === 0) return true;
  if (resource.hasEnded || runs.some(isAlive)) return false;
  const { applicationId } = resource;
  const isKnown = applicationId !== undefined && runs.some(({ id }) => id === applicationId);
  return applicationId !== undefined && !isKnown;
}

/** An application without pods. */
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
