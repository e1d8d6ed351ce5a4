import type { Application, ApplicationState } from "./application.ts";
import { firstOf } from "./ordered.ts";
import type { PodRecord } from "./podRecord.ts";

/**
 * Returns the state of the driver pod, or else a state inferred from the executors. `before`: the previous state; the
 * same object is returned if the state is unchanged.
 */
export function applicationStateOf(
  { driver, live, past }: Pick<Application, "driver" | "live" | "past">,
  before?: ApplicationState,
): ApplicationState {
  if (driver !== undefined) return driver.state;
  const running = firstOf(live);
  // A driver that was seen before, or that the watch would deliver, no longer exists. Executors end without their
  // driver.
  if (running === undefined || past.driver !== undefined || wouldBeSeen(running.pod)) {
    return { kind: "orphaned" };
  }
  const owner = running.pod.ownerPod;
  const isSame = before?.kind === "driverElsewhere" && before.owner === owner;
  return isSame ? before : { kind: "driverElsewhere", owner };
}

/**
 * True if the watch would deliver the owning driver: Spark labels the driver pods that it creates. The name of such a
 * driver has the same prefix as the names of its executors.
 */
function wouldBeSeen({ name, ownerPod }: PodRecord): boolean {
  const prefix = /^(.+)-exec-\d+$/.exec(name)?.[1];
  return prefix !== undefined && ownerPod === `${prefix}-driver`;
}
