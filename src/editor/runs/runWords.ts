import { msg, verbatim, type Message, type MessageText } from "../../base/message.ts";
import type { ListedRun, RunRecord } from "../../spark/history/runRecord.ts";
import { describeDuration } from "../../spark/describeDuration.ts";
import { timeWords } from "../apps/rows/details.ts";
import { outcomeWords, rowWords } from "../profiles/outcomeWords.ts";
import { recentTime } from "../../base/timeOfDay.ts";

/**
 * Returns the outcome of a run for display. A run in progress is stored as detached, because the window may close
 * before its end.
 */
export const runOutcomeWords = (run: ListedRun): Message =>
  !isInProgress(run)
    ? outcomeWords(run.outcome, run.exitCode)
    : run.isWatched
      ? msg("running")
      : msg("running when last seen");

/**
 * Returns the description of a row. It begins with the cause of a failure, or with the problem of a run in progress. It
 * contains the start time instead of the age, because an age would soon be outdated.
 */
export const runRowWords = (
  run: ListedRun,
  now: number,
  translated: (text: MessageText) => string,
): string => {
  const { outcome, exitCode, cause, startedAt } = run;
  const duration = runDuration(run);
  const hasProblem = isInProgress(run) && cause !== undefined;
  return [
    ...(hasProblem
      ? [cause]
      : [
          translated(
            outcome === "failed" ? rowWords(outcome, exitCode, cause) : runOutcomeWords(run),
          ),
        ]),
    ...(outcome === "stopped" && cause !== undefined ? [cause] : []),
    ...(duration === undefined ? [] : [translated(duration)]),
    recentTime(startedAt, now),
  ].join(" · ");
};

/** True if the end of the run was not seen. The `cause` of such a run is the last known problem of its application. */
export const isInProgress = ({ outcome, endedAt }: RunRecord): boolean =>
  endedAt === undefined && (outcome === "detached" || outcome === "submitted");

export const runDuration = ({ startedAt, endedAt }: RunRecord): Message | undefined =>
  endedAt === undefined ? undefined : describeDuration(endedAt - startedAt);

const isoTime = (at: number | undefined): string | undefined =>
  at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();

export function startWords(
  { startedAt }: Pick<RunRecord, "startedAt">,
  now: number,
): Message | undefined {
  const words = timeWords(isoTime(startedAt), now);
  return typeof words === "string" ? verbatim(words) : words;
}
