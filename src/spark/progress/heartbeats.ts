import type { ApplicationProgress, StageTasks, TaskProgress } from "./progress.ts";

/**
 * The age of an executor's last heartbeat, at most, in milliseconds. The driver updates the duration of a running
 * task when an executor reports it. Undefined if no running task of the executor is in a sample that is younger
 * than 30 s.
 */
export function heartbeatAgeOf(
  { tasks }: Pick<ApplicationProgress, "tasks">,
  executorId: string,
  now: number,
): number | undefined {
  const ages = [...tasks.values()]
    .filter(({ readAt }) => now - readAt < maxSampleMs)
    .flatMap((sample) =>
      sample.running
        .filter((task) => task.executorId === executorId)
        .flatMap((task) => updateAgeOf(task, sample) ?? []),
    );
  return ages.length === 0 ? undefined : Math.min(...ages);
}

/** The time since the driver's last update of a running task, when the sample was read. */
export function updateAgeOf(
  { launchedAt, durationMs }: TaskProgress,
  { readAt }: StageTasks,
): number | undefined {
  return launchedAt === undefined ? undefined : Math.max(0, readAt - launchedAt - durationMs);
}

const maxSampleMs = 30_000;

/** Three heartbeats of 10 s (`spark.executor.heartbeatInterval`) are missing. The driver gives up after 120 s. */
export const lateHeartbeatMs = 30_000;
