import { l10n, workspace } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { applicationKeyOf } from "../../spark/pods/applications.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { commands, settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { registerTrustedCommand } from "../registerCommand.ts";
import { showClusterError } from "../showError.ts";
import { ApplicationsView } from "./applicationsView.ts";
import { chooseCluster, chooseNamespaces } from "./chooseCluster.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { killExecutors } from "./killExecutors.ts";
import { showStatusItem } from "./statusItem.ts";
import { stopApplications } from "./stopApplications.ts";
import { tailLogs, type TailOptions } from "./tailLogs.ts";
import type { TreeNode } from "./treeNode.ts";

export interface Apps extends Disposable {
  /** Shows the row of an application whose driver pod has just been created, as soon as the watch tells of it. */
  reveal(driver: PodRecord): Promise<void>;
}

/** The tree of applications, the status item and the commands on them. */
export function registerApps(options: TailOptions): Apps {
  const { session, clock, log } = options;
  const owned = new DisposableStore();
  const view = owned.add(new ApplicationsView(session, () => clock.now()));
  owned.add(showStatusItem(session));
  owned.add(restartOnChange(session, log));
  const register = (id: string, run: (nodes: readonly TreeNode[]) => Promise<void>): void => {
    owned.add(registerTrustedCommand(id, (node, nodes) => run(rowsOf(node, nodes)), log));
  };
  register(commands.tail, (nodes) => tailLogs(options, nodes));
  register(commands.killExecutor, (nodes) => killExecutors(session, nodes, log));
  register(commands.stop, (nodes) => stopApplications(session, nodes, log));
  register(commands.chooseCluster, () => chooseCluster(session, log));
  register(commands.chooseNamespace, () => chooseNamespaces(session));
  register(commands.reconnect, () => {
    session.reconnect();
    return Promise.resolve();
  });
  register(commands.explainProblem, async () => {
    const { problem } = session;
    if (problem) await showClusterError(l10n.t("No applications can be shown"), problem, log);
  });
  return {
    reveal: (driver) => reveal(session, view, driver),
    dispose: () => {
      owned.dispose();
    },
  };
}

// The watch tells of the pod a moment after it was created; if it does not, there is no row to show.
const revealDeadlineMs = 10_000;

async function reveal(
  session: ClusterSession,
  view: ApplicationsView,
  driver: PodRecord,
): Promise<void> {
  const key = applicationKeyOf(driver);
  session.start();
  const deadline = AbortSignal.timeout(revealDeadlineMs);
  if (await session.until(() => session.find(key) !== undefined, deadline)) await view.reveal(key);
}

function restartOnChange(session: ClusterSession, log: Log): Disposable {
  const owned = new DisposableStore();
  const isStarted = (): boolean => session.state.kind !== "idle";
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      const ours = [settings.kubeconfig, settings.context, settings.namespaces].some((name) =>
        change.affectsConfiguration(`${settingsSection}.${name}`),
      );
      if (ours && isStarted()) session.restart();
    }),
  );
  owned.add(
    workspace.onDidGrantWorkspaceTrust(() => {
      session.restart();
      log.debug("the workspace is trusted now");
    }),
  );
  return owned;
}

// A row's command comes with its node and, where several are selected, with all of them.
function rowsOf(node: unknown, nodes: unknown): readonly TreeNode[] {
  if (Array.isArray(nodes) && nodes.length > 0) return nodes.filter(isTreeNode);
  return isTreeNode(node) ? [node] : [];
}

const isTreeNode = (value: unknown): value is TreeNode =>
  typeof value === "object" && value !== null && "kind" in value && "id" in value;
