import { l10n, StatusBarAlignment, ThemeColor, ThemeIcon } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { commands } from "../ids.ts";
import { guardKindOf, onDidChangeGuards } from "../guard.ts";
import { translated } from "../ui/translated.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { clusterStatus } from "./clusterStatus.ts";
import { window, type PlainStatusBarItem } from "../ui/window.ts";

const warning = new ThemeColor("statusBarItem.warningBackground");

/** Shows the watched contexts and their guards in the status bar, in the warning color while a watch is stale. */
export function showStatusItem(session: ClusterSession): Disposable {
  const owned = new DisposableStore();
  const item = owned.add(window.createStatusBarItem("sparkK8s.cluster", StatusBarAlignment.Left));
  item.name = l10n.t("Spark cluster");
  item.command = commands.chooseCluster;
  owned.add(
    session.onDidChange(() => {
      update(item, session);
    }),
  );
  owned.add(
    onDidChangeGuards(() => {
      update(item, session);
    }),
  );
  return owned;
}

function update(item: PlainStatusBarItem, { state }: ClusterSession): void {
  const status = clusterStatus(state, guardKindOf, translated);
  if (status === undefined) {
    item.hide();
    return;
  }
  item.icon = new ThemeIcon(status.icon);
  item.text = translated(status.text);
  item.tooltip = status.tooltip.map((line) => translated(line)).join("\n");
  item.backgroundColor = status.isStale ? warning : undefined;
  item.show();
}
