import { env, l10n, workspace, type DataTransfer, type EventEmitter, type TreeView } from "vscode";
import {
  disposable,
  disposableOf,
  DisposableStore,
  type Disposable,
} from "../../base/disposable.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { commands, settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { keepsFollowedLogs } from "../settings.ts";
import { showClusterError } from "../showError.ts";
import type { DescribeContext } from "../describe/subjects.ts";
import type * as describeDoor from "../describe/door.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import type * as lifecycleDoor from "../lifecycle/door.ts";
import type * as forwardDoor from "../forward/door.ts";
import type { OpenForwards } from "../forward/openForwards.ts";
import { resumeWhenTrusted } from "../logs/resumeKeeping.ts";
import type { LogsContext } from "../logs/logsContext.ts";
import type { TraceSink } from "../logs/loggedTrace.ts";
import type { OpenLogs } from "../logs/openLogs.ts";
import type * as logsDoor from "../logs/door.ts";
import { noFilter } from "../../spark/pods/applicationFilter.ts";
import { ApplicationsView } from "./applicationsView.ts";
import type { AppsCommand } from "./appsCommands.ts";
import { askForFilter } from "./askForFilter.ts";
import { chooseCluster, chooseNamespaces, watchFurther } from "./chooseCluster.ts";
import { ClusterSession } from "./clusterSession.ts";
import type { SessionOptions } from "./connectionLife.ts";
import { decorateRows } from "./decorateRows.ts";
import { dragNames, takeDroppedRows } from "./dragRows.ts";
import { namesOf } from "./rowNames.ts";
import { showStatusItem } from "./statusItem.ts";
import type { TreeNode } from "./treeNode.ts";

export interface AppsOptions extends Omit<LogsContext, "session">, SessionOptions {
  readonly documents: DescribeContext["documents"];
  readonly showLayers: DescribeContext["showLayers"];
  readonly canSubmitAnew: LifecycleContext["canSubmitAnew"];
  readonly submitAnew: LifecycleContext["submitAnew"];
  readonly wasSubmittedHere: LifecycleContext["wasSubmittedHere"];
  readonly loadLifecycle: () => Promise<typeof lifecycleDoor>;
  readonly loadDescribe: () => Promise<typeof describeDoor>;
  readonly loadLogs: () => Promise<typeof logsDoor>;
  readonly loadForward: () => Promise<typeof forwardDoor>;
  /** As whom this machine's submissions run in Spark. */
  readonly userName: () => string;
}

/** The view that was registered, and by what it learns that rows have changed. */
export interface TreeOutlet {
  readonly view: TreeView<TreeNode>;
  readonly changes: EventEmitter<TreeNode[] | undefined>;
}

/** The tree of applications, the status item, and what serves the commands on them. */
export interface OpenApps extends Disposable {
  readonly session: ClusterSession;
  readonly rows: ApplicationsView;
  /** `given`: what the editor gave with the command. */
  run(id: AppsCommand, given: readonly unknown[]): Promise<void>;
  /** Rows are dragged away: gives them what they leave where they are dropped. */
  drag(nodes: readonly TreeNode[], dragged: DataTransfer): void;
  /** Problems of the program that the logs of its runs tell of. */
  readonly traces: TraceSink;
  /** The logs of a driver's application are followed until that is disposed of. */
  followed(driver: PodRecord): Disposable;
  /** Shows the row of an application whose driver pod has just been created, as soon as the watch tells of it. */
  reveal(driver: PodRecord): Promise<void>;
}

type RunOnRows = (nodes: readonly TreeNode[]) => Promise<void>;

export function openApps(given: AppsOptions, { view, changes }: TreeOutlet): OpenApps {
  const { log, loadLifecycle, loadDescribe, userName } = given;
  const owned = new DisposableStore();
  const session = owned.add(new ClusterSession(given));
  const options = { ...given, session };
  const terminals = owned.add(new DisposableStore());
  const lifecycle: LifecycleContext = { ...options, terminals };
  const rows = owned.add(new ApplicationsView(session, view, changes));
  owned.add(decorateRows());
  owned.add(takeDroppedRows());
  owned.add(showStatusItem(session));
  owned.add(restartOnChange(session, log));
  const change =
    (name: keyof typeof lifecycleDoor): RunOnRows =>
    async (nodes) =>
      (await loadLifecycle())[name](lifecycle, nodes);
  const describe =
    (name: keyof typeof describeDoor): RunOnRows =>
    async (nodes) =>
      (await loadDescribe())[name](options, nodes);
  let logs: Promise<OpenLogs> | undefined;
  const openLogs = async (): Promise<OpenLogs> =>
    owned.add((await given.loadLogs()).openLogs(options));
  const onLogs =
    (run: (logs: OpenLogs, nodes: readonly TreeNode[]) => Promise<void>): RunOnRows =>
    async (nodes) =>
      run(await (logs ??= openLogs()), nodes);
  let forwards: Promise<OpenForwards> | undefined;
  const onForwards =
    (run: (forwards: OpenForwards, nodes: readonly TreeNode[]) => Promise<void>): RunOnRows =>
    async (nodes) => {
      forwards ??= given.loadForward().then((door) => owned.add(door.openForwards(options)));
      await run(await forwards, nodes);
    };
  owned.add(
    resumeWhenTrusted(given.keptMarks, workspace, () => {
      (logs ??= openLogs()).then((open) => open.resumeKeeping()).catch(log.error);
    }),
  );
  const served: Readonly<Record<AppsCommand, RunOnRows>> = {
    [commands.tail]: onLogs((open, nodes) => open.tail(nodes)),
    [commands.tailSeveral]: onLogs((open) => open.tailSeveral()),
    [commands.openLog]: onLogs((open, nodes) => open.openLog(nodes)),
    [commands.openPrevious]: onLogs((open, nodes) => open.openPrevious(nodes)),
    [commands.olderPage]: onLogs((open) => open.turnPage("older")),
    [commands.newerPage]: onLogs((open) => open.turnPage("newer")),
    [commands.followDocument]: onLogs((open) => open.followDocument()),
    [commands.saveLog]: onLogs((open, nodes) => open.saveLog(nodes)),
    [commands.compareLogs]: onLogs((open, nodes) => open.compareLogs(nodes)),
    [commands.keepLogs]: onLogs((open, nodes) => open.keepLogs(nodes)),
    [commands.openKept]: onLogs((open, nodes) => open.openKept(nodes)),
    [commands.searchKept]: onLogs((open) => open.searchKept()),
    [commands.forgetKept]: onLogs((open) => open.forgetKept()),
    [commands.forwardPort]: onForwards((open, nodes) => open.forward(nodes)),
    [commands.listPorts]: onForwards((open) => open.list()),
    [commands.killExecutor]: change("killExecutors"),
    [commands.decommission]: change("decommissionExecutors"),
    [commands.stop]: change("stopApplications"),
    [commands.suspendApplication]: change("suspendApplications"),
    [commands.resumeApplication]: change("resumeApplications"),
    [commands.restart]: change("restartApplications"),
    [commands.scale]: change("scaleApplications"),
    [commands.delete]: (nodes) => change("deleteRows")(rows.withRuns(nodes)),
    [commands.cleanUp]: change("cleanUp"),
    [commands.terminal]: change("openTerminals"),
    [commands.showPod]: describe("showPods"),
    [commands.showConf]: describe("showConf"),
    [commands.showEffectiveConf]: describe("showEffectiveConf"),
    [commands.showEvents]: describe("showEvents"),
    [commands.compare]: describe("compareRows"),
    [commands.copyName]: async (nodes) => {
      const names = namesOf(session, nodes);
      if (names.length > 0) await env.clipboard.writeText(names.join("\n"));
    },
    [commands.filter]: async () => {
      const namespaces = new Set(session.applications.map(({ namespace }) => namespace));
      const filter = await askForFilter(rows.filter, [...namespaces].sort(), userName());
      if (filter) rows.show(filter);
    },
    [commands.clearFilter]: () => {
      rows.show(noFilter);
      return Promise.resolve();
    },
    [commands.chooseCluster]: () => chooseCluster(session, log),
    [commands.watchFurther]: () => watchFurther(session, log),
    [commands.chooseNamespace]: () => chooseNamespaces(session),
    [commands.reconnect]: () => {
      session.reconnect();
      return Promise.resolve();
    },
    [commands.explainProblem]: async () => {
      const { problem } = session;
      if (problem) await showClusterError(l10n.t("No applications can be shown"), problem, log);
    },
  };
  return {
    session,
    rows,
    run: (id, [node, nodes]) =>
      served[id](node === ofSelection ? rows.selection : rowsOf(node, nodes)),
    drag: (nodes, dragged) => {
      dragNames(dragged, namesOf(session, nodes));
    },
    traces: {
      begin: (view) => {
        logs?.then(({ traces }) => {
          traces.begin(view);
        }, log.error);
      },
      tell: (trace) => {
        (logs ??= openLogs()).then(({ traces }) => {
          traces.tell(trace);
        }, log.error);
      },
    },
    followed: (driver) => {
      // Nothing is loaded for what would keep nothing.
      if (!keepsFollowedLogs()) return disposable(() => undefined);
      const applications = (): readonly Application[] =>
        session.applications.filter((one) => one.driver?.pod.uid === driver.uid);
      return disposableOf(
        (logs ??= openLogs()).then((open) => open.followed(applications)),
        log.error,
      );
    },
    reveal: (driver) => reveal(session, rows, driver),
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
  session.start();
  // By its driver, as it may have been submitted to one of the further clusters.
  const found = (): Application | undefined =>
    session.applications.find((one) => one.driver?.pod.uid === driver.uid);
  const deadline = AbortSignal.timeout(revealDeadlineMs);
  if (!(await session.until(() => found() !== undefined, deadline))) return;
  const application = found();
  if (application) await view.reveal(application.key);
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
      else if (change.affectsConfiguration(`${settingsSection}.${settings.furtherContexts}`)) {
        session.followFurther();
      }
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

// A row's command comes with its node and, where several are selected, with all of them.
function rowsOf(node: unknown, nodes: unknown): readonly TreeNode[] {
  if (Array.isArray(nodes) && nodes.length > 0) return nodes.filter(isTreeNode);
  return isTreeNode(node) ? [node] : [];
}

const isTreeNode = (value: unknown): value is TreeNode =>
  typeof value === "object" && value !== null && "kind" in value && "id" in value;
