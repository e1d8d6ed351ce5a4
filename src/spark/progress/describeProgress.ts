import { defaultSecretRule } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import { lateHeartbeatMs, updateAgeOf } from "./heartbeats.ts";
import {
  stageKeyOf,
  type ApplicationProgress,
  type ExecutionProgress,
  type JobProgress,
  type StageProgress,
  type StageTasks,
  type TaskProgress,
} from "./progress.ts";

/** `stage 12 · 340 of 2,000 tasks · 3 failed · 1 min left`; of several stages their sum. */
export function describeProgress({ stages, left }: ApplicationProgress): string {
  const [only, ...others] = stages;
  if (only === undefined) return "no active stage";
  if (others.length === 0) return joined(stageName(only), describeStage(only, left));
  return joined(`${stages.length} stages`, describeStage(sumOf(stages), new Map()));
}

/** For the row of the application, shortest first: `17 % of stage 12 · 3 tasks failed · 1 min left`. Empty without one. */
export function describeBriefly({ stages, left, problem }: ApplicationProgress): string {
  const [only, ...others] = stages;
  if (only === undefined || problem !== undefined) return "";
  const sum = sumOf(stages);
  const of = others.length === 0 ? stageName(only) : `${stages.length} stages`;
  const ms = others.length === 0 ? left.get(stageKeyOf(only)) : undefined;
  const failed = sum.failed === 0 ? "" : `${plural(sum.failed, "task")} failed`;
  return joined(`${percent(sum.done, sum.tasks)} of ${of}`, failed, describeLeft(ms));
}

/** `340 of 2,000 tasks · 3 failed · 1 min left`. */
export function describeStage(
  stage: StageProgress,
  left: ApplicationProgress["left"],
  sample?: StageTasks,
): string {
  const { tasks, done, failed, killed } = stage;
  return joined(
    doneOf(done, tasks),
    failed === 0 ? "" : `${grouped(failed)} failed`,
    killed === 0 ? "" : `${grouped(killed)} killed`,
    sample === undefined ? "" : describeSkew(sample),
    describeLeft(left.get(stageKeyOf(stage))),
  );
}

export const stageName = ({ stageId, attemptId }: StageProgress): string =>
  attemptId === 0 ? `stage ${stageId}` : `stage ${stageId}, attempt ${attemptId + 1}`;

export function describeJob(job: JobProgress): string {
  const stages = job.stageIds.length;
  return joined(
    doneOf(job.done, job.tasks),
    job.failed === 0 ? "" : `${grouped(job.failed)} failed`,
    stages > 1 ? `${job.doneStages} of ${stages} stages` : "",
    job.failedStages === 0 ? "" : plural(job.failedStages, "failed stage"),
    cleaned(job.description ?? job.name),
  );
}

export const describeExecution = (execution: ExecutionProgress): string =>
  joined(
    plural(execution.runningJobs.length, "running job"),
    execution.failedJobs === 0 ? "" : plural(execution.failedJobs, "failed job"),
    cleaned(execution.description),
  );

/** `task 17`; Spark UI counts attempts from 0, people from 1. */
export const taskName = ({ index, attempt }: TaskProgress): string =>
  attempt === 0 ? `task ${index}` : `task ${index}, attempt ${attempt + 1}`;

/** A failed task begins with its reason, a running one with its runtime. */
export function describeTask(task: TaskProgress, sample: StageTasks): string {
  const where = task.executorId === "" ? "" : `executor ${task.executorId}`;
  if (task.error !== undefined) return joined(reasonOf(task.error), where);
  const ms = runtimeOf(task, sample);
  const ratio = slownessOf(task, sample);
  const updateAge = updateAgeOf(task, sample) ?? 0;
  return joined(
    updateAge >= lateHeartbeatMs ? `no heartbeat for ${describeMs(updateAge)}` : "",
    ms === undefined ? "" : describeMs(ms),
    ratio === undefined ? "" : `${timesOf(ratio)} the median`,
    task.isSpeculative ? "speculative" : "",
    where,
    task.locality,
  );
}

/** The first line of an error; a lost executor's says why it was lost. */
export function reasonOf(error: string): string {
  const [line = ""] = error.trim().split("\n");
  const mark = ") Reason: ";
  const at = line.startsWith("ExecutorLostFailure (") ? line.indexOf(mark) : -1;
  return cleaned(at < 0 ? line : `executor lost: ${line.slice(at + mark.length)}`);
}

const minSlowMs = 10_000;
const slowRatio = 5;

/** The runtime of a running task as a multiple of the median; undefined unless it is much longer. */
function slownessOf(task: TaskProgress, sample: StageTasks): number | undefined {
  const ms = runtimeOf(task, sample);
  const { medianMs } = sample;
  if (ms === undefined || medianMs === undefined || medianMs <= 0) return undefined;
  return ms >= minSlowMs && ms >= slowRatio * medianMs ? ms / medianMs : undefined;
}

/** `slowest task 5.5 times the median`; empty unless a running task takes much longer than the others. */
function describeSkew(sample: StageTasks): string {
  const ratios = sample.running.flatMap((task) => slownessOf(task, sample) ?? []);
  return ratios.length === 0 ? "" : `slowest task ${timesOf(Math.max(...ratios))} the median`;
}

const runtimeOf = ({ launchedAt }: TaskProgress, { readAt }: StageTasks): number | undefined =>
  launchedAt === undefined ? undefined : Math.max(0, readAt - launchedAt);

/** `12 PROCESS_LOCAL, 8 ANY`: of the running tasks in the sample, the most frequent first. */
export function describeLocality({ running }: StageTasks): string {
  const counts = new Map<string, number>();
  for (const { locality } of running) counts.set(locality, (counts.get(locality) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([locality, count]) => `${count} ${locality}`)
    .join(", ");
}

/** `1 min left`, rounded up; empty without an estimate. */
export function describeLeft(ms: number | undefined): string {
  if (ms === undefined) return "";
  const seconds = ms / 1000;
  if (seconds < 55) return `${Math.max(5, 5 * Math.ceil(seconds / 5))} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min left` : `${Number((minutes / 60).toFixed(1))} h left`;
}

/** `8 s`, `3 min`. */
export function describeMs(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const timesOf = (ratio: number): string =>
  `${ratio < 10 ? Number(ratio.toFixed(1)) : Math.round(ratio)} times`;

// Rounded down, so that unfinished work is never shown as 100 %.
const percent = (done: number, tasks: number): string =>
  `${tasks === 0 ? 0 : Math.floor((100 * done) / tasks)} %`;

const doneOf = (done: number, tasks: number): string =>
  `${grouped(done)} of ${grouped(tasks)} ${tasks === 1 ? "task" : "tasks"}`;

const plural = (count: number, noun: string): string =>
  `${grouped(count)} ${count === 1 ? noun : `${noun}s`}`;

const grouped = (count: number): string => count.toLocaleString("en-US");

const sumOf = (stages: readonly StageProgress[]): StageProgress => ({
  ...{ stageId: 0, attemptId: 0, name: "", description: undefined, startedAt: undefined },
  tasks: total(stages, "tasks"),
  active: total(stages, "active"),
  done: total(stages, "done"),
  failed: total(stages, "failed"),
  killed: total(stages, "killed"),
});

const total = (
  stages: readonly StageProgress[],
  name: "tasks" | "active" | "done" | "failed" | "killed",
): number => stages.reduce((sum, stage) => sum + stage[name], 0);

const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(" · ");

const maxShown = 120;

/** A text of the driver in one line; it may repeat data or a secret of the program. */
function cleaned(text: string): string {
  const line = redactLine(text.replace(/\s+/g, " ").trim(), defaultSecretRule);
  return line.length <= maxShown ? line : `${line.slice(0, maxShown - 1).trimEnd()}…`;
}
