import { msg, verbatim, type Message, type MessageText } from "../../base/message.ts";
import type { ListedRun, RunRecord } from "../../spark/history/runRecord.ts";
import { durationWords, timeWords } from "../apps/rows/details.ts";
import { outcomeWords, rowWords } from "../profiles/outcomeWords.ts";
import { recentTime } from "../../base/timeOfDay.ts";

/**
 * Returns the outcome of a run for display. A run in progress is stored as detached, because the window may close
 * before its end.
 */
export const runOutcomeWords = ({ outcome, exitCode, endedAt, isWatched }: ListedRun): Message =>
  endedAt !== undefined || (outcome !== "detached" && outcome !== "submitted")
    ? outcomeWords(outcome, exitCode)
    : isWatched
      ? msg("running")
      : msg("running when last seen");

/**
 * Returns the description of a row. It begins with the cause of a failure. It contains the start time instead of the
 * age, which would soon be outdated.
 */
export const runRowWords = (
  run: ListedRun,
  now: number,
  translated: (text: MessageText) => string,
): string => {
  const { outcome, exitCode, cause, startedAt, endedAt } = run;
  const duration = durationWords(isoTime(startedAt), isoTime(endedAt));
  return [
    translated(outcome === "failed" ? rowWords(outcome, exitCode, cause) : runOutcomeWords(run)),
    ...(outcome === "stopped" && cause !== undefined ? [cause] : []),
    ...(duration === undefined ? [] : [translated(duration)]),
    recentTime(startedAt, now),
  ].join(" · ");
};

export const isoTime = (at: number | undefined): string | undefined =>
  at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();

export function startWords(
  { startedAt }: Pick<RunRecord, "startedAt">,
  now: number,
): Message | undefined {
  const words = timeWords(isoTime(startedAt), now);
  return typeof words === "string" ? verbatim(words) : words;
}
