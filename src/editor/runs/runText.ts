import { l10n } from "vscode";
import { binarySize } from "../../spark/binarySize.ts";
import { stageMs, type RunRecord } from "../../spark/history/runRecord.ts";
import { describeMs } from "../../spark/progress/describeProgress.ts";
import { describeSpent } from "../../spark/timeline/spent.ts";
import type { Timeline } from "../../spark/timeline/timeline.ts";
import { durationWords } from "../apps/rows/details.ts";
import { translated } from "../ui/translated.ts";
import { isoTime, runOutcomeWords, startWords } from "./runWords.ts";

/** Lines that are equal in two runs are equal in their texts, so that a diff shows the differences only. */
export function runText(run: RunRecord, timeline: Timeline | undefined, now: number): string {
  const { sent, git, executors, spent, args } = run;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [l10n.t("Outcome"), runOutcomeWords(run)],
    [l10n.t("Cause"), run.cause],
    [l10n.t("Duration"), translated(durationWords(isoTime(run.startedAt), isoTime(run.endedAt)))],
    [l10n.t("Started"), startWords(run, now)],
    [l10n.t("Cluster"), run.context],
    [l10n.t("Application"), `${run.namespace}/${run.applicationId}`],
    [l10n.t("Program"), run.application],
    [l10n.t("Main class"), run.mainClass],
    [l10n.t("Arguments"), args.length === 0 ? undefined : args.join(" ")],
    [l10n.t("Image"), run.image],
    [l10n.t("Image digest"), run.digest],
    [l10n.t("Git commit"), git && [git.commit, git.branch].filter(isText).join(" ")],
    [l10n.t("Uncommitted changes"), git && (git.isDirty ? l10n.t("yes") : l10n.t("no"))],
    [l10n.t("Sent files"), sent && l10n.t("{0} ({1})", sent.files, binarySize(sent.bytes))],
    [
      l10n.t("Executors"),
      executors && l10n.t("{0} seen, {1} failed", executors.seen, executors.failed),
    ],
    [l10n.t("Requested resources"), spent && translated(describeSpent(spent))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [
    ...rows.flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`${`${name}:`.padEnd(width)}${value}`],
    ),
    ...stageLines(timeline),
    "",
    ...run.conf.map(([key, value]) => `${key}=${value.replaceAll("\n", "\\n")}`),
    "",
  ].join("\n");
}

const isText = (text: string | undefined): text is string => text !== undefined;

/** Without ids, which differ between runs of the same program. */
function stageLines(timeline: Timeline | undefined): readonly string[] {
  if (timeline === undefined || timeline.stages.length === 0) return [];
  const lines = timeline.stages.map((stage) => {
    const ms = stageMs(stage);
    if (stage.status === "SKIPPED") return `  ${[stage.name, l10n.t("skipped")].join(" · ")}`;
    const duration = ms === undefined ? l10n.t("not ended") : translated(describeMs(ms));
    const tasks = l10n.t("{0} of {1} tasks", stage.done, stage.tasks);
    const failed = stage.failed === 0 ? [] : [l10n.t("{0} failed", stage.failed)];
    return `  ${[stage.name, duration, tasks, ...failed].join(" · ")}`;
  });
  return ["", l10n.t("Stages:"), ...lines];
}
