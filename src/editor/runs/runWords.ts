import { l10n } from "vscode";
import type { RunRecord } from "../../spark/history/runRecord.ts";
import { durationWords, timeWords } from "../apps/rows/details.ts";
import { translated } from "../ui/translated.ts";
import { outcomeWords, rowTime, rowWords } from "../profiles/outcomeWords.ts";

/** Runs that are followed are stored as detached, since the window may close before their end. */
export const runOutcomeWords = ({ outcome, exitCode, endedAt }: RunRecord): string =>
  endedAt === undefined && (outcome === "detached" || outcome === "submitted")
    ? l10n.t("running when last seen")
    : translated(outcomeWords(outcome, exitCode));

/** Without its age, which would be out of date soon. */
export const runRowWords = (run: RunRecord, now: number): string =>
  [
    run.outcome === "failed"
      ? translated(rowWords(run.outcome, run.exitCode, run.cause))
      : runOutcomeWords(run),
    translated(durationWords(isoTime(run.startedAt), isoTime(run.endedAt))),
    rowTime(run.startedAt, now),
  ]
    .filter((text) => text !== undefined && text !== "")
    .join(" · ");

export const isoTime = (at: number | undefined): string | undefined =>
  at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();

export const startWords = ({ startedAt }: Pick<RunRecord, "startedAt">, now: number): string =>
  translated(timeWords(isoTime(startedAt), now)) ?? "";

export const clockTime = (at: number): string => new Date(at).toLocaleTimeString();
