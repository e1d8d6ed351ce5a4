import { msg, type Message } from "../../../base/message.ts";
import { assertNever } from "../../../base/assertNever.ts";
import { canI } from "../../../engine/clusterErrorWords.ts";
import {
  describeExecution,
  describeJob,
  describeLocality,
  describeMs,
  describeProblem,
  describeProgress,
  describeStage,
  describeTask,
  stageName,
  reasonOf,
  taskName,
} from "../../../spark/progress/describeProgress.ts";
import { updateAgeOf } from "../../../spark/progress/heartbeats.ts";
import type {
  ApplicationProgress,
  ProgressProblem,
  StageTasks,
  TaskProgress,
} from "../../../spark/progress/progress.ts";
import { findExecution, findJob, findStage } from "../../../spark/progress/progressTree.ts";
import type { ProgressNode } from "../treeNode.ts";
import { runningIcon } from "./icons.ts";
import type { Details, Row } from "./row.ts";

/**
 * Returns the contents of a progress row, or of the row of a query, job, stage or task below it. Undefined if that has
 * ended.
 */
export function progressRow(
  node: ProgressNode,
  progress: ApplicationProgress,
  namespace: string | undefined,
): Row | undefined {
  const row = rowOf(node, progress, namespace);
  if (row === undefined) return undefined;
  const { label, description } = row;
  return {
    ...row,
    contextValue: "progress",
    spoken: description === "" ? label : msg`${label} · ${description}`,
  };
}

type ProgressRow = Omit<Row, "contextValue" | "spoken">;

function rowOf(
  { part }: ProgressNode,
  progress: ApplicationProgress,
  namespace: string | undefined,
): ProgressRow | undefined {
  switch (part?.kind) {
    case undefined: {
      const { problem } = progress;
      return {
        label: msg("progress"),
        state: problem === undefined ? "collapsed" : "none",
        description: problem === undefined ? describeProgress(progress) : describeProblem(problem),
        icon: { id: "pulse" },
        ...(problem !== undefined && { details: () => problemDetails(problem, namespace) }),
      };
    }
    case "execution": {
      const execution = findExecution(progress, part.executionId);
      return (
        execution && {
          label: msg`query ${execution.id}`,
          state: "expanded",
          description: describeExecution(execution),
          icon: { id: "database" },
        }
      );
    }
    case "job": {
      const job = findJob(progress, part.jobId);
      return (
        job && {
          label: msg`job ${job.jobId}`,
          state: "expanded",
          description: describeJob(job),
          icon: runningIcon,
          details: () => [[msg("Call site"), job.name]],
        }
      );
    }
    case "stage": {
      const stage = findStage(progress, part.stageKey);
      const sample = progress.tasks.get(part.stageKey);
      return (
        stage && {
          label: stageName(stage),
          state: "collapsed",
          description: describeStage(stage, progress.left, sample),
          icon: { id: "layers" },
          details: () => [
            [msg("Call site"), stage.name],
            [msg("Description"), stage.description],
            [msg("Running tasks"), String(stage.active)],
            [msg("Median task duration"), sample && medianWords(sample)],
            [msg("Locality of the longest running tasks"), sample && describeLocality(sample)],
          ],
        }
      );
    }
    case "task": {
      const sample = progress.tasks.get(part.stageKey);
      const task = [...(sample?.failed ?? []), ...(sample?.running ?? [])].find(
        ({ taskId }) => taskId === part.taskId,
      );
      return sample && task && taskRow(task, sample);
    }
    default:
      return assertNever(part);
  }
}

/** Returns the problem for the tooltip, because a narrow row cuts off its description. */
const problemDetails = (
  problem: ProgressProblem,
  namespace: string | undefined,
): ReturnType<Details> => [
  [msg("Problem"), describeProblem(problem)],
  [
    msg("Fix"),
    problem.kind === "forbidden"
      ? msg`Ask for the permission, and check it with "${canI({ verb: "get", resource: "pods/proxy", namespace })}".`
      : undefined,
  ],
];

const medianWords = ({ medianMs }: StageTasks): Message | undefined =>
  medianMs === undefined ? undefined : describeMs(medianMs);

function taskRow(task: TaskProgress, sample: StageTasks): ProgressRow {
  const { error } = task;
  const updateAge = error === undefined ? updateAgeOf(task, sample) : undefined;
  return {
    label: taskName(task),
    state: "none",
    description: describeTask(task, sample) ?? "",
    icon: error === undefined ? runningIcon : { id: "error", color: "charts.red" },
    details: () => [
      [msg("Error"), error],
      [msg("Reason"), error && reasonOf(error)],
      [msg("Host"), task.host],
      [msg("Locality"), task.locality],
      [
        msg("Last heartbeat"),
        updateAge === undefined ? undefined : msg`at most ${describeMs(updateAge)} ago`,
      ],
    ],
  };
}
