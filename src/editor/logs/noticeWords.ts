import { msg, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { RunEnd, TailEnd, TailNotice } from "../../engine/logs/tail.ts";
import { isOutage } from "../../engine/watch/retryPolicy.ts";
import type { LogGap } from "../../spark/logs/resumeCursor.ts";
import { describePod } from "../../spark/diagnosis/describe.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";
import type { SparkPod } from "../../spark/pods/application.ts";
import { clusterErrorWords } from "../../engine/clusterErrorWords.ts";

export function noticeWords(notice: TailNotice): Message {
  switch (notice.kind) {
    case "waiting":
      return msg("waiting for the container to start");
    case "reconnecting":
      return isOutage(notice.error)
        ? msg`connection lost, reconnecting: ${clusterErrorWords(notice.error).what}`
        : msg`cannot read the log, retrying: ${clusterErrorWords(notice.error).what}`;
    case "resumed":
      return msg("reconnected");
    case "gap":
      return gapWords(notice);
    case "restarted":
      return restartWords(notice.lastEnd);
    default:
      return assertNever(notice);
  }
}

/** Returns the note that a container has no log yet. `name`: the log's name. */
export const noLogYetWords = (
  name: string,
  { state }: Pick<SparkPod, "state">,
  diagnosis: Diagnosis | undefined,
): Message => msg`"${name}" has no log yet: ${describePod(state, diagnosis)}.`;

function gapWords({ after, before }: LogGap): Message {
  if (after === undefined) {
    return msg("lines of earlier container runs may be missing because the node deleted them");
  }
  return before === undefined
    ? msg`lines after ${after} may be missing because the node deleted them`
    : msg`lines between ${after} and ${before} may be missing because the node deleted them`;
}

function restartWords(lastEnd: RunEnd | undefined): Message {
  if (lastEnd?.exitCode === undefined) return msg("the container restarted");
  return lastEnd.reason === undefined
    ? msg`the container exited with code ${lastEnd.exitCode} and restarted`
    : msg`the container exited with code ${lastEnd.exitCode} (${lastEnd.reason}) and restarted`;
}

export function endWords(end: TailEnd): Message {
  switch (end.kind) {
    case "finished":
      return msg("the container has ended");
    case "gone":
      return msg("the pod was deleted");
    case "failed": {
      const { what, why } = clusterErrorWords(end.error);
      return why === undefined ? what : msg`${what}. ${why}`;
    }
    default:
      return assertNever(end);
  }
}
