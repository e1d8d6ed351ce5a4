import { l10n, StatusBarAlignment, ThemeColor, ThemeIcon } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { strictestGuard, type GuardKind } from "../../engine/contextGuard.ts";
import { commands } from "../ids.ts";
import { describeClusterError } from "../showError.ts";
import { guardKindOf } from "./guardMarks.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { contextsIn, type NamespaceWatch } from "./sessionState.ts";
import { window, type PlainStatusBarItem } from "../ui/window.ts";

const warning = new ThemeColor("statusBarItem.warningBackground");

/** Shows the watched contexts and their guards in the status bar, in the warning color while a watch is stale. */
export function showStatusItem(session: ClusterSession): Disposable {
  const owned = new DisposableStore();
  const item = owned.add(window.createStatusBarItem("sparkK8s.cluster", StatusBarAlignment.Left));
  item.name = l10n.t("Spark cluster");
  item.icon = new ThemeIcon("zap");
  item.command = commands.chooseCluster;
  owned.add(
    session.onDidChange(() => {
      update(item, session);
    }),
  );
  return owned;
}

function update(item: PlainStatusBarItem, { state }: ClusterSession): void {
  switch (state.kind) {
    case "idle":
      item.hide();
      return;
    case "connecting":
      item.text = l10n.t("Connecting…");
      item.tooltip = l10n.t("Spark: connecting to the cluster");
      item.backgroundColor = undefined;
      break;
    case "failed":
      item.text = l10n.t("No cluster");
      item.tooltip = `Spark: ${describeClusterError(state.error).what}`;
      // Users who only edit conf files need no kubeconfig.
      item.backgroundColor = undefined;
      break;
    case "connected": {
      const { connection, watches } = state;
      const trouble = watches.find(
        ({ freshness }) => freshness.kind === "stale" || freshness.kind === "failed",
      );
      const places = contextsIn(state).map((context) => {
        const ofContext = watches.filter((watch) => watch.context === context);
        return `${context}/${ofContext.map(nameOf).join(", ")}`;
      });
      const guard = strictestGuard(contextsIn(state).map(guardKindOf));
      item.icon = new ThemeIcon(guardIcons[guard]);
      item.text = places.join("; ");
      item.tooltip = [tooltipOf(connection.server, trouble), guardTooltip(guard)]
        .filter((line) => line !== "")
        .join("\n");
      item.backgroundColor = trouble === undefined ? undefined : warning;
      break;
    }
    default:
      assertNever(state);
  }
  item.show();
}

const guardIcons: Readonly<Record<GuardKind, string>> = {
  none: "zap",
  typeName: "shield",
  readOnly: "lock",
};

function guardTooltip(guard: GuardKind): string {
  switch (guard) {
    case "none":
      return "";
    case "typeName":
      return l10n.t("Guarded: changes require typing the name of the context.");
    case "readOnly":
      return l10n.t("Read-only: no changes are allowed.");
    default:
      return assertNever(guard);
  }
}

const nameOf = ({ namespace }: NamespaceWatch): string => namespace ?? l10n.t("all namespaces");

function tooltipOf(server: string, trouble: NamespaceWatch | undefined): string {
  const { freshness } = trouble ?? {};
  if (freshness === undefined || !("error" in freshness)) {
    return l10n.t("Spark applications on {0}. Click to choose another cluster.", server);
  }
  return l10n.t(
    "Spark applications on {0} are stale: {1}",
    server,
    describeClusterError(freshness.error).what,
  );
}
