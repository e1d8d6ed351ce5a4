import { l10n } from "vscode";
import type { Diagnosis } from "../../../spark/diagnosis/diagnosis.ts";
import { logCauseRule } from "../../../spark/diagnosis/exits.ts";
import { defaultSecretRule } from "../../../spark/redact.ts";
import { redactLine } from "../../../spark/redactLine.ts";
import type { Fact } from "../../ui/markdown.ts";
import { formatAge } from "../formatAge.ts";
import { translated } from "../../ui/translated.ts";

/** True if the diagnosis is a line of the log, which Show Error in Log opens. */
export const isFromLog = (diagnosis: Diagnosis | undefined): boolean =>
  diagnosis?.id === logCauseRule;

export function diagnosisDetails(diagnosis: Diagnosis | undefined): readonly Fact[] {
  if (diagnosis === undefined) return [];
  return [
    [l10n.t("Why"), redactLine(translated(diagnosis.what), defaultSecretRule)],
    [l10n.t("How to fix"), translated(diagnosis.change)],
    [l10n.t("Conf"), diagnosis.keys.join(", ")],
    [
      isFromLog(diagnosis) ? l10n.t("In the log") : l10n.t("Kubernetes message"),
      redactLine(diagnosis.told ?? "", defaultSecretRule),
    ],
  ];
}

/** `7:07:11 PM (3 min ago)` in local time; undefined for an unreadable time. */
export function timeWords(time: string | undefined, now: number): string | undefined {
  if (time === undefined || Number.isNaN(Date.parse(time))) return undefined;
  const date = new Date(time);
  const isToday = date.toDateString() === new Date(now).toDateString();
  const local = isToday ? date.toLocaleTimeString() : date.toLocaleString();
  return l10n.t("{0} ({1} ago)", local, formatAge(time, now));
}

/** The duration of a run: `42 s`, `4 min`, `3 h`. Undefined if one of the times is missing. */
export const durationWords = (
  from: string | undefined,
  to: string | undefined,
): string | undefined =>
  from === undefined || to === undefined ? undefined : formatAge(from, Date.parse(to));
