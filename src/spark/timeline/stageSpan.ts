import { fieldsOf, numberOf, textOf } from "../../base/json.ts";
import type { DriverList } from "../progress/driverQuery.ts";
import { stageKeyOf, type StageProgress } from "../progress/progress.ts";
import { defaultSecretRule } from "../redact.ts";
import { redactLine } from "../redactLine.ts";

const stageStatuses = ["ACTIVE", "PENDING", "COMPLETE", "FAILED", "SKIPPED"] as const;
type StageStatus = (typeof stageStatuses)[number];

/** An attempt of a stage with its times and totals. Times in epoch milliseconds. */
export interface StageSpan {
  readonly stageId: number;
  readonly attemptId: number;
  /** Redacted, because it may contain a query. */
  readonly name: string;
  readonly status: StageStatus;
  readonly submittedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly tasks: number;
  readonly done: number;
  readonly failed: number;
  readonly runMs: number;
  readonly gcMs: number;
  readonly inputBytes: number;
  readonly shuffleReadBytes: number;
  readonly shuffleWriteBytes: number;
  readonly memorySpilledBytes: number;
  readonly diskSpilledBytes: number;
}

/** The request for all stages that the driver retains (`spark.ui.retainedStages`, by default 1,000). */
export const allStages: DriverList<StageSpan> = {
  path: "stages?details=false&withSummaries=false",
  shape: "list",
  decode: decodeSpan,
};

export function decodeSpan(json: unknown): StageSpan | undefined {
  const item = fieldsOf(json);
  const [stageId, attemptId] = [numberOf(item["stageId"]), numberOf(item["attemptId"])];
  const status = stageStatuses.find((one) => one === item["status"]);
  if (stageId === undefined || attemptId === undefined || status === undefined) return undefined;
  const amount = (name: string): number => Math.max(0, numberOf(item[name]) ?? 0);
  return {
    stageId,
    attemptId,
    name: cleanName(textOf(item["description"]) ?? textOf(item["name"]) ?? ""),
    status,
    submittedAt: timeIn(item["submissionTime"]) ?? timeIn(item["firstTaskLaunchedTime"]),
    endedAt: timeIn(item["completionTime"]),
    tasks: amount("numTasks"),
    done: amount("numCompleteTasks"),
    failed: amount("numFailedTasks"),
    runMs: amount("executorRunTime"),
    gcMs: amount("jvmGcTime"),
    inputBytes: amount("inputBytes"),
    shuffleReadBytes: amount("shuffleReadBytes"),
    shuffleWriteBytes: amount("shuffleWriteBytes"),
    memorySpilledBytes: amount("memoryBytesSpilled"),
    diskSpilledBytes: amount("diskBytesSpilled"),
  };
}

/**
 * Returns the active stages, and those that have ended since the last poll. The list of active stages is shorter than
 * that of all stages, so it is read more often. Until all stages are read again, an ended stage has `now` (epoch ms) as
 * its end, and all its tasks count as done.
 */
export function spansOfActive(
  known: readonly StageSpan[],
  active: readonly StageProgress[],
  now: number,
): readonly StageSpan[] {
  const current = new Map(active.map((stage) => [stageKeyOf(stage), stage]));
  const byKey = new Map(known.map((span) => [stageKeyOf(span), span]));
  const ended = known
    .filter((span) => span.status === "ACTIVE" && !current.has(stageKeyOf(span)))
    .map((span): StageSpan => ({ ...span, status: "COMPLETE", done: span.tasks, endedAt: now }));
  const running = [...current].map(([key, stage]): StageSpan => {
    const { stageId, attemptId, tasks, done, failed, startedAt } = stage;
    const span = byKey.get(key) ?? { ...noTotals, submittedAt: startedAt ?? now };
    const name = cleanName(stage.description ?? stage.name);
    const counts = { tasks, done, failed };
    return { ...span, stageId, attemptId, name, ...counts, status: "ACTIVE", endedAt: undefined };
  });
  return [...ended, ...running];
}

const noTotals = {
  ...{ runMs: 0, gcMs: 0, inputBytes: 0, shuffleReadBytes: 0, shuffleWriteBytes: 0 },
  ...{ memorySpilledBytes: 0, diskSpilledBytes: 0 },
};

const maxName = 80;

const cleanName = (text: string): string =>
  redactLine(
    text
      .slice(0, 400)
      .replace(/<[^<>]*>/g, "")
      .replace(/\s+/g, " ")
      .trim(),
    defaultSecretRule,
  ).slice(0, maxName);

function timeIn(value: unknown): number | undefined {
  const time = Date.parse((textOf(value) ?? "").slice(0, 40).replace(/GMT$/, "Z"));
  return Number.isNaN(time) ? undefined : time;
}
