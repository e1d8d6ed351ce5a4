import { hasEndedPod, type Application } from "../pods/application.ts";
import { isOfSets } from "../pods/executorSets.ts";
import { sumOf } from "../pods/executorPods.ts";
import { lastOf } from "../pods/ordered.ts";
import type { DriverReport } from "./driverReport.ts";

/** How an application stands with its executors, in words; undefined where there is nothing to say. */
export interface ExecutorFacts {
  /** For the row: `12 of 20 executors`. */
  readonly line: string;
  readonly pods: string | undefined;
  readonly registered: string | undefined;
  readonly wanted: string | undefined;
  readonly allocation: string | undefined;
  readonly profiles: string | undefined;
  readonly gone: string | undefined;
}

/** `report`: the driver's own word, where it may be asked. `now`: milliseconds since the epoch. */
export function executorFacts(
  application: Application,
  report: DriverReport | undefined,
  now: number,
): ExecutorFacts {
  const { counts, past } = application;
  const { pending, running, failed, finished, unknown } = counts;
  return {
    line: lineOf(application, report),
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
    registered: report && `${report.registered.size}; ${running} running by their pods`,
    wanted: wantedOf(application, report),
    allocation: describeAllocation(application, report, now),
    profiles: profilesOf(application),
    gone:
      past.finished + past.failed === 0
        ? undefined
        : `${listed([
            [past.finished, "finished or removed"],
            [past.failed, "failed"],
          ])}, as seen from here`,
  };
}

function lineOf(application: Application, report: DriverReport | undefined): string {
  const { counts, live, ended, state } = application;
  if (state.kind === "operated") return "";
  const target = targetOf(application, report);
  if (report !== undefined) {
    const of = Math.max(target ?? live.size, report.registered.size);
    return of === 0 ? "no executors" : `${report.registered.size} of ${plural(of)}`;
  }
  if (live.size === 0) return ended.size === 0 ? "no executors" : "no live executors";
  return `${counts.running} of ${plural(live.size)}`;
}

const plural = (count: number): string => (count === 1 ? "1 executor" : `${count} executors`);

/** How many the driver wants now, as it says; of a set of the cluster anybody may have asked for another number. */
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
      ? `${live.size} by their set; the conf says ${instances}`
      : `${instances}, as the conf says`;
  }
  if (allocation?.kind === "dynamic") {
    const bounds = `${allocation.min} to ${allocation.max === Infinity ? "any number" : allocation.max}`;
    return target === undefined
      ? `${bounds}, by dynamic allocation`
      : `${target} now, by dynamic allocation (${bounds})`;
  }
  if (past.highestId === 0 || state.kind === "operated") return undefined;
  if (driver !== undefined && hasEndedPod(driver)) return undefined;
  return `${live.size} at least; ${past.highestId} asked for so far (inferred from their numbers)`;
}

/** What dynamic allocation does: in the driver's word, or inferred from what comes and goes. */
export function describeAllocation(
  { live, past, state }: Application,
  report: DriverReport | undefined,
  now: number,
): string | undefined {
  const allocation = report?.allocation;
  const goesOn = state.kind === "running" || state.kind === "driverElsewhere";
  if (!goesOn || allocation?.kind === "fixed") return undefined;
  const target = allocation?.target;
  if (target !== undefined) {
    if (target > live.size) return `growing from ${live.size} to ${target}`;
    if (target < live.size) {
      return `shrinking: needs ${target} of ${live.size}; the others go once they are idle and hold nothing that is needed`;
    }
    return `steady at ${target}`;
  }
  // Without asking: the allocator makes up for an executor that goes within seconds, unless it wants fewer.
  const newest = Date.parse(lastOf(live)?.pod.creationTimestamp ?? "");
  const left = Date.parse(past.lastFinishedAt ?? "");
  if (left > (Number.isNaN(newest) ? 0 : newest) && now - left > settleMs) {
    return "shrinking: executors went and were not replaced (inferred)";
  }
  if (past.finished > 0 && now - newest < recentMs) {
    return "growing: executors were added again (inferred)";
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
