import {
  l10n,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
} from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import {
  isAlive,
  type Application,
  type ApplicationState,
  type ExecutorPod,
  type SparkPod,
} from "../../spark/pods/application.ts";
import { isInTrouble, standingOf } from "../../spark/pods/applicationFilter.ts";
import { isOfSets } from "../../spark/pods/executorSets.ts";
import { canBeSuspended, isSuspended } from "../../spark/pods/operatedApplication.ts";
import { isRehearsal } from "../../spark/pods/origin.ts";
import { describeExit } from "../../spark/pods/podExit.ts";
import type { OperatorResource, Outlook } from "../../spark/pods/operatorResource.ts";
import { ownProfileOf } from "../../spark/pods/executorPods.ts";
import { sharedIdRule } from "../../spark/diagnosis/applicationWide.ts";
import {
  describePod,
  describeRow,
  isKept,
  kept,
  rehearsal,
} from "../../spark/diagnosis/describe.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";
import type { DriverReport } from "../../spark/diagnosis/driverReport.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import { contextValues } from "../ids.ts";
import { formatAge, formatMinutes } from "./formatAge.ts";
import { rowUri, type Mark } from "./decorateRows.ts";
import { rowsAPage, type PageFacts } from "./executorRows.ts";
import type { ExecutorList, TreeNode } from "./treeNode.ts";
import type { PagedRows } from "./treeRows.ts";

/** What is known of an application beside its pods. */
export interface Known {
  readonly report: DriverReport | undefined;
  readonly diagnose: (pod: SparkPod) => readonly Diagnosis[];
}

/** The row of an application. `now`: milliseconds since the epoch. */
export function applicationItem(
  node: TreeNode,
  application: Application,
  { report, diagnose }: Known,
  now: number,
): TreeItem {
  const alive = isAlive(application);
  const { parts, fact, executors } = describeRow(application, report, diagnose, now);
  const description = joined(...parts, formatMinutes(application.createdAt, now));
  const item = new TreeItem(
    application.name,
    alive ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed,
  );
  return complete(item, node, {
    name: application.id,
    description,
    icon: iconOf(application.state),
    mark:
      standingOf(application) === "failed"
        ? "failed"
        : isInTrouble(application)
          ? "trouble"
          : undefined,
    contextValue: contextOf(application, alive),
    spoken: l10n.t("Application {0}: {1}", application.name, description),
    details: () => [
      ...diagnosisDetails(fact),
      [l10n.t("Application id"), application.id],
      [l10n.t("Namespace"), application.namespace],
      [l10n.t("Driver"), application.driver?.pod.name],
      [l10n.t("Since"), application.createdAt],
      [l10n.t("Executors"), executors.pods],
      [l10n.t("Registered with the driver"), executors.registered],
      [l10n.t("Wanted"), executors.wanted],
      [l10n.t("Dynamic allocation"), executors.allocation],
      [l10n.t("By resource profile"), executors.profiles],
      [l10n.t("Gone"), executors.gone],
      ...resourceDetails(application.resource),
    ],
  });
}

function contextOf(application: Application, alive: boolean): string {
  const state = alive ? contextValues.runningApplication : contextValues.application;
  const value = alive && isOfSets(application) ? `${state}${contextValues.scalable}` : state;
  if (canBeSuspended(application)) return `${value}${contextValues.suspendable}`;
  return isSuspended(application) ? `${value}${contextValues.suspended}` : value;
}

export function driverItem(
  node: TreeNode,
  driver: SparkPod,
  diagnoses: readonly Diagnosis[],
  now: number,
): TreeItem {
  const contexts = [contextValues.driver, contextValues.runningDriver] as const;
  const words = describePod(driver.state, diagnoses[0]);
  return podItem(node, l10n.t("driver"), driver, words, diagnoses, now, contexts, []);
}

export function executorItem(
  node: TreeNode,
  executor: ExecutorPod,
  { formerIds }: Application,
  diagnoses: readonly Diagnosis[],
  /** What it does beside what its pod shows. */
  doing: string | undefined,
  now: number,
): TreeItem {
  const contexts = [contextValues.executor, contextValues.runningExecutor] as const;
  const [diagnosis] = diagnoses;
  const words =
    doing !== undefined && ["running", "terminating"].includes(executor.state.kind)
      ? joined(doing, diagnosis?.fact)
      : describePod(executor.state, diagnosis);
  return podItem(node, executorName(executor), executor, words, diagnoses, now, contexts, [
    [l10n.t("Executor ids before"), formerIds.get(executor.pod.uid)?.join(", ")],
    [l10n.t("Resource profile"), ownProfileOf(executor.pod)],
  ]);
}

export function endedExecutorsItem(node: TreeNode, ended: readonly ExecutorPod[]): TreeItem {
  const failed = ended.filter(({ state }) => state.kind === "failed").length;
  const label =
    ended.length === 1 ? l10n.t("1 ended executor") : l10n.t("{0} ended executors", ended.length);
  const description = failed === 0 ? "" : l10n.t("{0} failed", failed);
  const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed);
  return complete(item, node, {
    description,
    icon: new ThemeIcon("archive"),
    contextValue: contextValues.endedExecutors,
    spoken: joined(label, description),
    details: () => [],
  });
}

export function executorPageItem(
  node: TreeNode,
  list: ExecutorList,
  { size, firstId, lastId, failed, running }: PageFacts,
): TreeItem {
  const label = l10n.t("executors {0} to {1}", firstId ?? "?", lastId ?? "?");
  const description =
    list === "ended" ? l10n.t("{0} failed", failed) : l10n.t("{0} of {1} running", running, size);
  const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed);
  return complete(item, node, {
    description,
    icon: new ThemeIcon("layers"),
    contextValue: list === "ended" ? contextValues.endedExecutors : contextValues.executorPage,
    spoken: `${label}: ${description}`,
    details: () => [],
  });
}

export function earlierRunsItem(node: TreeNode, runs: readonly Application[]): TreeItem {
  const [newest] = runs;
  const name = newest?.name ?? "";
  const label =
    runs.length === 1
      ? l10n.t("1 earlier run of {0}", name)
      : l10n.t("{0} earlier runs of {1}", runs.length, name);
  const failed = runs.filter((run) => standingOf(run) === "failed").length;
  const description = failed === 0 ? "" : l10n.t("{0} failed", failed);
  const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed);
  return complete(item, node, {
    description,
    icon: new ThemeIcon("history"),
    contextValue: "earlierRuns",
    spoken: joined(label, description),
    details: () => [],
  });
}

/** `page` counts from 0; `count`: of all rows on all pages. */
export function applicationPageItem(
  node: TreeNode,
  page: number,
  { count, of }: { readonly count: number; readonly of: PagedRows },
): TreeItem {
  const first = page * rowsAPage + 1;
  const last = Math.min(count, first + rowsAPage - 1);
  const label = pageLabel(of, first, last);
  const state = page === 0 ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
  return complete(new TreeItem(label, state), node, {
    description: "",
    icon: new ThemeIcon("layers"),
    contextValue: "applicationPage",
    spoken: label,
    details: () => [],
  });
}

function pageLabel(of: PagedRows, first: number, last: number): string {
  switch (of) {
    case "applications":
      return l10n.t("applications {0} to {1}", first, last);
    case "runs":
      return l10n.t("runs {0} to {1}", first, last);
    case "namespaces":
      return l10n.t("namespaces {0} to {1}", first, last);
    default:
      return assertNever(of);
  }
}

export function namespaceItem(node: TreeNode, namespace: string, context: string): TreeItem {
  const item = new TreeItem(namespace, TreeItemCollapsibleState.Expanded);
  return complete(item, node, {
    name: namespace,
    description: context,
    icon: new ThemeIcon("symbol-namespace"),
    contextValue: "namespace",
    spoken: joined(l10n.t("Namespace {0}", namespace), context),
    details: () => [],
  });
}

export const executorName = ({ executorId, pod }: ExecutorPod): string =>
  executorId === undefined ? pod.name : l10n.t("executor {0}", executorId);

function podItem(
  node: TreeNode,
  label: string,
  { pod, state }: SparkPod,
  words: string,
  diagnoses: readonly Diagnosis[],
  now: number,
  [atRest, running]: readonly [string, string],
  further: readonly Detail[],
): TreeItem {
  const [diagnosis, ...others] = diagnoses;
  const isActed = isRehearsal(pod);
  const description = joined(
    isActed ? rehearsal : undefined,
    words,
    isKept(pod) ? kept : undefined,
    pod.nodeName,
    formatAge(pod.startTime ?? pod.creationTimestamp, now),
  );
  const ended = ["succeeded", "failed", "deleted"].includes(state.kind);
  return complete(new TreeItem(label, TreeItemCollapsibleState.None), node, {
    name: pod.name,
    description,
    icon: isKept(pod) ? greyed(iconOf(state)) : iconOf(state),
    mark: isKept(pod) ? "kept" : markOf(state, diagnoses),
    contextValue: `${ended ? atRest : running}${hasRestarted(pod) ? contextValues.restarted : ""}`,
    spoken: `${label}: ${description}`,
    details: () => [
      [
        l10n.t("Rehearsal"),
        isActed ? l10n.t("nothing runs in this pod, and its log is acted") : undefined,
      ],
      [l10n.t("Pod"), pod.name],
      [l10n.t("Namespace"), pod.namespace],
      [l10n.t("State"), words],
      ...further,
      [l10n.t("Last exit"), lastExitOf(state)],
      ...(diagnosis === undefined
        ? [[l10n.t("Why"), whyOf(state)] as const]
        : diagnosisDetails(diagnosis)),
      ...others.map(({ fact }) => [l10n.t("Also"), fact] as const),
      [l10n.t("Node"), pod.nodeName],
      [l10n.t("Address"), pod.podIp],
      [l10n.t("Image"), pod.containers[0]?.image],
      [l10n.t("Started"), pod.startTime],
    ],
  });
}

const hasRestarted = (pod: PodRecord): boolean => (sparkContainerOf(pod)?.restartCount ?? 0) > 0;

/** The editor gives an item back to have it completed. */
type RowItem = TreeItem & Pick<Row, "details">;

interface Row {
  /** By which other tools know it; undefined: it stands for several. */
  readonly name?: string;
  /** Of what has a name. */
  readonly mark?: Mark;
  readonly description: string;
  readonly icon: ThemeIcon;
  readonly contextValue: string;
  readonly spoken: string;
  /** For its tooltip, and asked for only when that is to be seen. */
  readonly details: () => readonly Detail[];
}

function complete(item: TreeItem, node: TreeNode, row: Row): RowItem {
  item.id = node.id;
  if (row.name !== undefined) item.resourceUri = rowUri(row.name, row.mark);
  item.description = row.description;
  item.iconPath = row.icon;
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  return Object.assign(item, { details: row.details });
}

/** The item with its tooltip. */
export function withTooltip(item: TreeItem): TreeItem {
  if ("details" in item) item.tooltip = tooltipOf((item as RowItem).details());
  return item;
}

// Names and messages come from the cluster: as text nodes, so that no markup in them is ever followed.
function tooltipOf(details: readonly Detail[]): MarkdownString {
  const tooltip = new MarkdownString();
  for (const [name, value] of details) {
    if (value === undefined || value === "") continue;
    tooltip.appendMarkdown(`**${name}:** `);
    tooltip.appendText(value);
    tooltip.appendMarkdown("\n\n");
  }
  return tooltip;
}

function markOf(state: SparkPod["state"], diagnoses: readonly Diagnosis[]): Mark {
  if (state.kind === "failed") return "failed";
  const isHalfDown = state.kind === "running" && state.failedSidecar !== undefined;
  const isDouble = diagnoses.some(({ id }) => id === sharedIdRule);
  return state.kind === "blocked" || isHalfDown || isDouble ? "trouble" : undefined;
}

const greyed = ({ id }: ThemeIcon): ThemeIcon =>
  new ThemeIcon(id, new ThemeColor("disabledForeground"));

const lastExitOf = (state: SparkPod["state"]): string | undefined =>
  state.kind === "running" && state.lastExit !== undefined
    ? describeExit(state.lastExit)
    : undefined;

function whyOf(state: SparkPod["state"]): string | undefined {
  if (state.kind === "unscheduled") return state.message;
  if (state.kind === "blocked") return state.problem.message;
  return state.kind === "failed" ? state.exit?.message : undefined;
}

type Detail = readonly [name: string, value: string | undefined];

function diagnosisDetails(diagnosis: Diagnosis | undefined): readonly Detail[] {
  if (diagnosis === undefined) return [];
  return [
    [l10n.t("Why"), diagnosis.what],
    [l10n.t("What to change"), diagnosis.change],
    [l10n.t("Conf"), diagnosis.keys.join(", ")],
    [l10n.t("The cluster says"), diagnosis.told],
  ];
}

function resourceDetails(resource: OperatorResource | undefined): readonly Detail[] {
  if (resource === undefined) return [];
  const { kind, name, word, message, attempts } = resource;
  return [
    [kind, name],
    [l10n.t("Its operator says"), message === undefined ? word : `${word}: ${message}`],
    [l10n.t("Attempts"), attempts > 1 ? String(attempts) : undefined],
  ];
}

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(" · ");

function resourceIcon(outlook: Outlook): ThemeIcon {
  switch (outlook) {
    case "waiting":
      return new ThemeIcon("clock", new ThemeColor("charts.yellow"));
    case "running":
      return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
    case "failed":
      return new ThemeIcon("error", new ThemeColor("charts.red"));
    case "succeeded":
      return new ThemeIcon("pass");
    case "suspended":
      return new ThemeIcon("debug-pause");
    default:
      return assertNever(outlook);
  }
}

function iconOf(state: ApplicationState): ThemeIcon {
  switch (state.kind) {
    case "running":
      return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
    case "requested":
    case "unscheduled":
    case "scheduled":
    case "initializing":
    case "pulling":
    case "starting":
      return new ThemeIcon("clock", new ThemeColor("charts.yellow"));
    case "blocked":
      return new ThemeIcon("warning", new ThemeColor("charts.orange"));
    case "failed":
      return new ThemeIcon("error", new ThemeColor("charts.red"));
    case "succeeded":
      return new ThemeIcon("pass");
    case "terminating":
      return new ThemeIcon("sign-out");
    case "deleted":
      return new ThemeIcon("circle-slash");
    case "unknown":
    case "orphaned":
      return new ThemeIcon("question");
    case "driverElsewhere":
      return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
    case "operated":
      return resourceIcon(state.resource.outlook);
    default:
      return assertNever(state);
  }
}
