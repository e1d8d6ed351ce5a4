import { env, l10n, workspace } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { applicationKeyOf } from "../../spark/pods/applications.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { commands, settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { registerTrustedCommand } from "../registerCommand.ts";
import { showClusterError } from "../showError.ts";
import type { DescribeContext } from "../describe/subjects.ts";
import type * as describeDoor from "../describe/door.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import type * as lifecycleDoor from "../lifecycle/door.ts";
import { noFilter } from "../../spark/pods/applicationFilter.ts";
import { ApplicationsView } from "./applicationsView.ts";
import { askForFilter } from "./askForFilter.ts";
import { chooseCluster, chooseNamespaces } from "./chooseCluster.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { decorateRows } from "./decorateRows.ts";
import { showStatusItem } from "./statusItem.ts";
import { tailLogs, type TailOptions } from "./tailLogs.ts";
import type { TreeNode } from "./treeNode.ts";

export interface AppsOptions extends TailOptions {
  readonly documents: DescribeContext["documents"];
  readonly submitAnew: LifecycleContext["submitAnew"];
  readonly wasSubmittedHere: LifecycleContext["wasSubmittedHere"];
  readonly loadLifecycle: () => Promise<typeof lifecycleDoor>;
  readonly loadDescribe: () => Promise<typeof describeDoor>;
  /** As whom this machine's submissions run in Spark. */
  readonly userName: () => string;
}

export interface Apps extends Disposable {
  /** Shows the row of an application whose driver pod has just been created, as soon as the watch tells of it. */
  reveal(driver: PodRecord): Promise<void>;
}

/** The tree of applications, the status item and the commands on them. */
export function registerApps(options: AppsOptions): Apps {
  const { session, clock, log, loadLifecycle, loadDescribe, userName } = options;
  const owned = new DisposableStore();
  const terminals = owned.add(new DisposableStore());
  const lifecycle: LifecycleContext = { ...options, terminals };
  const view = owned.add(new ApplicationsView(session, () => clock.now()));
  owned.add(decorateRows());
  owned.add(showStatusItem(session));
  owned.add(restartOnChange(session, log));
  const register = (id: string, run: (nodes: readonly TreeNode[]) => Promise<void>): void => {
    const rows = (node: unknown, nodes: unknown): readonly TreeNode[] =>
      node === ofSelection ? view.selection : rowsOf(node, nodes);
    owned.add(registerTrustedCommand(id, (node, nodes) => run(rows(node, nodes)), log));
  };
  const change = (id: string, name: keyof typeof lifecycleDoor): void => {
    register(id, async (nodes) => (await loadLifecycle())[name](lifecycle, nodes));
  };
  const describe = (id: string, name: keyof typeof describeDoor): void => {
    register(id, async (nodes) => (await loadDescribe())[name](options, nodes));
  };
  register(commands.tail, (nodes) => tailLogs(options, nodes));
  change(commands.killExecutor, "killExecutors");
  change(commands.decommission, "decommissionExecutors");
  change(commands.stop, "stopApplications");
  change(commands.restart, "restartApplications");
  change(commands.delete, "deleteRows");
  change(commands.cleanUp, "cleanUp");
  change(commands.terminal, "openTerminals");
  describe(commands.showPod, "showPods");
  describe(commands.showConf, "showConf");
  describe(commands.showEffectiveConf, "showEffectiveConf");
  describe(commands.showEvents, "showEvents");
  describe(commands.compare, "compareRows");
  register(commands.copyName, async (nodes) => {
    const names = nodes.map((node) => nameOf(session, node)).filter((name) => name !== "");
    if (names.length > 0) await env.clipboard.writeText(names.join("\n"));
  });
  register(commands.filter, async () => {
    const namespaces = new Set(session.applications.map(({ namespace }) => namespace));
    const filter = await askForFilter(view.filter, [...namespaces].sort(), userName());
    if (filter) view.show(filter);
  });
  register(commands.clearFilter, () => {
    view.show(noFilter);
    return Promise.resolve();
  });
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

/** What a key binding sends instead of a row. */
const ofSelection = "selection";

/** The name by which other tools know what a row stands for: the pod's, the application's id, the namespace's. */
function nameOf(session: ClusterSession, node: TreeNode): string {
  switch (node.kind) {
    case "namespace":
      return node.namespace;
    case "application":
      return session.find(node.key)?.id ?? "";
    case "driver":
    case "executor":
      return session.findPod(node.uid)?.name ?? "";
    case "applicationPage":
    case "earlierRuns":
    case "endedExecutors":
    case "executorPage":
      return "";
    default:
      return assertNever(node);
  }
}

// A row's command comes with its node and, where several are selected, with all of them.
function rowsOf(node: unknown, nodes: unknown): readonly TreeNode[] {
  if (Array.isArray(nodes) && nodes.length > 0) return nodes.filter(isTreeNode);
  return isTreeNode(node) ? [node] : [];
}

const isTreeNode = (value: unknown): value is TreeNode =>
  typeof value === "object" && value !== null && "kind" in value && "id" in value;
