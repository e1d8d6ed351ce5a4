import { l10n, ThemeIcon, TreeItemCollapsibleState, type TreeItem } from "vscode";
import { assertNever } from "../../../base/assertNever.ts";
import type { Application, ExecutorPod } from "../../../spark/pods/application.ts";
import { standingOf } from "../../../spark/pods/applicationFilter.ts";
import { contextValues } from "../../ids.ts";
import { rowsAPage, type PageFacts } from "../executorRows.ts";
import type { ExecutorList, TreeNode } from "../treeNode.ts";
import type { PagedRows } from "../treeRows.ts";
import { itemOf } from "./row.ts";

export function endedExecutorsItem(node: TreeNode, ended: readonly ExecutorPod[]): TreeItem {
  const failed = ended.filter(({ state }) => state.kind === "failed").length;
  const label =
    ended.length === 1 ? l10n.t("1 ended executor") : l10n.t("{0} ended executors", ended.length);
  const description = failed === 0 ? "" : failedText(failed);
  return itemOf(node, {
    label,
    state: TreeItemCollapsibleState.Collapsed,
    description,
    icon: new ThemeIcon("archive"),
    contextValue: contextValues.endedExecutors,
    spoken: joined(label, description),
  });
}

export function executorPageItem(
  node: TreeNode,
  list: ExecutorList,
  { size, firstId, lastId, failed, running }: PageFacts,
): TreeItem {
  const label = l10n.t("executors {0} to {1}", firstId ?? "?", lastId ?? "?");
  const description =
    list === "ended" ? failedText(failed) : l10n.t("{0} of {1} running", running, size);
  return itemOf(node, {
    label,
    state: TreeItemCollapsibleState.Collapsed,
    description,
    icon: new ThemeIcon("layers"),
    contextValue: list === "ended" ? contextValues.endedExecutors : contextValues.executorPage,
    spoken: `${label}: ${description}`,
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
  const description = failed === 0 ? "" : failedText(failed);
  return itemOf(node, {
    label,
    state: TreeItemCollapsibleState.Collapsed,
    description,
    icon: new ThemeIcon("history"),
    contextValue: "earlierRuns",
    spoken: joined(label, description),
  });
}

/** `page`: from 0. `count`: the rows on all pages. */
export function applicationPageItem(
  node: TreeNode,
  page: number,
  { count, of }: { readonly count: number; readonly of: PagedRows },
): TreeItem {
  const first = page * rowsAPage + 1;
  const last = Math.min(count, first + rowsAPage - 1);
  const label = pageLabel(of, first, last);
  const state = page === 0 ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
  return itemOf(node, {
    label,
    state,
    description: "",
    icon: new ThemeIcon("layers"),
    contextValue: "applicationPage",
    spoken: label,
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
  return itemOf(node, {
    label: namespace,
    state: TreeItemCollapsibleState.Expanded,
    name: namespace,
    description: context,
    icon: new ThemeIcon("symbol-namespace"),
    contextValue: "namespace",
    spoken: joined(l10n.t("Namespace {0}", namespace), context),
  });
}

const failedText = (count: number): string => l10n.t("{0} failed", count);

/** Joins the non-empty parts of a spoken row. */
const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(" · ");
