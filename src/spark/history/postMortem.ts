import { msg, type Message } from "../../base/message.ts";
import { defaultSecretRule, plainMask, type IsSecret } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import { redactArguments, redactValue } from "../redactText.ts";
import { describeMs } from "../progress/describeProgress.ts";
import { describeValue } from "../timeline/plotText.ts";
import { countsOf } from "../timeline/executorCounts.ts";
import { coreHoursOf, gibHoursOf } from "../timeline/spent.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { stageMs, type RunRecord } from "./runRecord.ts";

type ShowMessage = (message: Message) => string;

/** `show`: translates a message. `time`: formats epoch milliseconds. */
interface PostMortemWords {
  readonly show: ShowMessage;
  readonly time: (at: number) => string;
}

const maxMarks = 20;
const maxStages = 15;

/**
 * Returns a report of a run in Markdown, to be pasted into a ticket. Escapes all strings, and redacts those again that
 * may contain a secret. `outcome`: the localized result.
 */
export function postMortemOf(
  run: RunRecord,
  timeline: Timeline | undefined,
  { outcome, ...words }: PostMortemWords & { readonly outcome: string },
): string {
  const { show, time } = words;
  const isSecret = defaultSecretRule;
  const clean = (text: string): string => escaped(redactLine(text, isSecret, plainMask));
  const duration =
    run.endedAt === undefined ? undefined : show(describeMs(run.endedAt - run.startedAt));
  const facts: readonly (readonly [string, string | undefined])[] = [
    [show(msg("Outcome")), clean(outcome)],
    [show(msg("Cause")), run.cause && clean(run.cause)],
    [show(msg("Started")), time(run.startedAt)],
    [show(msg("Ended")), run.endedAt === undefined ? undefined : time(run.endedAt)],
    [show(msg("Duration")), duration],
    [show(msg("Cluster")), clean(`${run.context}, ${run.namespace}`)],
    [show(msg("Application")), code(run.applicationId)],
    [show(msg("Program")), run.application && code(redactValue("", run.application, isSecret))],
    [show(msg("Main class")), run.mainClass && code(run.mainClass)],
    [show(msg("Arguments")), argumentsText(run.args, isSecret)],
    [show(msg("Image")), run.image && code(redactLine(run.image, isSecret))],
    [show(msg("Image digest")), run.digest && code(run.digest)],
    [show(msg("Git commit")), commitText(run, show)],
    [show(msg("Executors")), executorsText(run, show)],
    [
      show(msg("Requested resources")),
      run.spent &&
        show(
          msg`${short(coreHoursOf(run.spent))} core-hours, ${short(gibHoursOf(run.spent))} GiB-hours`,
        ),
    ],
  ];
  return (
    [
      `# ${clean(show(msg`Post-mortem: ${run.name}`))}`,
      table(
        [show(msg("Fact")), show(msg("Value"))],
        facts.flatMap(([name, value]) => (value ? [[name, value]] : [])),
      ),
      ...sectionsOf(timeline, words, clean),
      ...confSection(run, show),
    ].join("\n\n") + "\n"
  );
}

const confSection = ({ conf }: RunRecord, show: ShowMessage): readonly string[] =>
  conf.length === 0
    ? []
    : [
        `## ${show(msg("Configuration"))}`,
        fenced(
          conf.map(
            ([key, value]) => `${key}=${oneLine(redactValue(key, value, defaultSecretRule))}`,
          ),
        ),
      ];

function sectionsOf(
  timeline: Timeline | undefined,
  { show, time }: PostMortemWords,
  clean: (text: string) => string,
): readonly string[] {
  if (timeline === undefined) return [];
  const { marks, stages, samples } = timeline;
  const last = samples.at(-1);
  const peak = Math.max(0, ...samples.map(({ peakBytes }) => peakBytes ?? 0));
  const counts = countsOf(timeline);
  const maxRunning = Math.max(0, ...counts.map(({ running }) => running));
  const numbers: readonly (readonly [string, string | undefined])[] = [
    [show(msg("Peak running executors")), String(maxRunning)],
    [show(msg("Longest wait for executors")), waitText(timeline, { show, time })],
    [show(msg("Last driver metrics")), last && time(last.at)],
    [show(msg("Completed tasks")), last && String(last.completedTasks)],
    [show(msg("Failed tasks")), last && String(last.failedTasks)],
    [
      show(msg("Peak executor memory")),
      peak === 0
        ? undefined
        : last?.limitBytes === undefined
          ? describeValue(peak, "bytes")
          : show(
              msg`${describeValue(peak, "bytes")} of ${describeValue(last.limitBytes, "bytes")}`,
            ),
    ],
    [
      show(msg("Garbage collection")),
      last === undefined || last.taskMs === 0
        ? undefined
        : show(msg`${describeValue((100 * last.gcMs) / last.taskMs, "percent")} of task time`),
    ],
    [show(msg("Shuffle read")), last && describeValue(last.shuffleReadBytes, "bytes")],
    [show(msg("Shuffle write")), last && describeValue(last.shuffleWriteBytes, "bytes")],
    [
      show(msg("Spilled to disk")),
      last?.diskSpilledBytes === undefined
        ? undefined
        : describeValue(last.diskSpilledBytes, "bytes"),
    ],
  ];
  const slowStages = stages
    .filter((stage) => stageMs(stage) !== undefined)
    .sort((a, b) => (stageMs(b) ?? 0) - (stageMs(a) ?? 0))
    .slice(0, maxStages);
  const sections = [
    `## ${show(msg("Metrics"))}`,
    table(
      [show(msg("Fact")), show(msg("Value"))],
      numbers.flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
  ];
  if (marks.length > 0) {
    sections.push(
      `## ${show(msg("Kills, decommissions and failures"))}`,
      table(
        [show(msg("Time")), show(msg("Pod")), show(msg("Event"))],
        marks
          .slice(-maxMarks)
          .map(({ at, pod, kind, exit }) => [
            time(at),
            clean(pod),
            clean(`${kind} ${exit}`.trim()),
          ]),
      ),
    );
  }
  if (slowStages.length > 0) {
    sections.push(
      `## ${show(msg("Longest stages"))}`,
      table(
        [
          show(msg("Stage")),
          show(msg("Duration")),
          show(msg("Tasks")),
          show(msg("Failed")),
          show(msg("Name")),
        ],
        slowStages.map((stage) => [
          `${stage.stageId}.${stage.attemptId}`,
          show(describeMs(stageMs(stage) ?? 0)),
          String(stage.tasks),
          String(stage.failed),
          clean(stage.name),
        ]),
      ),
    );
  }
  return sections;
}

/**
 * Describes the longest period with pending executors. Undefined if there is none. Ignores a period that has not ended.
 */
function waitText(timeline: Timeline, { show, time }: PostMortemWords): string | undefined {
  let since: number | undefined;
  let wait = { ms: 0, from: 0 };
  for (const { at, pending } of countsOf(timeline)) {
    if (pending > 0) since ??= at;
    else if (since !== undefined) {
      if (at - since > wait.ms) wait = { ms: at - since, from: since };
      since = undefined;
    }
  }
  if (wait.ms === 0) return undefined;
  return show(msg`${describeMs(wait.ms)} from ${time(wait.from)}`);
}

function executorsText({ executors }: RunRecord, show: ShowMessage): string | undefined {
  return executors && show(msg`${executors.seen} seen, ${executors.failed} failed`);
}

function commitText({ git }: RunRecord, show: ShowMessage): string | undefined {
  if (git === undefined) return undefined;
  const { commit, branch, isDirty } = git;
  return [
    code(commit),
    ...(branch === undefined ? [] : [code(branch)]),
    ...(isDirty ? [show(msg("with uncommitted changes"))] : []),
  ].join(" ");
}

const argumentsText = (args: readonly string[], isSecret: IsSecret): string | undefined =>
  args.length === 0 ? undefined : redactArguments(args, isSecret).map(code).join(" ");

const short = (value: number): string => String(Number(value.toPrecision(3)));

const oneLine = (text: string): string => text.replace(/\r\n?|\n/g, " ");

/** Escapes text for Markdown, so that it contains no markup, mentions or links. */
const escaped = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_{}[\]()<>#+!|~&]/g, (character) => `\\${character}`)
    // Issue trackers turn URLs into links, and `@name` into a mention.
    .replace(/(\w):\/\//g, "$1:\u200b//")
    .replaceAll("@", "@\u200b");

/** Returns a Markdown code span. Escapes pipes, because they would end the table cell. */
function code(text: string): string {
  const plain = oneLine(text).replaceAll("|", "\\|");
  const ticks = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(ticks + 1);
  const pad = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return plain === "" ? "" : `${fence}${pad}${plain}${pad}${fence}`;
}

function fenced(lines: readonly string[]): string {
  const ticks = Math.max(
    2,
    ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const fence = "`".repeat(ticks + 1);
  return [fence + "properties", ...lines, fence].join("\n");
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
