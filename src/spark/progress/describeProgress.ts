import { dotted, msg, verbatim, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import { defaultSecretRule } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import { lateHeartbeatMs, updateAgeOf } from "./heartbeats.ts";
import {
  stageKeyOf,
  type ApplicationProgress,
  type ExecutionProgress,
  type JobProgress,
  type ProgressProblem,
  type StageProgress,
  type StageTasks,
  type TaskProgress,
} from "./progress.ts";

/** Returns `stage 12 · 340 of 2,000 tasks · 3 failed · 1 min left`. For several stages returns their sums. */
export function describeProgress({ stages, left }: ApplicationProgress): Message {
  const [only, ...others] = stages;
  if (only === undefined) return msg("no active stage");
  return others.length === 0
    ? dotted([stageName(only), describeStage(only, left)])
    : dotted([msg`${stages.length} stages`, describeStage(sumOf(stages), new Map())]);
}

/** Describes why the driver reports nothing. */
export function describeProblem(problem: ProgressProblem): Message {
  switch (problem.kind) {
    case "forbidden":
      return msg("not permitted: get pods/proxy");
    case "denied":
      return msg("the driver's UI denies access");
    case "missing":
      return msg("the driver does not know this application");
    case "silent":
      return msg("the driver does not respond");
    case "unreachable":
      return msg("the driver's UI is unreachable");
    case "failing":
      return msg`the driver's UI failed with status ${problem.status}`;
    case "notSpark":
      return msg("the driver's port does not serve Spark's REST API");
    default:
      return assertNever(problem);
  }
}

/**
 * Returns the text for the application's row: `17 % of stage 12 · 3 tasks failed · 1 min left`. Undefined without an
 * active stage, or after a problem.
 */
export function describeBriefly({
  stages,
  left,
  problem,
}: ApplicationProgress): Message | undefined {
  const [only, ...others] = stages;
  if (only === undefined || problem !== undefined) return undefined;
  const { done, tasks, failed } = sumOf(stages);
  const name = others.length === 0 ? stageName(only) : msg`${stages.length} stages`;
  const ms = others.length === 0 ? left.get(stageKeyOf(only)) : undefined;
  return dotted([
    msg`${percent(done, tasks)} % of ${name}`,
    failed === 0
      ? undefined
      : failed === 1
        ? msg("1 task failed")
        : msg`${grouped(failed)} tasks failed`,
    describeLeft(ms),
  ]);
}

/** Returns `340 of 2,000 tasks · 3 failed · 1 min left`. `sample`: the stage's tasks, if they are known. */
export function describeStage(
  stage: StageProgress,
  left: ApplicationProgress["left"],
  sample?: StageTasks,
): Message {
  const { tasks, done, failed, killed } = stage;
  return dotted([
    doneOf(done, tasks),
    failedCount(failed),
    killed === 0 ? undefined : msg`${grouped(killed)} killed`,
    sample === undefined ? undefined : describeSkew(sample),
    describeLeft(left.get(stageKeyOf(stage))),
  ]);
}

export const stageName = ({ stageId, attemptId }: StageProgress): Message =>
  attemptId === 0 ? msg`stage ${stageId}` : msg`stage ${stageId}, attempt ${attemptId + 1}`;

export function describeJob(job: JobProgress): Message {
  const stages = job.stageIds.length;
  const { failedStages } = job;
  return dotted([
    doneOf(job.done, job.tasks),
    failedCount(job.failed),
    stages > 1 ? msg`${job.doneStages} of ${stages} stages` : undefined,
    failedStages === 0
      ? undefined
      : failedStages === 1
        ? msg("1 failed stage")
        : msg`${grouped(failedStages)} failed stages`,
    data(job.description ?? job.name),
  ]);
}

export function describeExecution(execution: ExecutionProgress): Message {
  const running = execution.runningJobs.length;
  const failed = execution.failedJobs;
  return dotted([
    running === 1 ? msg("1 running job") : msg`${grouped(running)} running jobs`,
    failed === 0
      ? undefined
      : failed === 1
        ? msg("1 failed job")
        : msg`${grouped(failed)} failed jobs`,
    data(execution.description),
  ]);
}

/** Returns `task 17`. Counts attempts from 1, although Spark counts them from 0. */
export const taskName = ({ index, attempt }: TaskProgress): Message =>
  attempt === 0 ? msg`task ${index}` : msg`task ${index}, attempt ${attempt + 1}`;

/** Describes a task: the error of a failed task, or the runtime of a running one, followed by the executor. */
export function describeTask(task: TaskProgress, sample: StageTasks): Message | undefined {
  const where = task.executorId === "" ? undefined : msg`executor ${task.executorId}`;
  if (task.error !== undefined) return dotted([reasonOf(task.error), where]);
  const ms = runtimeOf(task, sample);
  const ratio = slownessOf(task, sample);
  const updateAge = updateAgeOf(task, sample) ?? 0;
  return dotted([
    updateAge >= lateHeartbeatMs ? msg`no heartbeat for ${describeMs(updateAge)}` : undefined,
    ms === undefined ? undefined : describeMs(ms),
    ratio === undefined ? undefined : msg`${timesOf(ratio)} times the median`,
    task.isSpeculative ? msg("speculative") : undefined,
    where,
    data(task.locality),
  ]);
}

/** Returns the first line of an error. For a lost executor returns the reason of the loss. */
export function reasonOf(error: string): Message {
  const [line = ""] = error.trim().split("\n");
  const mark = ") Reason: ";
  const at = line.startsWith("ExecutorLostFailure (") ? line.indexOf(mark) : -1;
  if (at < 0) return verbatim(cleaned(line));
  return msg`executor lost: ${cleaned(line.slice(at + mark.length))}`;
}

const minSlowMs = 10_000;
const slowRatio = 5;

/** Returns the runtime of a running task as a multiple of the median. Undefined unless the task takes much longer. */
function slownessOf(task: TaskProgress, sample: StageTasks): number | undefined {
  const ms = runtimeOf(task, sample);
  const { medianMs } = sample;
  if (ms === undefined || medianMs === undefined || medianMs <= 0) return undefined;
  return ms >= minSlowMs && ms >= slowRatio * medianMs ? ms / medianMs : undefined;
}

/** Returns `slowest task 5.5 times the median`. Undefined unless a running task takes much longer than the others. */
function describeSkew(sample: StageTasks): Message | undefined {
  const ratios = sample.running.flatMap((task) => slownessOf(task, sample) ?? []);
  return ratios.length === 0
    ? undefined
    : msg`slowest task ${timesOf(Math.max(...ratios))} times the median`;
}

const runtimeOf = ({ launchedAt }: TaskProgress, { readAt }: StageTasks): number | undefined =>
  launchedAt === undefined ? undefined : Math.max(0, readAt - launchedAt);

/** Counts the localities of the running tasks in the sample, most frequent first: `12 PROCESS_LOCAL, 8 ANY`. */
export function describeLocality({ running }: StageTasks): string {
  const counts = new Map<string, number>();
  for (const { locality } of running) counts.set(locality, (counts.get(locality) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([locality, count]) => `${count} ${locality}`)
    .join(", ");
}

/** Returns `1 min left`, rounded up. Undefined without an estimate. */
export function describeLeft(ms: number | undefined): Message | undefined {
  if (ms === undefined) return undefined;
  const seconds = ms / 1000;
  if (seconds < 55) return msg`${Math.max(5, 5 * Math.ceil(seconds / 5))} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? msg`${minutes} min left` : msg`${Number((minutes / 60).toFixed(1))} h left`;
}

/** Formats milliseconds as `8 s`, `3 min` or `2 h`. */
export function describeMs(ms: number): Message {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return msg`${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? msg`${minutes} min` : msg`${Math.round(minutes / 60)} h`;
}

const timesOf = (ratio: number): number =>
  ratio < 10 ? Number(ratio.toFixed(1)) : Math.round(ratio);

// Rounds down, so that unfinished work is never shown as 100 %.
const percent = (done: number, tasks: number): number =>
  tasks === 0 ? 0 : Math.floor((100 * done) / tasks);

const doneOf = (done: number, tasks: number): Message =>
  tasks === 1 ? msg`${grouped(done)} of 1 task` : msg`${grouped(done)} of ${grouped(tasks)} tasks`;

const failedCount = (failed: number): Message | undefined =>
  failed === 0 ? undefined : msg`${grouped(failed)} failed`;

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

const maxShown = 120;

/**
 * Returns a string from the driver as one line of at most 120 characters. Redacts it, because it may contain a secret.
 */
function cleaned(text: string): string {
  const line = redactLine(text.replace(/\s+/g, " ").trim(), defaultSecretRule);
  return line.length <= maxShown ? line : `${line.slice(0, maxShown - 1).trimEnd()}…`;
}

/** Like `cleaned`, as a message. Undefined if the string is empty. */
function data(text: string): Message | undefined {
  const shown = cleaned(text);
  return shown === "" ? undefined : verbatim(shown);
}
