import { appSelectorLabel } from "../labels.ts";
import { hasEndedPod, type Application } from "./application.ts";

/**
 * True if the application's resources are still in use. External drivers are invisible, so live
 * executors count as use. A foreign owner pod that exists is found in the full pod list.
 */
export function isActive({ driver, state, live }: Application): boolean {
  if (driver !== undefined) return !hasEndedPod(driver);
  if (state.kind === "driverElsewhere" && state.owner !== undefined) return false;
  return state.kind !== "orphaned" && live.size > 0;
}

/**
 * As `isActive`, but only if confirmed by a driver pod: executors without an owner may belong to an
 * external driver, or may be leftovers.
 */
export const isSeenActive = (application: Application): boolean =>
  isActive(application) &&
  (application.state.kind !== "driverElsewhere" || application.origin.isConnect);

/**
 * The application id and driver uid, if the driver pod was deleted before its executors. Operators
 * recreate the pods of Connect servers.
 */
export function lostDriverOf({
  state,
  past,
  origin,
}: Application): readonly [id: string, uid: string] | undefined {
  const pod = state.kind === "orphaned" && !origin.isConnect ? past.driver?.pod : undefined;
  const id = pod?.labels[appSelectorLabel];
  return pod === undefined || id === undefined ? undefined : [id, pod.uid];
}
