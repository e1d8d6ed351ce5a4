// Recorded REST responses of real drivers. Traces are cut to 1,500 characters; metrics and plans are removed.
import { readFileSync } from "node:fs";
import type { DriverList } from "../../../src/spark/progress/driverQuery.ts";
import { noProgress, type ApplicationProgress } from "../../../src/spark/progress/progress.ts";
import {
  activeStages,
  executionsFrom,
  slowTasks,
  lastFailedTasks,
  medianDuration,
  runningJobs,
} from "../../../src/spark/progress/driverQuery.ts";
import { stageKeyOf } from "../../../src/spark/progress/progress.ts";

interface Moment {
  readonly stages: readonly unknown[];
  readonly jobs: readonly unknown[];
  readonly sql: readonly unknown[];
  readonly running?: Readonly<Record<string, readonly unknown[]>>;
  readonly failed?: Readonly<Record<string, readonly unknown[]>>;
  readonly summary?: Readonly<Record<string, Summary>>;
}

interface Summary {
  readonly quantiles: readonly number[];
  readonly duration: readonly number[];
}

export const sparkVersions = ["4.3.0", "3.5.9"] as const;

export const recordedAnswers = (
  version: (typeof sparkVersions)[number],
  moment: string,
): Moment => {
  const text = readFileSync(new URL(`recordings/${version}.json`, import.meta.url), "utf8");
  const found = (JSON.parse(text) as Record<string, Moment>)[moment];
  if (found === undefined) throw new Error(`no recording ${moment}`);
  return found;
};

/** The recordings contain more quantiles than the query requests, so keep only the median. */
const medianOf = (summary: Summary | undefined): unknown => ({
  duration: [summary?.duration[summary.quantiles.indexOf(0.5)]],
});

/** Returns the progress according to these responses. `readAt` is in epoch milliseconds. */
export function progressIn(answers: Moment, readAt: number): ApplicationProgress {
  const rows = <T>({ decode }: DriverList<T>, items: readonly unknown[] = []): readonly T[] =>
    items.flatMap((item) => decode(item) ?? []);
  const stages = rows(activeStages, answers.stages);
  const tasks = stages.map((stage) => {
    const key = stageKeyOf(stage);
    const sample = {
      running: rows(slowTasks(stage), answers.running?.[key]),
      failed: rows(lastFailedTasks(stage), answers.failed?.[key]),
      medianMs: rows(medianDuration(stage), [medianOf(answers.summary?.[key])])[0],
      readAt,
    };
    return [key, sample] as const;
  });
  const executions = rows(executionsFrom(0), answers.sql).filter(({ isRunning }) => isRunning);
  const jobs = rows(runningJobs, answers.jobs);
  return { ...noProgress, stages, jobs, executions, tasks: new Map(tasks) };
}
