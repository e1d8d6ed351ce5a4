import { msg, verbatim, type Message } from "../../base/message.ts";
import type { RunRecord } from "../../spark/history/runRecord.ts";
import { timeWords } from "../apps/rows/details.ts";
import { outcomeWords } from "../profiles/outcomeWords.ts";

/** Runs that are followed are stored as detached, since the window may close before their end. */
export const runOutcomeWords = ({ outcome, exitCode, endedAt }: RunRecord): Message =>
  endedAt === undefined && (outcome === "detached" || outcome === "submitted")
    ? msg("running when last seen")
    : outcomeWords(outcome, exitCode);

export const isoTime = (at: number | undefined): string | undefined =>
  at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();

export function startWords(
  { startedAt }: Pick<RunRecord, "startedAt">,
  now: number,
): Message | undefined {
  const words = timeWords(isoTime(startedAt), now);
  return typeof words === "string" ? verbatim(words) : words;
}

export const clockTime = (at: number): string => new Date(at).toLocaleTimeString();
