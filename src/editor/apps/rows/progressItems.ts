import { translated } from "../../../editor/ui/translated.ts";
import { l10n, ThemeColor, ThemeIcon, TreeItemCollapsibleState, type TreeItem } from "vscode";
import { assertNever } from "../../../base/assertNever.ts";
import {
  describeExecution,
  describeJob,
  describeLocality,
  describeMs,
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
import { defaultSecretRule } from "../../../spark/redact.ts";
import { redactLine } from "../../../spark/redactLine.ts";
import type { ProgressNode } from "../treeNode.ts";
import { itemOf, type Row } from "./row.ts";

/** The row of the running work or of a part of it; undefined if the part has ended. */
export function progressItem(
  node: ProgressNode,
  progress: ApplicationProgress,
): TreeItem | undefined {
  const row = rowOf(node, progress);
  if (row === undefined) return undefined;
  const { label, description } = row;
  return itemOf(node, {
    ...row,
    contextValue: "progress",
    spoken: description === "" ? label : `${label} · ${description}`,
  });
}

type ProgressRow = Omit<Row, "contextValue" | "spoken">;

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;
const running = (): ThemeIcon => new ThemeIcon("play-circle", new ThemeColor("charts.green"));

function rowOf({ part }: ProgressNode, progress: ApplicationProgress): ProgressRow | undefined {
  switch (part?.kind) {
    case undefined: {
      const { problem } = progress;
      return {
        label: l10n.t("progress"),
        state: problem === undefined ? Collapsed : None,
        description:
          problem === undefined ? translated(describeProgress(progress)) : problemWords(problem),
        icon: new ThemeIcon("pulse"),
      };
    }
    case "execution": {
      const execution = findExecution(progress, part.executionId);
      return (
        execution && {
          label: l10n.t("query {0}", execution.id),
          state: Expanded,
          description: translated(describeExecution(execution)),
          icon: new ThemeIcon("database"),
        }
      );
    }
    case "job": {
      const job = findJob(progress, part.jobId);
      return (
        job && {
          label: l10n.t("job {0}", job.jobId),
          state: Expanded,
          description: translated(describeJob(job)),
          icon: running(),
          details: () => [[l10n.t("Call site"), redactLine(job.name, defaultSecretRule)]],
        }
      );
    }
    case "stage": {
      const stage = findStage(progress, part.stageKey);
      const sample = progress.tasks.get(part.stageKey);
      return (
        stage && {
          label: translated(stageName(stage)),
          state: Collapsed,
          description: translated(describeStage(stage, progress.left, sample)),
          icon: new ThemeIcon("layers"),
          details: () => [
            [l10n.t("Call site"), redactLine(stage.name, defaultSecretRule)],
            [l10n.t("Description"), redactLine(stage.description ?? "", defaultSecretRule)],
            [l10n.t("Running tasks"), String(stage.active)],
            [l10n.t("Median task duration"), sample && medianWords(sample)],
            [l10n.t("Locality of the longest running tasks"), sample && describeLocality(sample)],
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

const medianWords = ({ medianMs }: StageTasks): string | undefined =>
  medianMs === undefined ? undefined : translated(describeMs(medianMs));

function taskRow(task: TaskProgress, sample: StageTasks): ProgressRow {
  const { error } = task;
  const updateAge = error === undefined ? updateAgeOf(task, sample) : undefined;
  return {
    label: translated(taskName(task)),
    state: None,
    description: translated(describeTask(task, sample)) ?? "",
    icon: error === undefined ? running() : new ThemeIcon("error", new ThemeColor("charts.red")),
    details: () => [
      [l10n.t("Error"), error && redactLine(error, defaultSecretRule)],
      [l10n.t("Reason"), error && translated(reasonOf(error))],
      [l10n.t("Host"), task.host],
      [l10n.t("Locality"), task.locality],
      [
        l10n.t("Last heartbeat"),
        updateAge === undefined
          ? undefined
          : l10n.t("at most {0} ago", translated(describeMs(updateAge))),
      ],
    ],
  };
}

/** One sentence for a driver that gives no facts. */
function problemWords(problem: ProgressProblem): string {
  switch (problem.kind) {
    case "forbidden":
      return l10n.t('needs the "get pods/proxy" permission');
    case "denied":
      return l10n.t("the driver's UI denies access");
    case "missing":
      return l10n.t("the driver does not know this application");
    case "silent":
      return l10n.t("the driver does not answer");
    case "unreachable":
      return l10n.t("the driver's UI is unreachable");
    case "failing":
      return l10n.t("the driver's UI failed with status {0}", problem.status);
    case "notSpark":
      return l10n.t("the driver's port answers with a page that is not Spark's API");
    default:
      return assertNever(problem);
  }
}
