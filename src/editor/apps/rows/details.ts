import { msg, type MessageText } from "../../../base/message.ts";
import type { Diagnosis } from "../../../spark/diagnosis/diagnosis.ts";
import { logCauseRule } from "../../../spark/diagnosis/diagnosis.ts";
import { mayHaveFix } from "../../../spark/remedy/fixable.ts";
import { contextValues } from "../../ids.ts";
import type { Fact } from "../../ui/markdown.ts";
import { formatAge } from "../formatAge.ts";
import { recentTime } from "../../../base/timeOfDay.ts";

/** Returns the suffixes that a diagnosis adds to the `contextValue` of its row; empty without a diagnosis. */
export const causeContext = (diagnosis: Diagnosis | undefined): string =>
  diagnosis === undefined
    ? ""
    : `${contextValues.diagnosed}${mayHaveFix(diagnosis) ? contextValues.fixable : ""}`;

/** True if the diagnosis is a line of the log. Show Error in Log opens this line. */
export const isFromLog = (diagnosis: Diagnosis | undefined): boolean =>
  diagnosis?.id === logCauseRule;

export function diagnosisDetails(diagnosis: Diagnosis | undefined): readonly Fact[] {
  if (diagnosis === undefined) return [];
  return [
    [msg("Why"), diagnosis.what],
    [msg("How to fix"), diagnosis.change],
    [msg("Conf"), diagnosis.keys.join(", ")],
    [isFromLog(diagnosis) ? msg("In the log") : msg("Kubernetes message"), diagnosis.told],
  ];
}

/** Returns `19:07:11 (3 min ago)` in local time; undefined for a missing or unreadable time. */
export function timeWords(time: string | undefined, now: number): MessageText | undefined {
  if (time === undefined || Number.isNaN(Date.parse(time))) return undefined;
  const local = recentTime(Date.parse(time), now, "seconds");
  return msg`${local} (${formatAge(time, now)} ago)`;
}

/** Returns the duration of a run: `42 s`, `4 min`, `3 h`. Undefined if one of the times is missing. */
export const durationWords = (
  from: string | undefined,
  to: string | undefined,
): MessageText | undefined =>
  from === undefined || to === undefined ? undefined : formatAge(from, Date.parse(to));
