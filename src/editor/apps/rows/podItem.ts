import { l10n, TreeItemCollapsibleState, type TreeItem } from "vscode";
import { sharedIdRule } from "../../../spark/diagnosis/applicationWide.ts";
import { isKept } from "../../../spark/diagnosis/describe.ts";
import type { Diagnosis } from "../../../spark/diagnosis/diagnosis.ts";
import {
  describePodUsage,
  describeUsage,
  type ExecutorUsage,
  type PodUsage,
} from "../../../spark/diagnosis/executorUsage.ts";
import type { Application, ExecutorPod, SparkPod } from "../../../spark/pods/application.ts";
import { ownProfileOf } from "../../../spark/pods/executorPods.ts";
import { isSimulated } from "../../../spark/pods/origin.ts";
import { describeExit } from "../../../spark/pods/podExit.ts";
import type { PodRecord } from "../../../spark/pods/podRecord.ts";
import { sparkContainerOf } from "../../../spark/pods/sparkContainer.ts";
import { defaultSecretRule } from "../../../spark/redact.ts";
import { redactLine } from "../../../spark/redactLine.ts";
import { contextValues } from "../../ids.ts";
import type { Fact } from "../../ui/markdown.ts";
import type { Mark } from "../decorateRows.ts";
import { formatAge } from "../formatAge.ts";
import type { TreeNode } from "../treeNode.ts";
import { diagnosisDetails, durationWords, isFromLog, timeWords } from "./details.ts";
import { greyed, iconOf } from "./icons.ts";
import { itemOf } from "./row.ts";
import { timesOf } from "../../../spark/pods/podTimes.ts";
import { podText } from "./rowText.ts";
import { translated } from "../../ui/translated.ts";

/** A driver's or an executor's row, as its kind determines it. */
interface PodRow {
  readonly label: string;
  /** The context values of an ended and of a running pod. */
  readonly contexts: readonly [ended: string, running: string];
  /** The first one explains the row. */
  readonly diagnoses: readonly Diagnosis[];
  /** An activity that the pod's status does not show. */
  readonly doing?: string | undefined;
  readonly further?: readonly Fact[];
  /** Facts of this moment. */
  readonly reported?: () => readonly Fact[];
  readonly usage: UsageSource;
}

type ExecutorRow = Pick<PodRow, "diagnoses" | "doing" | "usage"> & {
  /** The age of the last heartbeat; undefined if unknown. */
  readonly heartbeat: () => string | undefined;
};

/** The resource usage of a pod, read when its tooltip is shown. */
export interface UsageSource {
  /** Undefined if the driver did not report it. */
  readonly byDriver: () => ExecutorUsage | undefined;
  /** Undefined without metrics-server. */
  readonly byMetrics: () => Promise<PodUsage | undefined>;
}

export const driverItem = (
  node: TreeNode,
  driver: SparkPod,
  row: Pick<PodRow, "diagnoses" | "usage">,
  now: number,
): TreeItem =>
  podItem(
    node,
    driver,
    {
      ...row,
      label: l10n.t("driver"),
      contexts: [contextValues.driver, contextValues.runningDriver],
    },
    now,
  );

export const executorItem = (
  node: TreeNode,
  executor: ExecutorPod,
  { formerIds }: Application,
  { heartbeat, ...row }: ExecutorRow,
  now: number,
): TreeItem =>
  podItem(
    node,
    executor,
    {
      ...row,
      reported: () => [[l10n.t("Last heartbeat"), heartbeat()]],
      label: executorName(executor),
      contexts: [contextValues.executor, contextValues.runningExecutor],
      further: [
        [l10n.t("Previous executor IDs"), formerIds.get(executor.pod.uid)?.join(", ")],
        [l10n.t("Resource profile"), ownProfileOf(executor.pod)],
      ],
    },
    now,
  );

export const executorName = ({ executorId, pod }: ExecutorPod): string =>
  executorId === undefined ? pod.name : l10n.t("executor {0}", executorId);

function podItem(
  node: TreeNode,
  { pod, state }: SparkPod,
  { label, contexts: [atRest, running], diagnoses, doing, further = [], reported, usage }: PodRow,
  now: number,
): TreeItem {
  const [diagnosis, ...others] = diagnoses;
  const { startedAt, endedAt } = timesOf({ pod, state });
  const age = formatAge(startedAt ?? pod.creationTimestamp, now);
  const lasted =
    endedAt === undefined || startedAt === undefined
      ? age
      : l10n.t("ran {0}", formatAge(startedAt, Date.parse(endedAt)));
  const { description, spoken, words } = podText({ pod, state }, diagnosis, doing, lasted);
  const ended = ["succeeded", "failed", "stopped", "deleted"].includes(state.kind);
  return itemOf(node, {
    label,
    state: TreeItemCollapsibleState.None,
    name: pod.name,
    description: translated(description),
    icon: isKept(pod) ? greyed(iconOf(state)) : iconOf(state),
    mark: isKept(pod) ? "kept" : markOf(state, diagnoses),
    contextValue: [
      ended ? atRest : running,
      isFromLog(diagnosis) ? contextValues.explained : "",
      diagnosis === undefined ? "" : contextValues.diagnosed,
      hasRestarted(pod) ? contextValues.restarted : "",
    ].join(""),
    spoken: `${label}: ${translated(spoken)}`,
    details: async () => [
      [
        l10n.t("Simulation"),
        isSimulated(pod) ? l10n.t("no process runs in this pod; its log is generated") : undefined,
      ],
      [l10n.t("Pod"), pod.name],
      [l10n.t("Namespace"), pod.namespace],
      [l10n.t("State"), translated(words)],
      ...further,
      [l10n.t("Last exit"), lastExitOf(state)],
      [l10n.t("Exit code"), exitCodeOf(state)],
      ...(diagnosis === undefined
        ? [[l10n.t("Cause"), redactLine(whyOf(state) ?? "", defaultSecretRule)] as const]
        : diagnosisDetails(diagnosis)),
      ...others.map(({ fact }) => [l10n.t("Also"), translated(fact)] as const),
      ...(state.kind === "running" ? await usageDetails(pod, usage) : []),
      ...(reported?.() ?? []),
      [l10n.t("Node"), pod.nodeName],
      [l10n.t("Address"), pod.podIp],
      [l10n.t("Image"), pod.containers[0]?.image],
      [l10n.t("Created"), timeWords(pod.creationTimestamp, now)],
      [l10n.t("Started"), timeWords(startedAt, now)],
      [l10n.t("Ended"), timeWords(endedAt, now)],
      [l10n.t("Duration"), durationWords(startedAt, endedAt)],
    ],
  });
}

/** By Spark since the start, and by metrics-server now. */
async function usageDetails(
  pod: PodRecord,
  { byDriver, byMetrics }: UsageSource,
): Promise<readonly Fact[]> {
  const now = await byMetrics();
  const measured = now && describePodUsage(now, pod);
  const used = byDriver();
  const words = used && describeUsage(used);
  return [
    [l10n.t("CPU"), translated(measured?.cpu)],
    [l10n.t("Memory"), translated(measured?.memory)],
    [l10n.t("Tasks"), translated(words?.tasks)],
    [l10n.t("GC time"), translated(words?.gc)],
    [l10n.t("Storage memory"), translated(words?.storage)],
    [l10n.t("Peak heap"), words?.heap],
  ];
}

const hasRestarted = (pod: PodRecord): boolean => (sparkContainerOf(pod)?.restartCount ?? 0) > 0;

function markOf(state: SparkPod["state"], diagnoses: readonly Diagnosis[]): Mark {
  if (state.kind === "failed") return "failed";
  const isHalfDown = state.kind === "running" && state.failedSidecar !== undefined;
  const isDouble = diagnoses.some(({ id }) => id === sharedIdRule);
  return state.kind === "blocked" || isHalfDown || isDouble ? "trouble" : undefined;
}

const lastExitOf = (state: SparkPod["state"]): string | undefined =>
  state.kind === "running" && state.lastExit !== undefined
    ? translated(describeExit(state.lastExit))
    : undefined;

/** The exit code that the words of a cause may omit. */
const exitCodeOf = (state: SparkPod["state"]): string | undefined =>
  state.kind === "failed" && state.exit?.exitCode !== undefined
    ? String(state.exit.exitCode)
    : undefined;

function whyOf(state: SparkPod["state"]): string | undefined {
  if (state.kind === "unscheduled") return state.message;
  if (state.kind === "blocked") return state.problem.message;
  return state.kind === "failed" ? state.exit?.message : undefined;
}
