import { hasEndedPod, type Application } from "../pods/application.ts";
import { isOfSets } from "../pods/executorSets.ts";
import { sumOf } from "../pods/executorPods.ts";
import { executorIdOf } from "../pods/executorId.ts";
import { itemsIn, lastOf } from "../pods/ordered.ts";
import type { DriverReport } from "./driverReport.ts";

/** Texts about the executors of an application; undefined if there is nothing to show. */
export interface ExecutorFacts {
  /** For the row: `12 of 20 executors`, with the driver's start condition while it is not met. */
  readonly line: string;
  readonly pods: string | undefined;
  readonly registered: string | undefined;
  readonly wanted: string | undefined;
  readonly allocation: string | undefined;
  readonly profiles: string | undefined;
  readonly gone: string | undefined;
}

/** `report`: undefined if the driver was not asked. `now`: milliseconds since the epoch. */
export function executorFacts(
  application: Application,
  report: DriverReport | undefined,
  now: number,
): ExecutorFacts {
  const { counts, past } = application;
  const { pending, running, failed, finished, unknown } = counts;
  return {
    line: lineOf(application, report, now),
    pods:
      sumOf(counts) === 0
        ? undefined
        : listed([
            [pending, "pending"],
            [running, "running"],
            [failed, "failed"],
            [finished, "finished"],
            [unknown, "unknown"],
          ]),
    registered: report && registeredOf(report, running, now),
    wanted: wantedOf(application, report),
    allocation: describeAllocation(application, report, now),
    profiles: profilesOf(application),
    gone:
      past.finished + past.failed === 0
        ? undefined
        : `${listed([
            [past.finished, "finished or removed"],
            [past.failed, "failed"],
          ])} (since the extension connected)`,
  };
}

function registeredOf(
  { registered, excluded, allocation, readAt }: DriverReport,
  running: number,
  now: number,
): string {
  const seconds = Math.round(Math.max(0, now - readAt) / 1000);
  const start = allocation?.start;
  const parts = [
    `${registered.size} registered (${seconds} s ago)`,
    excluded === undefined || excluded.size === 0 ? "" : `${excluded.size} excluded`,
    running === 1 ? "1 pod running" : `${running} pods running`,
    start === undefined || start.minRegistered === 0
      ? ""
      : `tasks start at ${start.minRegistered} registered (${Math.round(start.ratio * 100)} %) or after ${start.maxWaitMs / 1000} s`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** How many executors the driver still waits for before it schedules tasks; undefined if it does not wait. */
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

function lineOf(application: Application, report: DriverReport | undefined, now: number): string {
  const { counts, live, ended, state } = application;
  if (state.kind === "operated") return "";
  const target = targetOf(application, report);
  if (report !== undefined && !hasDriverEnded(application)) {
    const count = counts.running - unregistered(application, report);
    const of = Math.max(target ?? live.size, count);
    if (of === 0) return "no executors";
    const awaited = awaitedOf(application, report, now);
    const line = `${count} of ${plural(of)}`;
    return awaited === undefined ? line : `${line}, tasks wait for ${awaited}`;
  }
  if (live.size === 0) return ended.size === 0 ? "no executors" : "no live executors";
  return `${counts.running} of ${plural(live.size)}`;
}

const hasDriverEnded = ({ driver }: Application): boolean =>
  driver !== undefined && hasEndedPod(driver);

// An executor registers within seconds of its start; an older report must not make the count flicker.
const registrationMs = 20_000;

/**
 * The number of executors without a registration although their pods ran for 20 s or more at the report. All
 * counts come from pods; the report only subtracts these.
 */
function unregistered({ live, counts }: Application, report: DriverReport): number {
  if (counts.running === report.registered.size) return 0;
  let count = 0;
  for (const { pod, state } of itemsIn(live)) {
    const id = executorIdOf(pod);
    if (state.kind !== "running" || id === undefined) continue;
    const runsSince = Date.parse(pod.startTime ?? pod.creationTimestamp);
    const isDue = report.readAt - runsSince >= registrationMs;
    if (isDue && !report.registered.has(String(id))) count += 1;
  }
  return count;
}

const plural = (count: number): string => (count === 1 ? "1 executor" : `${count} executors`);

/** The driver's current target. Undefined for executors of a StatefulSet or Deployment, which others may scale. */
function targetOf(application: Application, report: DriverReport | undefined): number | undefined {
  const allocation = report?.allocation;
  if (allocation?.kind !== "fixed") return allocation?.target;
  return isOfSets(application) ? undefined : allocation.instances;
}

function wantedOf(application: Application, report: DriverReport | undefined): string | undefined {
  const { driver, past, live, state } = application;
  const allocation = report?.allocation;
  const target = targetOf(application, report);
  if (allocation?.kind === "fixed") {
    const { instances } = allocation;
    return isOfSets(application) && live.size !== instances
      ? `${live.size} by the StatefulSet or Deployment, ${instances} by the conf`
      : `${instances} (from conf)`;
  }
  if (allocation?.kind === "dynamic") {
    const bounds = `${allocation.min} to ${allocation.max === Infinity ? "unlimited" : allocation.max}`;
    return target === undefined
      ? `${bounds} (dynamic allocation)`
      : `${target} (dynamic allocation, ${bounds})`;
  }
  if (past.highestId === 0 || state.kind === "operated") return undefined;
  if (driver !== undefined && hasEndedPod(driver)) return undefined;
  return `at least ${live.size}; ${past.highestId} so far (inferred from executor ids)`;
}

/** The trend of dynamic allocation, reported by the driver or inferred from the pods. */
export function describeAllocation(
  { live, past, state }: Application,
  report: DriverReport | undefined,
  now: number,
): string | undefined {
  const allocation = report?.allocation;
  const isRunning = state.kind === "running" || state.kind === "driverElsewhere";
  if (!isRunning || allocation?.kind === "fixed") return undefined;
  const target = allocation?.target;
  if (target !== undefined) {
    if (target > live.size) return `growing from ${live.size} to ${target}`;
    if (target < live.size) {
      return `shrinking: needs ${target} of ${live.size}; the others are removed when idle and without needed data`;
    }
    return `steady at ${target}`;
  }
  // Inferred: the allocator replaces a lost executor within seconds unless its target is lower.
  const newest = Date.parse(lastOf(live)?.pod.creationTimestamp ?? "");
  const left = Date.parse(past.lastFinishedAt ?? "");
  if (left > (Number.isNaN(newest) ? 0 : newest) && now - left > settleMs) {
    return "shrinking: executors ended and were not replaced (inferred)";
  }
  if (past.finished > 0 && now - newest < recentMs) {
    return "growing: executors were added (inferred)";
  }
  return undefined;
}

const settleMs = 10_000;
const recentMs = 60_000;

function profilesOf({ profiles }: Application): string | undefined {
  if (profiles.length < 2) return undefined;
  return profiles
    .map(({ profile, counts: { running, pending } }) => {
      const name = profile === "0" ? "default" : `profile ${profile}`;
      return `${name}: ${running} running, ${pending} pending`;
    })
    .join("; ");
}

const listed = (parts: readonly (readonly [number, string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(", ");
