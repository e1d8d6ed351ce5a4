import { EventEmitter, window, type TreeItem } from "vscode";
import { disposableOf, DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { WatchedPods } from "../../engine/containerNews.ts";
import type { Clusters, Connection } from "../../engine/ports.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { applicationsViewId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { TraceSink } from "../logs/loggedTrace.ts";
import { registerTrustedCommand } from "../registerCommand.ts";
import { appsCommands } from "./appsCommands.ts";
import { namesType } from "./dragRows.ts";
import type { OpenApps, TreeOutlet } from "./openApps.ts";
import type { TreeNode } from "./treeNode.ts";

/** What others need of the cluster that the window looks at; asking for it loads what watches. */
export interface Apps extends Disposable {
  /** Opens what serves the view and the commands, as the first use of one of them does. */
  readonly open: () => Promise<void>;
  clusters(): Promise<Clusters>;
  connect(signal: AbortSignal): Promise<Result<Connection, ClusterError>>;
  /** Undefined while nothing has been connected to; asking for it connects to nothing. */
  readonly connected: Connection | undefined;
  /** The first of the watched namespaces; undefined where all are watched, or nothing was connected to yet. */
  readonly firstNamespace: string | undefined;
  /** The pods of a driver's application as they are watched for the view, by whatever context of its server. */
  watched(connection: Pick<Connection, "server">, driver: PodRecord): Promise<WatchedPods>;
  /** The logs of a driver's application are followed until that is disposed of. */
  followed(driver: PodRecord): Disposable;
  /** Problems of the program that the logs of its runs tell of. */
  readonly traces: TraceSink;
  /** Shows the row of an application whose driver pod has just been created, as soon as the watch tells of it. */
  reveal(driver: PodRecord): Promise<void>;
}

/** The view of applications and the commands on them; what shows and serves them is opened when it is first used. */
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
        getTreeItem: async (node): Promise<TreeItem> => (await opened()).rows.getTreeItem(node),
        resolveTreeItem: async (item) => (await opened()).rows.resolve(item),
        getParent: async (node) => (await opened()).rows.getParent(node),
      },
      dragAndDropController: {
        dragMimeTypes: [namesType],
        // Nothing can be dropped onto the tree.
        dropMimeTypes: [],
        handleDrag: async (nodes, dragged) => {
          (await opened()).drag(nodes, dragged);
        },
      },
      canSelectMany: true,
      showCollapseAll: true,
    }),
  );
  for (const id of appsCommands) {
    const run = async (...given: readonly unknown[]): Promise<void> =>
      (await opened()).run(id, given);
    owned.add(registerTrustedCommand(id, run, log));
  }
  return {
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
    get firstNamespace() {
      return apps?.session.firstNamespace;
    },
    get connected() {
      return apps?.session.chosen;
    },
    traces: {
      begin: (view) => {
        apps?.traces.begin(view);
      },
      tell: (trace) => {
        opened().then(({ traces }) => {
          traces.tell(trace);
        }, log.error);
      },
    },
    reveal: async (driver) => (await opened()).reveal(driver),
    dispose: () => {
      owned.dispose();
    },
  };
}
