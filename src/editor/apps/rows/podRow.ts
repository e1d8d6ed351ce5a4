import { msg, type Message, type MessageText } from "../../../base/message.ts";
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
import { contextValues } from "../../ids.ts";
import type { Fact } from "../../ui/markdown.ts";
import { formatAge } from "../formatAge.ts";
import { causeContext, diagnosisDetails, durationWords, isFromLog, timeWords } from "./details.ts";
import { greyed, iconOf } from "./icons.ts";
import type { Mark, Row } from "./row.ts";
import { ageStartOf, timesOf } from "../../../spark/pods/podTimes.ts";
import { podText } from "./rowText.ts";

/** The parts of a pod's row that differ between drivers and executors. */
interface PodRow {
  readonly label: MessageText;
  /** The `contextValue` of the row: for an ended pod and for a running pod. */
  readonly contexts: readonly [ended: string, running: string];
  /** The first diagnosis explains the row. */
  readonly diagnoses: readonly Diagnosis[];
  /** The current activity, such as decommissioning, if the pod's status does not show it. */
  readonly doing?: Message | undefined;
  readonly further?: readonly Fact[];
  /** Returns the rows of the tooltip whose values are read when it is shown. */
  readonly reported?: () => readonly Fact[];
  readonly usage: UsageSource;
}

type ExecutorRow = Pick<PodRow, "diagnoses" | "doing" | "usage"> & {
  /** Returns the age of the last heartbeat; undefined if unknown. */
  readonly heartbeat: () => Message | undefined;
};

/** The resource usage of a pod, read when its tooltip is shown. */
export interface UsageSource {
  /** Returns the usage since the pod's start from the driver's REST API; undefined if the driver did not report it. */
  readonly byDriver: () => ExecutorUsage | undefined;
  /** Returns the current usage; undefined if metrics-server does not respond. */
  readonly byMetrics: () => Promise<PodUsage | undefined>;
}

export const driverRow = (
  driver: SparkPod,
  row: Pick<PodRow, "diagnoses" | "usage">,
  now: number,
): Row =>
  ownRow(
    driver,
    {
      ...row,
      label: msg("driver"),
      contexts: [contextValues.driver, contextValues.runningDriver],
    },
    now,
  );

export const executorRow = (
  executor: ExecutorPod,
  { formerIds }: Application,
  { heartbeat, ...row }: ExecutorRow,
  now: number,
): Row =>
  ownRow(
    executor,
    {
      ...row,
      reported: () => [[msg("Last heartbeat"), heartbeat()]],
      label: executorName(executor),
      contexts: [contextValues.executor, contextValues.runningExecutor],
      further: [
        [msg("Previous executor IDs"), formerIds.get(executor.pod.uid)?.join(", ")],
        [msg("Resource profile"), ownProfileOf(executor.pod)],
      ],
    },
    now,
  );

export const executorName = ({ executorId, pod }: ExecutorPod): MessageText =>
  executorId === undefined ? pod.name : msg`executor ${executorId}`;

function ownRow(
  { pod, state }: SparkPod,
  { label, contexts: [atRest, running], diagnoses, doing, further = [], reported, usage }: PodRow,
  now: number,
): Row {
  const [diagnosis, ...others] = diagnoses;
  const { startedAt, endedAt } = timesOf({ pod, state });
  const age = formatAge(ageStartOf({ pod, state }), now);
  const lasted =
    endedAt === undefined || startedAt === undefined
      ? age
      : msg`ran ${formatAge(startedAt, Date.parse(endedAt))}`;
  const { description, spoken, words } = podText({ pod, state }, diagnosis, doing, lasted);
  const ended = ["succeeded", "failed", "stopped", "deleted"].includes(state.kind);
  return {
    label,
    state: "none",
    name: pod.name,
    description,
    icon: isKept(pod) ? greyed(iconOf(state)) : iconOf(state),
    mark: isKept(pod) ? "kept" : markOf(state, diagnoses),
    contextValue: [
      ended ? atRest : running,
      isFromLog(diagnosis) ? contextValues.explained : "",
      causeContext(diagnosis),
      hasRestarted(pod) ? contextValues.restarted : "",
    ].join(""),
    spoken: msg`${label}: ${spoken}`,
    details: async () => [
      [
        msg("Simulation"),
        isSimulated(pod) ? msg("no process runs in this pod; its log is generated") : undefined,
      ],
      [msg("Pod"), pod.name],
      [msg("Namespace"), pod.namespace],
      [msg("State"), words],
      ...further,
      [msg("Last exit"), lastExitOf(state)],
      [msg("Exit code"), exitCodeOf(state)],
      ...(diagnosis === undefined
        ? [[msg("Cause"), whyOf(state)] as const]
        : diagnosisDetails(diagnosis)),
      ...others.map(({ fact }) => [msg("Also"), fact] as const),
      ...(state.kind === "running" ? await usageDetails(pod, usage) : []),
      ...(reported?.() ?? []),
      [msg("Node"), pod.nodeName],
      [msg("Address"), pod.podIp],
      [msg("Image"), pod.containers[0]?.image],
      [msg("Created"), timeWords(pod.creationTimestamp, now)],
      [msg("Started"), timeWords(startedAt, now)],
      [msg("Ended"), timeWords(endedAt, now)],
      [msg("Duration"), durationWords(startedAt, endedAt)],
    ],
  };
}

/** Returns the usage since the start as reported by Spark, and the current usage from metrics-server. */
async function usageDetails(
  pod: PodRecord,
  { byDriver, byMetrics }: UsageSource,
): Promise<readonly Fact[]> {
  const now = await byMetrics();
  const measured = now && describePodUsage(now, pod);
  const used = byDriver();
  const words = used && describeUsage(used);
  return [
    [msg("CPU"), measured?.cpu],
    [msg("Memory"), measured?.memory],
    [msg("Tasks"), words?.tasks],
    [msg("GC time"), words?.gc],
    [msg("Storage memory"), words?.storage],
    [msg("Peak heap"), words?.heap],
  ];
}

const hasRestarted = (pod: PodRecord): boolean => (sparkContainerOf(pod)?.restartCount ?? 0) > 0;

function markOf(state: SparkPod["state"], diagnoses: readonly Diagnosis[]): Mark {
  if (state.kind === "failed") return "failed";
  const isHalfDown = state.kind === "running" && state.failedSidecar !== undefined;
  const isDouble = diagnoses.some(({ id }) => id === sharedIdRule);
  return state.kind === "blocked" || isHalfDown || isDouble ? "trouble" : undefined;
}

const lastExitOf = (state: SparkPod["state"]): Message | undefined =>
  state.kind === "running" && state.lastExit !== undefined
    ? describeExit(state.lastExit)
    : undefined;

/** Returns the exit code for the tooltip, because the text of a cause may omit it. */
const exitCodeOf = (state: SparkPod["state"]): string | undefined =>
  state.kind === "failed" && state.exit?.exitCode !== undefined
    ? String(state.exit.exitCode)
    : undefined;

function whyOf(state: SparkPod["state"]): string | undefined {
  if (state.kind === "unscheduled") return state.message;
  if (state.kind === "blocked") return state.problem.message;
  return state.kind === "failed" ? state.exit?.message : undefined;
}
