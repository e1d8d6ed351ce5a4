import { appSelectorLabel } from "../labels.ts";
import { hasEndedPod, type Application } from "./application.ts";

/**
 * Whether what it uses must stay. A driver outside of the cluster cannot be seen: as long as its executors live, so may
 * it. Whether a pod that owns them and is none of Spark's is there is seen once all pods are listed.
 */
export function goesOn({ driver, state, live }: Application): boolean {
  if (driver !== undefined) return !hasEndedPod(driver);
  if (state.kind === "driverElsewhere" && state.owner !== undefined) return false;
  return state.kind !== "orphaned" && live.size > 0;
}

/**
 * Whether that is seen and not only taken for granted: executors that nobody owns may be those of a driver outside, and
 * may have been left by one whose pod was deleted alone.
 */
export const isSeenToGoOn = (application: Application): boolean =>
  goesOn(application) &&
  (application.state.kind !== "driverElsewhere" || application.origin.isConnect);

/**
 * The id of an application whose driver's pod was seen to go from its executors, and that pod's uid. An operator makes
 * up for the pod of a Connect server.
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
