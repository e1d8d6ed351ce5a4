import { msg } from "../../base/message.ts";
import { localTime } from "../../base/timeOfDay.ts";
import { binarySize } from "../../spark/binarySize.ts";
import { stageMs, type ListedRun } from "../../spark/history/runRecord.ts";
import { describeMs } from "../../spark/progress/describeProgress.ts";
import { describeSpent } from "../../spark/timeline/spent.ts";
import type { Timeline } from "../../spark/timeline/timeline.ts";
import type { Screen } from "../screen.ts";
import { runDuration, runOutcomeWords } from "./runWords.ts";

type RunScreen = Pick<Screen, "translated">;

/**
 * Returns the text of a run's document. Equal values give equal lines, so that a diff of two runs shows only real
 * differences.
 */
export function runText(
  run: ListedRun,
  timeline: Timeline | undefined,
  { translated }: RunScreen,
): string {
  const { sent, git, executors, spent, args } = run;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [translated(msg("Outcome")), translated(runOutcomeWords(run))],
    [translated(msg("Cause")), run.cause],
    [translated(msg("Duration")), translated(runDuration(run))],
    [translated(msg("Started")), localTime(run.startedAt)],
    [translated(msg("Cluster")), run.context],
    [translated(msg("Application")), `${run.namespace}/${run.applicationId}`],
    [translated(msg("Program")), run.application],
    [translated(msg("Main class")), run.mainClass],
    [translated(msg("Arguments")), args.length === 0 ? undefined : args.join(" ")],
    [translated(msg("Image")), run.image],
    [translated(msg("Image digest")), run.digest],
    [translated(msg("Git commit")), git && [git.commit, git.branch].filter(isText).join(" ")],
    [
      translated(msg("Uncommitted changes")),
      git && (git.isDirty ? translated(msg("yes")) : translated(msg("no"))),
    ],
    [
      translated(msg("Sent files")),
      sent && translated(msg`${sent.files} (${binarySize(sent.bytes)})`),
    ],
    [
      translated(msg("Executors")),
      executors && translated(msg`${executors.seen} seen, ${executors.failed} failed`),
    ],
    [translated(msg("Requested resources")), spent && translated(describeSpent(spent))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [
    ...rows.flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`${`${name}:`.padEnd(width)}${value}`],
    ),
    ...stageLines(timeline, run.endedAt !== undefined, { translated }),
    "",
    ...run.conf.map(([key, value]) => `${key}=${value.replaceAll("\n", "\\n")}`),
    "",
  ].join("\n");
}

const isText = (text: string | undefined): text is string => text !== undefined;

/** Returns the lines about stages. Omits ids, because they differ between runs of the same program. */
function stageLines(
  timeline: Timeline | undefined,
  hasEnded: boolean,
  { translated }: RunScreen,
): readonly string[] {
  // The driver of a short run may end before the end of its last stages is polled.
  const open = hasEnded ? msg("end not seen") : msg("not ended");
  if (timeline === undefined || timeline.stages.length === 0) return [];
  const lines = timeline.stages.map((stage) => {
    const ms = stageMs(stage);
    if (stage.status === "SKIPPED") {
      return `  ${[stage.name, translated(msg("skipped"))].join(" · ")}`;
    }
    const duration = translated(ms === undefined ? open : describeMs(ms));
    const tasks = translated(
      ms === undefined && hasEnded
        ? msg`${stage.done} of ${stage.tasks} tasks when last seen`
        : msg`${stage.done} of ${stage.tasks} tasks`,
    );
    const failed = stage.failed === 0 ? [] : [translated(msg`${stage.failed} failed`)];
    return `  ${[stage.name, duration, tasks, ...failed].join(" · ")}`;
  });
  return ["", translated(msg("Stages:")), ...lines];
}
