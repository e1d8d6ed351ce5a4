import { listed, msg, type Message } from "../../base/message.ts";
import {
  describeCounts,
  describeExecutorCount,
  describePodCounts,
} from "../pods/describeApplication.ts";
import { hasEndedPod, type Application, type SparkPod } from "../pods/application.ts";
import { hasExecutorSets } from "../pods/executorSets.ts";
import { executorIdOf } from "../pods/executorId.ts";
import { timesOf } from "../pods/podTimes.ts";
import { itemsIn, lastOf } from "../pods/ordered.ts";
import type { DriverReport } from "./driverReport.ts";

/** Texts about an application's executors. Each is undefined if there is nothing to show. */
export interface ExecutorFacts {
  /**
   * The text for the row: `12 of 20 executors`, with the driver's start condition until it is met. If the number of
   * requested executors is unknown: `10 executors (2 pending)`.
   */
  readonly line: Message | undefined;
  readonly pods: Message | undefined;
  readonly registered: Message | undefined;
  readonly wanted: Message | undefined;
  readonly allocation: Message | undefined;
  readonly profiles: Message | undefined;
  readonly gone: Message | undefined;
}

/** Describes the executors. `report`: undefined if the driver was not queried. `now`: epoch milliseconds. */
export function executorFacts(
  application: Application,
  report: DriverReport | undefined,
  now: number,
): ExecutorFacts {
  const { counts } = application;
  return {
    line: lineOf(application, report, now),
    pods: describePodCounts(counts),
    registered: report && registeredOf(report, counts.running, now),
    wanted: wantedOf(application, report),
    allocation: describeAllocation(application, report, now),
    profiles: profilesOf(application),
    gone: goneOf(application),
  };
}

function goneOf({ past: { finished, failed } }: Application): Message | undefined {
  const counts = listed([
    finished > 0 ? msg`${finished} finished or removed` : undefined,
    failed > 0 ? msg`${failed} failed` : undefined,
  ]);
  return counts && msg`${counts} (since the extension connected)`;
}

function registeredOf(
  { registered, excluded, allocation, readAt }: DriverReport,
  running: number,
  now: number,
): Message | undefined {
  const seconds = Math.round(Math.max(0, now - readAt) / 1000);
  const start = allocation?.start;
  return listed([
    msg`${registered.size} registered (${seconds} s ago)`,
    excluded === undefined || excluded.size === 0 ? undefined : msg`${excluded.size} excluded`,
    running === 1 ? msg("1 pod running") : msg`${running} pods running`,
    start === undefined || start.minRegistered === 0
      ? undefined
      : msg`tasks start when ${start.minRegistered} are registered (${Math.round(start.ratio * 100)} %) or after ${start.maxWaitMs / 1000} s`,
  ]);
}

/**
 * Returns the number of registered executors that the driver waits for before it schedules tasks. Undefined if it does
 * not wait.
 */
function awaitedOf(
  { driver }: Application,
  { registered, allocation }: DriverReport,
  now: number,
): number | undefined {
  const start = allocation?.start;
  const startedAt = Date.parse(driver?.pod.startTime ?? "");
  if (start === undefined || registered.size >= start.minRegistered) return undefined;
  return now - startedAt < start.maxWaitMs ? start.minRegistered : undefined;
}

function lineOf(
  application: Application,
  report: DriverReport | undefined,
  now: number,
): Message | undefined {
  const { counts, live, ended, state } = application;
  if (state.kind === "operated") return undefined;
  const asked = hasDriverEnded(application) ? undefined : report;
  const missing = asked === undefined ? 0 : unregistered(application, asked);
  if (asked !== undefined && (asked.allocation !== undefined || missing > 0)) {
    const count = counts.running - missing;
    const of = Math.max(targetOf(application, asked) ?? live.size, count);
    if (of === 0) return msg("no executors");
    const awaited = awaitedOf(application, asked, now);
    const line = msg`${count} of ${describeExecutorCount(of)}`;
    // The count includes running pods that are not yet registered, so it may reach the condition early.
    return awaited === undefined || count >= awaited
      ? line
      : msg`${line}, tasks wait for ${awaited}`;
  }
  if (live.size === 0) return ended.size === 0 ? msg("no executors") : msg("no live executors");
  // Shows no total: the driver creates executor pods one after the other, so the requested number is unknown.
  return describeCounts({ ...counts, failed: 0, finished: 0 });
}

const hasDriverEnded = ({ driver }: Application): boolean =>
  driver !== undefined && hasEndedPod(driver);

// The time after its start in which an executor counts as registered. It registers within seconds, but a report from
// before the registration would otherwise make the count flicker.
const registrationMs = 20_000;

/**
 * Returns the number of executors that are not registered although their pods had run for 20 s at the report. All
 * counts come from pods; the report only subtracts from them.
 */
function unregistered({ live, counts }: Application, report: DriverReport): number {
  if (counts.running === report.registered.size) return 0;
  let count = 0;
  for (const executor of itemsIn(live)) if (isUnregistered(executor, report)) count += 1;
  return count;
}

/** True if a running executor is not registered with the driver, although it had run for 20 s at the report. */
export function isUnregistered({ pod, state }: SparkPod, report: DriverReport): boolean {
  const id = executorIdOf(pod);
  if (state.kind !== "running" || id === undefined) return false;
  // Prefers the container's start: the pod's start time precedes the pull of the image.
  const { startedAt = pod.startTime ?? pod.creationTimestamp } = timesOf({ pod, state });
  const isDue = report.readAt - Date.parse(startedAt) >= registrationMs;
  return isDue && !report.registered.has(String(id));
}

/**
 * Returns the driver's current target. Undefined for executors of a StatefulSet or Deployment, which others may scale.
 */
function targetOf(application: Application, report: DriverReport | undefined): number | undefined {
  const allocation = report?.allocation;
  if (allocation?.kind !== "fixed") return allocation?.target;
  return hasExecutorSets(application) ? undefined : allocation.instances;
}

function wantedOf(application: Application, report: DriverReport | undefined): Message | undefined {
  const { driver, past, live, state } = application;
  const allocation = report?.allocation;
  const target = targetOf(application, report);
  if (allocation?.kind === "fixed") {
    const { instances } = allocation;
    return hasExecutorSets(application) && live.size !== instances
      ? msg`${live.size} (from StatefulSet or Deployment), ${instances} (from conf)`
      : msg`${instances} (from conf)`;
  }
  if (allocation?.kind === "dynamic") {
    const bounds =
      allocation.max === Infinity
        ? msg`${allocation.min} to unlimited`
        : msg`${allocation.min} to ${allocation.max}`;
    return target === undefined
      ? msg`${bounds} (dynamic allocation)`
      : msg`${target} (dynamic allocation, ${bounds})`;
  }
  if (past.highestId === 0 || state.kind === "operated") return undefined;
  if (driver !== undefined && hasEndedPod(driver)) return undefined;
  return msg`at least ${live.size}, ${past.highestId} so far (inferred from executor ids)`;
}

/**
 * Describes the trend of dynamic allocation: by the driver's target, or else inferred from the pods. Undefined if the
 * number of executors is fixed, if the application does not run, or if no trend is visible.
 */
export function describeAllocation(
  { live, past, state }: Application,
  report: DriverReport | undefined,
  now: number,
): Message | undefined {
  const allocation = report?.allocation;
  const isRunning = state.kind === "running" || state.kind === "driverElsewhere";
  if (!isRunning || allocation?.kind === "fixed") return undefined;
  const target = allocation?.target;
  if (target !== undefined) {
    if (target > live.size) return msg`growing from ${live.size} to ${target}`;
    if (target < live.size) {
      return msg`shrinking from ${live.size} to ${target} as executors become idle and hold no needed data`;
    }
    return msg`steady at ${target}`;
  }
  // Inferred: the allocator replaces a lost executor within seconds, unless its target is lower.
  const newest = Date.parse(lastOf(live)?.pod.creationTimestamp ?? "");
  const left = Date.parse(past.lastFinishedAt ?? "");
  if (left > (Number.isNaN(newest) ? 0 : newest) && now - left > settleMs) {
    return msg("shrinking: executors ended and were not replaced (inferred)");
  }
  if (past.finished > 0 && now - newest < recentMs) {
    return msg("growing: executors were added (inferred)");
  }
  return undefined;
}

const settleMs = 10_000;
const recentMs = 60_000;

function profilesOf({ profiles }: Application): Message | undefined {
  if (profiles.length < 2) return undefined;
  return profiles
    .map(({ profile, counts: { running, pending } }) =>
      profile === "0"
        ? msg`default: ${running} running, ${pending} pending`
        : msg`profile ${profile}: ${running} running, ${pending} pending`,
    )
    .reduce((left, right) => msg`${left}; ${right}`);
}
