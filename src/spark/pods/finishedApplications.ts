import { isAlive, type Application } from "./application.ts";
import { isEarlierAttempt } from "./operatedApplication.ts";
import type { PodRecord } from "./podRecord.ts";
import { epochOf, timesOf } from "./podTimes.ts";

/** An application that has ended and whose driver pod or custom resource still exists. */
export interface FinishedApplication {
  readonly application: Application;
  readonly hasSucceeded: boolean;
  /** Epoch milliseconds. Undefined if the driver pod does not report its end, for example after an eviction. */
  readonly endedAt: number | undefined;
}

/**
 * Returns the application if it has finished. Undefined while a part of it may still run or start again, or is being
 * deleted.
 */
export function finishedOf(application: Application): FinishedApplication | undefined {
  const { driver, resource, state } = application;
  if (isAlive(application)) return undefined;
  // An operator may start another attempt; the driver pods of earlier attempts have ended for good.
  const isEarlier = isEarlierAttempt(application);
  if (resource?.hasEnded === false && !isEarlier) return undefined;
  if (driver === undefined) {
    if (resource === undefined || state.kind !== "operated") return undefined;
    return { application, hasSucceeded: resource.outlook === "succeeded", endedAt: undefined };
  }
  if (!hasEndedForGood(driver.pod) || driver.pod.deletionTimestamp !== undefined) return undefined;
  return {
    application,
    hasSucceeded: state.kind === "succeeded",
    endedAt: epochOf(timesOf(driver).endedAt),
  };
}

/**
 * True if the pod's containers cannot run again. A sidecar may keep a pod running after Spark has ended, and the phase
 * changes some time after the containers.
 */
const hasEndedForGood = ({ phase, restartPolicy, containers }: PodRecord): boolean =>
  phase === "Succeeded" ||
  phase === "Failed" ||
  (restartPolicy === "Never" && containers.every(({ state }) => state?.kind === "terminated"));

/** Returns the finished applications, earliest end first. Applications without an end time come last. */
export const finishedAmong = (
  applications: readonly Application[],
): readonly FinishedApplication[] =>
  applications
    .flatMap((application) => finishedOf(application) ?? [])
    .sort((a, b) => (a.endedAt ?? Infinity) - (b.endedAt ?? Infinity) || 0);

/** A selection of finished applications. */
export interface FinishedGroup {
  readonly by:
    | { readonly kind: "all" }
    | { readonly kind: "state"; readonly hasSucceeded: boolean }
    | { readonly kind: "age"; readonly hours: number };
  readonly finished: readonly FinishedApplication[];
}

const hourMs = 3_600_000;
const ageHours = [1, 24, 7 * 24, 30 * 24] as const;

/**
 * Groups the applications by state and by age. Omits empty groups, and groups with the same members as an earlier one.
 */
export function finishedGroups(
  finished: readonly FinishedApplication[],
  now: number,
): readonly FinishedGroup[] {
  const ofState = (wanted: boolean): FinishedGroup => ({
    by: { kind: "state", hasSucceeded: wanted },
    finished: finished.filter(({ hasSucceeded }) => hasSucceeded === wanted),
  });
  const olderThan = (hours: number): FinishedGroup => ({
    by: { kind: "age", hours },
    finished: finished.filter(
      ({ endedAt }) => endedAt !== undefined && now - endedAt >= hours * hourMs,
    ),
  });
  const groups: readonly FinishedGroup[] = [
    { by: { kind: "all" }, finished },
    ofState(true),
    ofState(false),
    ...ageHours.map(olderThan),
  ];
  const seen = new Set<string>();
  return groups.filter((group) => {
    const members = group.finished.map(({ application }) => application.key).join("\n");
    if (members === "" || seen.has(members)) return false;
    seen.add(members);
    return true;
  });
}
