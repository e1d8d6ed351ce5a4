import { msg } from "../../base/message.ts";
import type { Application } from "../pods/application.ts";
import { describeCause } from "./describeLogCause.ts";
import type { DiagnosedPod, DiagnosisRule, DiagnosisText } from "./diagnosis.ts";
import type { DriverReport } from "./driverReport.ts";
import { causeAtEnd, type LogCause } from "./logCause.ts";
import { kindOfError, type LogCauseKind } from "./logCauseKinds.ts";
import { eventWith, shortened, words } from "./rule.ts";

/** The rule for a job that waits for executors, if no other rule names the cause. */
export const noResourcesRule = "D93";

/**
 * Rules for a running driver that gets no executors. A rejected pod leaves no object, only a line in the driver's log.
 */
export const starvingRules: readonly DiagnosisRule[] = [
  { id: "D78", needs: "its events", find: setRejected },
  ofLog("D79", "quota"),
  ofLog("D80", "limitRange"),
  ofLog("D81", "forbidden"),
  ofLog("D82", "admission"),
  ofLog("D98", "podLimit"),
  ofLog("D100", "claimWait"),
  ofLog(noResourcesRule, "noResources"),
];

// The driver requests its first executors within seconds. Accepted pods then exist at once.
const firstRequestMs = 30_000;

/**
 * True if the driver has run for 30 s and has fewer executor pods than it wants. If the wanted number is unknown, one
 * pod is enough.
 */
export function isStarving(
  { driver, live }: Application,
  report: DriverReport | undefined,
  now: number,
): boolean {
  if (driver?.state.kind !== "running") return false;
  const startedAt = Date.parse(driver.pod.startTime ?? driver.pod.creationTimestamp);
  return now - startedAt > firstRequestMs && live.size < wantedBy(report);
}

function wantedBy(report: DriverReport | undefined): number {
  const allocation = report?.allocation;
  if (allocation === undefined) return 1;
  if (allocation.kind === "fixed") return allocation.instances;
  return allocation.target ?? allocation.min;
}

/**
 * Returns the reason why a running driver lacks executors, from the end of its log. The newest line that names a cause
 * wins. Without such a line, returns the newest line about a waiting job, unless a later line shows that the job got
 * resources. Undefined if there is neither.
 */
export function rejectionInLog(lines: readonly string[]): LogCause | undefined {
  let waiting: LogCause | undefined;
  let isServed = false;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? "";
    isServed ||= servedJob.test(line);
    const kind = kindOfError(line);
    if (kind === undefined) continue;
    const error = messageIn(line);
    if (kind === "noResources") {
      if (!isServed) waiting ??= { kind, error, at };
    } else if (ofAllocator.includes(kind) || (ofServer.includes(kind) && /Kubernetes/.test(line))) {
      return { kind, error, at };
    }
  }
  return waiting;
}

/**
 * Returns the error that explains the end of a log. For a driver that ended because executors failed too often, prefers
 * an earlier rejection of executor pods, because the last errors do not name it.
 */
export function endCauseInLog(lines: readonly string[]): LogCause | undefined {
  const isOfExecutors = lines.some((line) => kindOfError(line) === "executorFailures");
  const stall = isOfExecutors ? rejectionInLog(lines) : undefined;
  return stall === undefined || stall.kind === "noResources" ? causeAtEnd(lines) : stall;
}

// Matches a line that shows that an earlier wait for executors is over.
const servedJob =
  /: (?:Registered executor|Starting task|Finished task|Job \d{1,9} (?:finished|failed))/;

/**
 * Returns the text after `Message: ` in an error of the Kubernetes client, or else the text after the logger's name.
 */
function messageIn(line: string): string {
  const at = line.indexOf(" Message: ");
  return at < 0 ? line.replace(/^.{0,120}?[ .][A-Z]\w{0,80}: /, "") : line.slice(at + 10);
}

const ofAllocator: readonly LogCauseKind[] = ["podLimit", "claimWait"];
// API server errors count only on lines that name Kubernetes, because a program may log the same words about something
// else.
const ofServer: readonly LogCauseKind[] = ["quota", "limitRange", "forbidden", "admission"];

function ofLog(id: string, kind: LogCauseKind): DiagnosisRule {
  const find = ({
    role,
    logCause,
    application,
    report,
    now,
  }: DiagnosedPod): DiagnosisText | undefined => {
    if (role !== "driver" || logCause?.kind !== kind) return undefined;
    if (!isStarving(application, report, now)) return undefined;
    // Existing executors that get no tasks are a different problem.
    if (kind === "noResources" && application.live.size > 0) return undefined;
    return { ...describeCause(logCause, role), logKind: kind };
  };
  return { id, needs: "its log", find };
}

/** Diagnoses a StatefulSet or ReplicaSet that cannot create executors, by its event. */
function setRejected(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const { role, application, report, now } = diagnosed;
  const told = role === "driver" && eventWith(diagnosed, "FailedCreate");
  if (!told || !isStarving(application, report, now)) return undefined;
  const kind = kindOfError(told.message);
  if (kind !== undefined) return describeCause({ kind, error: told.message, at: 0 }, role);
  return words(
    shortened(told.message.replace(/^.{0,500}? failed error: /, "")),
    msg("Kubernetes cannot create the executor pods of the StatefulSet or Deployment."),
    msg("See the message for the reason."),
    ["spark.kubernetes.allocation.pods.allocator"],
    told.message,
  );
}
