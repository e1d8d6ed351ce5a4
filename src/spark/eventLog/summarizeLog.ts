import { msg, verbatim, type Message, type ShowMessage } from "../../base/message.ts";
import { binarySize } from "../binarySize.ts";
import { describeDuration } from "../describeDuration.ts";
import type { EventLog, LoggedJob, LoggedStage } from "./eventLog.ts";
import { metricQuantiles } from "./taskMetrics.ts";

/** Formats epoch milliseconds for display. */
type ShowTime = (at: number) => string;

/**
 * Returns a plain-text summary of an event log: failures, and tables of jobs, stages and executors. Puts each string
 * from the log on one line.
 */
export function summarizeLog(log: EventLog, show: ShowMessage, time: ShowTime): string {
  const { application, executors, stages } = log;
  const name = application.name ?? application.id ?? show(msg("Spark application"));
  const section = (title: Message, lines: readonly string[]): readonly string[] =>
    sectionOf(show(title), lines);
  const table = (
    head: readonly Message[],
    rows: readonly (readonly string[])[],
  ): readonly string[] => tableOf(head.map(show), rows);
  return [
    oneLine(name),
    "=".repeat(Math.min(80, oneLine(name).length)),
    "",
    ...incompleteness(log, show),
    ...factsOf(log, show, time),
    "",
    ...section(msg("Failures"), failuresOf(log, show)),
    ...section(
      msg("Jobs"),
      table(
        [msg("job"), msg("state"), msg("time"), msg("stages"), msg("description")],
        jobRows(log, show),
      ),
    ),
    ...section(
      msg("Stages, longest first"),
      table(
        [
          msg("stage"),
          msg("state"),
          msg("time"),
          msg("tasks"),
          msg("failed"),
          msg("median"),
          msg("max"),
          msg("read"),
          msg("shuffle"),
          msg("spill"),
          msg("name"),
        ],
        [...stages]
          .sort((a, b) => timeOf(b) - timeOf(a))
          .slice(0, maxRows)
          .map((stage) => stageRow(stage, show)),
      ),
    ),
    ...section(
      msg("Executors"),
      table(
        [
          msg("executor"),
          msg("cores"),
          msg("tasks"),
          msg("failed"),
          msg("task time"),
          msg("GC"),
          msg("peak heap"),
          msg("removed"),
        ],
        executors
          .slice(0, maxRows)
          .map((one) => [
            one.id,
            String(one.cores),
            grouped(one.succeeded + one.failed + one.killed),
            grouped(one.failed),
            show(describeDuration(one.taskTime)),
            show(describeDuration(one.totals.jvmGcTime)),
            size(one.peaks["JVMHeapMemory"] ?? 0),
            oneLine(one.removedReason ?? ""),
          ]),
      ),
    ),
  ].join("\n");
}

const maxRows = 200;

function incompleteness(log: EventLog, show: ShowMessage): readonly string[] {
  if (log.isTorn) {
    return [
      show(
        msg(
          "The log is incomplete: it is cut off in the middle of an event, or damaged. Later events are missing.",
        ),
      ),
      show(msg("The log of a running driver can also be incomplete.")),
      "",
    ];
  }
  if (log.application.endedAt !== undefined) return [];
  return [
    show(
      msg(
        "The log does not contain the end of the application. Its driver was still running or was killed, or the log is incomplete.",
      ),
    ),
    "",
  ];
}

function factsOf(log: EventLog, show: ShowMessage, time: ShowTime): readonly string[] {
  const { application, sparkVersion, javaVersion, executors, jobs, stages } = log;
  const { startedAt, endedAt, exitCode } = application;
  const end = endedAt ?? log.lastAt;
  const tasks = stages.reduce((sum, stage) => sum + stage.succeeded, 0);
  const failed = stages.reduce((sum, stage) => sum + stage.failed, 0);
  const facts: readonly (readonly [Message, string])[] = [
    [msg("Application"), application.id ?? ""],
    [msg("Spark"), sparkVersion ?? ""],
    [msg("Java"), javaVersion ?? ""],
    [msg("User"), application.user ?? ""],
    [msg("Started"), startedAt === undefined ? "" : time(startedAt)],
    [
      endedAt === undefined ? msg("Running for at least") : msg("Duration"),
      startedAt === undefined || end === undefined ? "" : show(describeDuration(end - startedAt)),
    ],
    [msg("Exit code"), exitCode === undefined ? "" : String(exitCode)],
    [msg("Executors"), grouped(executors.length)],
    [msg("Jobs"), grouped(jobs.length)],
    [msg("Stages"), grouped(stages.length)],
    [msg("Tasks"), show(msg`${grouped(tasks)} succeeded, ${grouped(failed)} failed`)],
  ];
  return facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${`${show(name)}:`.padEnd(22)}${oneLine(value)}`);
}

function failuresOf({ jobs, stages, executions }: EventLog, show: ShowMessage): readonly string[] {
  const line = (place: Message, failure: string): string =>
    show(msg`${place}: ${oneLine(failure)}`);
  const ofStages = stages.flatMap((stage) => [
    ...(stage.failure === undefined ? [] : [line(stageName(stage), stage.failure)]),
    ...[...stage.errors].map(([error, count]) =>
      show(msg`${stageName(stage)}: ${times(count)} ${oneLine(error)}`),
    ),
  ]);
  const ofJobs = jobs.flatMap(({ jobId, failure }) =>
    failure === undefined ? [] : [line(msg`job ${jobId}`, failure)],
  );
  const ofQueries = executions.flatMap(({ id, failure }) =>
    failure === undefined ? [] : [line(msg`query ${id}`, failure)],
  );
  return [...ofJobs, ...ofQueries, ...ofStages].slice(0, maxRows);
}

/** Sorts stage ids in ascending order, because job events list them in hash table order. Shows at most eight. */
function stageCell(stageIds: readonly number[]): string {
  const sorted = [...stageIds].sort((a, b) => a - b);
  const more = sorted.length - maxStages;
  return [...sorted.slice(0, maxStages), ...(more > 0 ? [`+${more}`] : [])].join(" ");
}

const maxStages = 8;

const jobRows = ({ jobs }: EventLog, show: ShowMessage): readonly (readonly string[])[] =>
  jobs
    .slice(0, maxRows)
    .map((job: LoggedJob) => [
      String(job.jobId),
      job.state,
      show(span(job.submittedAt, job.endedAt)),
      stageCell(job.stageIds),
      oneLine(job.description ?? ""),
    ]);

function stageRow(stage: LoggedStage, show: ShowMessage): readonly string[] {
  const [median = 0, max = 0] =
    metricQuantiles(
      stage.tasks,
      ({ launchedAt, finishedAt }) => finishedAt - launchedAt,
      [0.5, 1],
    ) ?? [];
  const { inputBytes, shuffleReadBytes, memoryBytesSpilled } = stage.totals;
  return [
    stage.attemptId === 0 ? String(stage.stageId) : `${stage.stageId}.${stage.attemptId}`,
    stage.state,
    show(span(stage.submittedAt, stage.endedAt)),
    grouped(stage.succeeded),
    grouped(stage.failed),
    show(describeDuration(median)),
    show(describeDuration(max)),
    size(inputBytes),
    size(shuffleReadBytes),
    size(memoryBytesSpilled),
    oneLine(stage.name),
  ];
}

const stageName = ({ stageId, attemptId }: LoggedStage): Message =>
  attemptId === 0 ? msg`stage ${stageId}` : msg`stage ${stageId}, attempt ${attemptId + 1}`;

const timeOf = ({ submittedAt, endedAt }: LoggedStage): number =>
  submittedAt === undefined || endedAt === undefined ? 0 : endedAt - submittedAt;

const sectionOf = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, "-".repeat(title.length), ...lines, ""];

/**
 * Returns the lines of a table. Columns are as wide as their longest cell; the last one is not padded. Empty without
 * rows.
 */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

const span = (from: number | undefined, to: number | undefined): Message =>
  from === undefined || to === undefined ? verbatim("") : describeDuration(to - from);

const size = (bytes: number): string => (bytes === 0 ? "0" : binarySize(bytes));

const times = (count: number): Message =>
  count === 1 ? msg("once") : msg`${grouped(count)} times`;

const grouped = (count: number): string => count.toLocaleString("en-US");

const maxShown = 200;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxShown ? line : `${line.slice(0, maxShown - 1).trimEnd()}…`;
}
