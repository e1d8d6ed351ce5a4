import { appSelectorLabel } from "../labels.ts";
import { hasEndedPod, type Application } from "./application.ts";

/**
 * True if the application's resources are still in use. External drivers are invisible, so live executors count as use.
 * False if a pod without Spark labels owns the executors, because only a full list of pods shows whether it exists.
 */
export function isActive({ driver, state, live }: Application): boolean {
  if (driver !== undefined) return !hasEndedPod(driver);
  if (state.kind === "driverElsewhere" && state.owner !== undefined) return false;
  return state.kind !== "orphaned" && live.size > 0;
}

/**
 * Like `isActive`, but only if a driver pod or a Connect server confirms it. Executors without an owner may belong to
 * an external driver, or may be leftovers.
 */
export const isConfirmedActive = (application: Application): boolean =>
  isActive(application) &&
  (application.state.kind !== "driverElsewhere" || application.origin.isConnect);

/**
 * Returns application id and driver uid if the driver pod was deleted before its executors. Undefined otherwise, and
 * for Connect servers, whose pods an operator recreates.
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
