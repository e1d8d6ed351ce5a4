import type { ApplicationProgress, StageTasks, TaskProgress } from "./progress.ts";

/**
 * Returns an upper bound, in milliseconds, of the age of an executor's last heartbeat when the sample was read. The
 * driver updates the duration of a running task with each heartbeat, so the latest update dates it. Undefined if no
 * sample younger than 30 s contains a running task of the executor.
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

/**
 * Returns the age of the driver's last update of a running task when the sample was read, in milliseconds. Undefined if
 * the launch time is unknown.
 */
export function updateAgeOf(
  { launchedAt, durationMs }: TaskProgress,
  { readAt }: StageTasks,
): number | undefined {
  return launchedAt === undefined ? undefined : Math.max(0, readAt - launchedAt - durationMs);
}

const maxSampleMs = 30_000;

/**
 * At this age, three heartbeats are missing (`spark.executor.heartbeatInterval`, by default 10 s). By default, the
 * driver removes the executor after 120 s.
 */
export const lateHeartbeatMs = 30_000;
