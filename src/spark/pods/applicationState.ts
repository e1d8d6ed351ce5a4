import type { Application, ApplicationState } from "./application.ts";
import { firstOf } from "./ordered.ts";
import type { PodRecord } from "./podRecord.ts";

/**
 * The state of an application by its pods: that of the driver pod, or without one a conclusion from the executors.
 * `before`: returned again if it is still the state.
 */
export function applicationStateOf(
  { driver, live, past }: Pick<Application, "driver" | "live" | "past">,
  before?: ApplicationState,
): ApplicationState {
  if (driver !== undefined) return driver.state;
  const running = firstOf(live);
  // Kubernetes deletes the objects that a deleted driver pod owned, and executors end without their
  // driver.
  if (running === undefined || past.driver !== undefined || wouldBeSeen(running.pod)) {
    return { kind: "orphaned" };
  }
  const owner = running.pod.ownerPod;
  const isSame = before?.kind === "driverElsewhere" && before.owner === owner;
  return isSame ? before : { kind: "driverElsewhere", owner };
}

/**
 * True if the owning driver would be selected by the watch: Spark labels driver pods that it
 * creates, and their names have the same prefix as their executors.
 */
function wouldBeSeen({ name, ownerPod }: PodRecord): boolean {
  const prefix = /^(.+)-exec-\d+$/.exec(name)?.[1];
  return prefix !== undefined && ownerPod === `${prefix}-driver`;
}
