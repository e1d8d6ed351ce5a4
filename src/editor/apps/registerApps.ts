import { EventEmitter, type TreeItem } from "vscode";
import { disposableOf, DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { WindowPods } from "./clusterSession.ts";
import type { Clusters, Connection } from "../../engine/ports/connection.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { applicationsViewId } from "../ids.ts";
import type { Log } from "../log.ts";
import { lazyShownLogs, type ShownLogs } from "../logs/shownLogs.ts";
import type { CommandHandlers, RowsArgument } from "../commandArguments.ts";
import { commandNames, isCommandOf, type CommandOf } from "../commandTable.ts";
import type { ReportDriver } from "./driverState.ts";
import { dragMimeType } from "./dragRows.ts";
import type { OpenApps, RowServices, TreeOutlet } from "./openApps.ts";
import type { TreeNode } from "./treeNode.ts";
import { window } from "../ui/window.ts";

/**
 * The cluster session for other features. Calls that need the cluster load the lazy bundle at first use; `connected`
 * and `watchedNamespaces` never load it.
 */
export interface Apps extends Disposable {
  /** Returns the command handlers. The first command loads the bundle. */
  handlers(services: RowServices): CommandHandlers<CommandOf<"apps">>;
  /** Loads the bundle, without running a command. */
  readonly open: () => Promise<void>;
  clusters(): Promise<Clusters>;
  connect(signal: AbortSignal): Promise<Result<Connection, ClusterError>>;
  /** The connection of the chosen context; undefined while there is none. Does not connect. */
  readonly connected: Connection | undefined;
  /** The watched namespaces of the chosen context. Empty if all are watched, or without a connection. */
  readonly watchedNamespaces: readonly string[];
  /** Returns access to the pods of a driver's application, from any context of its server. */
  watched(connection: Pick<Connection, "server">, driver: PodRecord): Promise<WindowPods>;
  /** Saves the logs of a driver's application until disposal, if the settings enable this. */
  followed(driver: PodRecord): Disposable;
  /**
   * Reports the state of a driver when the window first sees its pod and after each change, until disposal. `driver`:
   * the pod's uid. The text is the same as in its application's row.
   */
  driverState(driver: string, report: ReportDriver): Disposable;
  /** Problems, links and documents for the log terminals of runs. */
  readonly shownLogs: ShownLogs;
  /** Selects the row of a new driver's application when the watch delivers it. Gives up after 10 s. */
  reveal(driver: PodRecord): Promise<void>;
  /** Connects to the Spark session of a driver that this window has started. */
  startedSession(driver: PodRecord): Promise<void>;
  /** Opens the timeline panel of a kept run. `id`: the uid of its driver pod. */
  showRunTimeline(id: string): Promise<void>;
}

/** Registers the view of applications. Its first use loads the bundle. */
export function registerApps(open: (outlet: TreeOutlet) => Promise<OpenApps>, log: Log): Apps {
  const owned = new DisposableStore();
  let apps: OpenApps | undefined;
  let opening: Promise<OpenApps> | undefined;
  const opened = (): Promise<OpenApps> => (opening ??= begin());
  const begin = async (): Promise<OpenApps> => (apps = owned.add(await open({ view, changes })));

  const changes = owned.add(new EventEmitter<TreeNode[] | undefined>());
  const view = owned.add(
    window.createTreeView<TreeNode>(applicationsViewId, {
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getChildren: async (node) => (await opened()).rows.getChildren(node),
        getTreeItem: async (node): Promise<TreeItem> => (await opened()).item(node),
        resolveTreeItem: async (item) => (await opened()).resolve(item),
        getParent: async (node) => (await opened()).rows.getParent(node),
      },
      dragAndDropController: {
        dragMimeTypes: [dragMimeType],
        dropMimeTypes: [],
        handleDrag: async (nodes, dragged) => {
          (await opened()).drag(nodes, dragged);
        },
      },
      canSelectMany: true,
      showCollapseAll: true,
    }),
  );
  const handler =
    (name: CommandOf<"apps">, services: RowServices) =>
    async (given: RowsArgument): Promise<void> =>
      (await opened()).run(name, given, services);
  const names = commandNames.filter((name) => isCommandOf("apps", name));
  return {
    handlers: (services) =>
      Object.fromEntries(names.map((name) => [name, handler(name, services)])) as CommandHandlers<
        CommandOf<"apps">
      >,
    open: async () => {
      await opened();
    },
    clusters: async () => (await opened()).session.clusters(),
    connect: async (signal) => (await opened()).session.connect(signal),
    watched: async ({ server }, driver) => (await opened()).session.watchedAt(server, driver),
    followed: (driver) =>
      disposableOf(
        opened().then((open) => open.followed(driver)),
        log.error,
      ),
    driverState: (driver, report) =>
      disposableOf(
        opened().then((open) => open.driverState(driver, report)),
        log.error,
      ),
    get watchedNamespaces() {
      return apps?.session.watchedNamespaces ?? [];
    },
    get connected() {
      return apps?.session.chosen;
    },
    shownLogs: lazyShownLogs(async () => (await opened()).shownLogs, log.error),
    reveal: async (driver) => (await opened()).reveal(driver),
    startedSession: async (driver) => (await opened()).startedSession(driver),
    showRunTimeline: async (id) => (await opened()).showRunTimeline(id),
    dispose: () => {
      owned.dispose();
    },
  };
}
