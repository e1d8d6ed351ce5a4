import { l10n, StatusBarAlignment, ThemeColor, window, type StatusBarItem } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { commands } from "../ids.ts";
import { describeClusterError } from "../showError.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { contextsIn, type NamespaceWatch } from "./sessionState.ts";

const warning = new ThemeColor("statusBarItem.warningBackground");

/** Says in the status bar which cluster is looked at, from the first look on; in the color of a warning while it is behind. */
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
  return owned;
}

function update(item: StatusBarItem, { state }: ClusterSession): void {
  switch (state.kind) {
    case "idle":
      item.hide();
      return;
    case "connecting":
      item.text = `$(zap) ${l10n.t("connecting…")}`;
      item.tooltip = l10n.t("Spark: connecting to the cluster");
      item.backgroundColor = undefined;
      break;
    case "failed":
      item.text = `$(zap) ${l10n.t("no cluster")}`;
      item.tooltip = `Spark: ${describeClusterError(state.error).what}`;
      // No kubeconfig is no trouble for who only edits conf files.
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
      item.text = `$(zap) ${places.join("; ")}`;
      item.tooltip = tooltipOf(connection.server, trouble);
      item.backgroundColor = trouble === undefined ? undefined : warning;
      break;
    }
    default:
      assertNever(state);
  }
  item.show();
}

const nameOf = ({ namespace }: NamespaceWatch): string => namespace ?? l10n.t("all namespaces");

function tooltipOf(server: string, trouble: NamespaceWatch | undefined): string {
  const { freshness } = trouble ?? {};
  if (freshness === undefined || !("error" in freshness)) {
    return l10n.t("Spark applications at {0}; click to choose another cluster", server);
  }
  return l10n.t(
    "Spark applications at {0} are behind: {1}",
    server,
    describeClusterError(freshness.error).what,
  );
}
