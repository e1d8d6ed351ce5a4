import { binarySize } from "../binarySize.ts";
import type { EventLog, LoggedJob, LoggedStage } from "./eventLog.ts";
import { metricQuantiles } from "./taskMetrics.ts";

/** A summary of an event log in plain text: what ran, how long, what failed. Texts are in one line each. */
export function summarizeLog(log: EventLog): string {
  const { application, executors, stages } = log;
  const name = application.name ?? application.id ?? "Spark application";
  return [
    oneLine(name),
    "=".repeat(Math.min(80, oneLine(name).length)),
    "",
    ...factsOf(log),
    "",
    ...sectionOf("Failures", failuresOf(log)),
    ...sectionOf("Jobs", tableOf(["job", "state", "time", "stages", "description"], jobRows(log))),
    ...sectionOf(
      "Stages, the longest first",
      tableOf(
        [
          "stage",
          "state",
          "time",
          "tasks",
          "failed",
          "median",
          "max",
          "read",
          "shuffle",
          "spill",
          "name",
        ],
        [...stages]
          .sort((a, b) => timeOf(b) - timeOf(a))
          .slice(0, maxRows)
          .map(stageRow),
      ),
    ),
    ...sectionOf(
      "Executors",
      tableOf(
        ["executor", "cores", "tasks", "failed", "task time", "GC", "peak heap", "removed"],
        executors
          .slice(0, maxRows)
          .map((one) => [
            one.id,
            String(one.cores),
            grouped(one.succeeded + one.failed + one.killed),
            grouped(one.failed),
            duration(one.taskTime),
            duration(one.totals.jvmGcTime),
            size(one.peaks["JVMHeapMemory"] ?? 0),
            oneLine(one.removedReason ?? ""),
          ]),
      ),
    ),
  ].join("\n");
}

const maxRows = 200;

function factsOf(log: EventLog): readonly string[] {
  const { application, sparkVersion, javaVersion, executors, jobs, stages } = log;
  const { startedAt, endedAt, exitCode } = application;
  const end = endedAt ?? log.lastAt;
  const tasks = stages.reduce((sum, stage) => sum + stage.succeeded, 0);
  const failed = stages.reduce((sum, stage) => sum + stage.failed, 0);
  const facts: readonly (readonly [string, string])[] = [
    ["Application", application.id ?? ""],
    ["Spark", sparkVersion ?? ""],
    ["Java", javaVersion ?? ""],
    ["User", application.user ?? ""],
    ["Started", startedAt === undefined ? "" : new Date(startedAt).toISOString()],
    [
      endedAt === undefined ? "Running for at least" : "Duration",
      startedAt === undefined || end === undefined ? "" : duration(end - startedAt),
    ],
    ["Exit code", exitCode === undefined ? "" : String(exitCode)],
    ["Executors", grouped(executors.length)],
    ["Jobs", grouped(jobs.length)],
    ["Stages", grouped(stages.length)],
    ["Tasks", `${grouped(tasks)} succeeded, ${grouped(failed)} failed`],
  ];
  return facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${`${name}:`.padEnd(22)}${oneLine(value)}`);
}

function failuresOf({ jobs, stages, executions }: EventLog): readonly string[] {
  const ofStages = stages.flatMap((stage) => [
    ...(stage.failure === undefined ? [] : [`${stageName(stage)}: ${oneLine(stage.failure)}`]),
    ...[...stage.errors].map(
      ([error, count]) => `${stageName(stage)}: ${times(count)} ${oneLine(error)}`,
    ),
  ]);
  const ofJobs = jobs.flatMap(({ jobId, failure }) =>
    failure === undefined ? [] : [`job ${jobId}: ${oneLine(failure)}`],
  );
  const ofQueries = executions.flatMap(({ id, failure }) =>
    failure === undefined ? [] : [`query ${id}: ${oneLine(failure)}`],
  );
  return [...ofJobs, ...ofQueries, ...ofStages].slice(0, maxRows);
}

const jobRows = ({ jobs }: EventLog): readonly (readonly string[])[] =>
  jobs
    .slice(0, maxRows)
    .map((job: LoggedJob) => [
      String(job.jobId),
      job.state,
      span(job.submittedAt, job.endedAt),
      job.stageIds.slice(0, 8).join(" "),
      oneLine(job.description ?? ""),
    ]);

function stageRow(stage: LoggedStage): readonly string[] {
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
    span(stage.submittedAt, stage.endedAt),
    grouped(stage.succeeded),
    grouped(stage.failed),
    duration(median),
    duration(max),
    size(inputBytes),
    size(shuffleReadBytes),
    size(memoryBytesSpilled),
    oneLine(stage.name),
  ];
}

const stageName = ({ stageId, attemptId }: LoggedStage): string =>
  attemptId === 0 ? `stage ${stageId}` : `stage ${stageId}, attempt ${attemptId + 1}`;

const timeOf = ({ submittedAt, endedAt }: LoggedStage): number =>
  submittedAt === undefined || endedAt === undefined ? 0 : endedAt - submittedAt;

const sectionOf = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, "-".repeat(title.length), ...lines, ""];

/** Columns as wide as their longest cell; the last column is not padded. Empty without rows. */
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

const span = (from: number | undefined, to: number | undefined): string =>
  from === undefined || to === undefined ? "" : duration(to - from);

function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const size = (bytes: number): string => (bytes === 0 ? "0" : binarySize(bytes));

const times = (count: number): string => (count === 1 ? "once" : `${grouped(count)} times`);

const grouped = (count: number): string => count.toLocaleString("en-US");

const maxShown = 200;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxShown ? line : `${line.slice(0, maxShown - 1).trimEnd()}…`;
}
