import { diagnose, neededLog } from "../../spark/diagnosis/diagnose.ts";
import { diagnosedPod } from "../../spark/diagnosis/diagnosedPod.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";
import { logTargetOf } from "../../spark/logs/targets.ts";
import { buildApplications } from "../../spark/pods/applications.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { firstOf } from "../../spark/pods/ordered.ts";
import { replacePods } from "../../spark/pods/podListing.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { emptySnapshot } from "../../spark/pods/podSnapshot.ts";
import { readLogCause } from "../logs/failedLogReader.ts";
import type { Clock } from "../ports/clock.ts";
import type { LogSource } from "../ports/logs.ts";
import { withinTime } from "../withinTime.ts";

const patienceMs = 5_000;

/**
 * Returns the cause of a driver pod's failure. If the pod's status does not show it, reads the end of the log for at
 * most 5 s. Undefined if neither shows a cause.
 */
export async function failureCause(
  pod: PodRecord,
  logs: LogSource,
  clock: Clock,
  signal: AbortSignal,
): Promise<Diagnosis | undefined> {
  const { snapshot } = replacePods(emptySnapshot, [pod]);
  const application = firstOf(buildApplications(snapshot).applications);
  if (application === undefined) return undefined;
  const one = { pod, state: displayState(pod) };
  const facts = { events: [], report: undefined, now: clock.now() };
  const diagnosed = diagnosedPod(application, one, facts);
  const read =
    neededLog(diagnosed) === "end"
      ? await withinTime(
          (inTime) => readLogCause(logs, logTargetOf(one), "end", inTime),
          { clock, ms: patienceMs },
          signal,
        )
      : undefined;
  return diagnose({ ...diagnosed, logCause: read?.ok === true ? read.value : undefined })[0];
}
