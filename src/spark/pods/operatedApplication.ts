import { noExecutors, type Application, isAlive } from "./application.ts";
import { resourceKeyOf, type OperatorResource } from "./operatorResource.ts";
import { emptyOrdered } from "./ordered.ts";

/** The key of the custom resource from which an application was made; undefined for one that is the resource. */
export function linkOf(application: Application | undefined): string | undefined {
  if (application === undefined || application.state.kind === "operated") return undefined;
  const { operator } = application.origin;
  return operator && resourceKeyOf(application.namespace, operator);
}

/** The application with what its operator says. The same object where that is no news. */
export const joinResource = (
  application: Application,
  resource: OperatorResource | undefined,
): Application => (application.resource === resource ? application : { ...application, resource });

/** Whether its operator can end it now and keep it to be resumed: only one of the operators knows that. */
export const canBeSuspended = ({ resource }: Application): boolean =>
  resource?.operator === "kubeflow" &&
  resource.kind === "SparkApplication" &&
  !resource.hasEnded &&
  resource.outlook !== "suspended";

export const isSuspended = ({ resource }: Application): boolean =>
  resource?.operator === "kubeflow" && resource.outlook === "suspended";

/** Whether what is left of it is of an attempt after which its operator has begun another: the resource is that one's. */
export function isEarlierAttempt(application: Application): boolean {
  const { driver, resource, id } = application;
  if (resource === undefined || driver === undefined || isAlive(application)) return false;
  const { applicationId, driverPod } = resource;
  if (applicationId !== undefined) return applicationId !== id;
  return driverPod !== undefined && driverPod !== driver.pod.name;
}

/**
 * Whether a resource needs a row of its own: while it has no pods, or is at work on another attempt than
 * those of which pods are left.
 */
export function standsAlone(resource: OperatorResource, runs: readonly Application[]): boolean {
  if (runs.length === 0) return true;
  if (resource.hasEnded || runs.some(isAlive)) return false;
  const { applicationId } = resource;
  const isKnown = applicationId !== undefined && runs.some(({ id }) => id === applicationId);
  return applicationId !== undefined && !isKnown;
}

/** An application of which there are no pods yet, or no more. */
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
    lastFinishedAt: undefined,
    driver: undefined,
    setProfiles: [],
  },
  state: { kind: "operated", resource },
  resource,
  formerKeys: [],
});
