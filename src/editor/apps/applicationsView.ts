import {
  commands as editorCommands,
  EventEmitter,
  l10n,
  window,
  workspace,
  type Event,
  type TreeDataProvider,
  TreeItem,
  type TreeView,
} from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import {
  hasEndedPod,
  isAlive,
  type Application,
  type ExecutorPod,
} from "../../spark/pods/application.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import { applicationsViewId, watchStateKey } from "../ids.ts";
import { explainClusterError } from "../showError.ts";
import type {
  ClusterSession,
  NamespaceWatch,
  SessionChange,
  SessionState,
} from "./clusterSession.ts";
import {
  applicationItem,
  driverItem,
  endedExecutorsItem,
  executorItem,
  namespaceItem,
  type Known,
} from "./treeItem.ts";
import { TreeNodes, type TreeNode } from "./treeNode.ts";

// Ages count in seconds for the first minute only, so a row is never far behind.
const ageRefreshMs = 15_000;

/** The tree of applications. Connects when it is first seen. */
export class ApplicationsView implements TreeDataProvider<TreeNode>, Disposable {
  readonly #owned = new DisposableStore();
  readonly #session: ClusterSession;
  readonly #now: () => number;
  readonly #nodes = new TreeNodes();
  readonly #changes = this.#owned.add(new EventEmitter<TreeNode | undefined>());
  readonly #view: TreeView<TreeNode>;
  readonly onDidChangeTreeData: Event<TreeNode | undefined> = this.#changes.event;
  /** Keys of the applications in the tree as it was last built. */
  #shown: ReadonlySet<string> = new Set();

  constructor(session: ClusterSession, now: () => number) {
    this.#session = session;
    this.#now = now;
    this.#view = this.#owned.add(
      window.createTreeView(applicationsViewId, {
        treeDataProvider: this,
        canSelectMany: true,
        showCollapseAll: true,
      }),
    );
    this.#owned.add(
      session.onDidChange((change) => {
        this.#update(change);
      }),
    );
    this.#owned.add(
      this.#view.onDidChangeVisibility(() => {
        this.#look();
      }),
    );
    const timer = setInterval(() => {
      if (this.#view.visible && session.applications.some(isAlive)) this.#changes.fire(undefined);
    }, ageRefreshMs);
    this.#owned.add(
      disposable(() => {
        clearInterval(timer);
      }),
    );
  }

  get selection(): readonly TreeNode[] {
    return this.#view.selection;
  }

  /** Shows the row of an application that has just been submitted, without taking the focus. */
  async reveal(key: string): Promise<void> {
    if (this.#session.find(key) === undefined) return;
    await this.#view.reveal(this.#nodes.application(key), {
      select: true,
      focus: false,
      expand: true,
    });
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) {
      // What is not trusted asks no cluster.
      if (workspace.isTrusted) this.#session.start();
      return this.#roots();
    }
    switch (node.kind) {
      case "namespace":
        return this.#applicationsOf(node.namespace).map(({ key }) => this.#nodes.application(key));
      case "application":
        return this.#childrenOf(node.key);
      case "endedExecutors":
        return this.#endedExecutorsOf(node.key).map(({ pod }) =>
          this.#nodes.executor(node.key, pod.uid),
        );
      case "driver":
      case "executor":
        return [];
      default:
        return assertNever(node);
    }
  }

  getTreeItem(node: TreeNode): TreeItem {
    const now = this.#now();
    switch (node.kind) {
      case "namespace":
        return namespaceItem(node, node.namespace, this.#contextName());
      case "application": {
        const application = this.#session.find(node.key);
        return application
          ? applicationItem(node, application, this.#knownOf(application), now)
          : gone(node);
      }
      case "driver": {
        const application = this.#session.find(node.key);
        const driver = application?.driver;
        if (application === undefined || driver?.pod.uid !== node.uid) return gone(node);
        return driverItem(node, driver, this.#session.diagnose(application, driver), now);
      }
      case "executor": {
        const executor = this.#session.findExecutor(node.key, node.uid);
        const application = this.#session.find(node.key);
        if (application === undefined || executor === undefined) return gone(node);
        return executorItem(node, executor, this.#session.diagnose(application, executor), now);
      }
      case "endedExecutors":
        return endedExecutorsItem(node, this.#endedExecutorsOf(node.key));
      default:
        return assertNever(node);
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case "namespace":
        return undefined;
      case "application": {
        const namespace = this.#session.find(node.key)?.namespace;
        return this.#groupsByNamespace() && namespace !== undefined
          ? this.#nodes.namespace(namespace)
          : undefined;
      }
      case "driver":
      case "endedExecutors":
        return this.#nodes.application(node.key);
      case "executor": {
        const executor = this.#session.findExecutor(node.key, node.uid);
        return executor && hasEndedPod(executor)
          ? this.#nodes.endedExecutors(node.key)
          : this.#nodes.application(node.key);
      }
      default:
        return assertNever(node);
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #update({ changedKeys }: SessionChange): void {
    const { state } = this.#session;
    void editorCommands.executeCommand("setContext", watchStateKey, watchStateOf(state));
    this.#view.message = messageOf(state);
    this.#view.description = state.kind === "connected" ? state.connection.context : "";
    if (changedKeys === undefined) {
      this.#changes.fire(undefined);
      return;
    }
    // An application that came or went changes the list; any other only its own rows.
    let listChanged = false;
    for (const key of changedKeys) {
      if (this.#session.find(key) === undefined) {
        this.#nodes.forget(key);
        listChanged = true;
      } else if (this.#shown.has(key)) {
        this.#changes.fire(this.#nodes.application(key));
      } else listChanged = true;
    }
    if (listChanged) this.#changes.fire(undefined);
  }

  /** What is alive and in sight is looked at closely; what is hidden costs nothing. */
  #look(): void {
    const shown = this.#view.visible ? this.#session.applications.filter(isAlive) : [];
    this.#session.look(shown.map(({ key }) => key));
  }

  #roots(): TreeNode[] {
    const { applications } = this.#session;
    this.#shown = new Set(applications.map(({ key }) => key));
    this.#look();
    if (!this.#groupsByNamespace()) {
      return inOrder(applications).map(({ key }) => this.#nodes.application(key));
    }
    const namespaces = [...new Set(applications.map(({ namespace }) => namespace))].sort();
    return namespaces.map((namespace) => this.#nodes.namespace(namespace));
  }

  #groupsByNamespace(): boolean {
    const { state } = this.#session;
    if (state.kind !== "connected") return false;
    return (
      state.watches.length > 1 || state.watches.some(({ namespace }) => namespace === undefined)
    );
  }

  #applicationsOf(namespace: string): readonly Application[] {
    return inOrder(this.#session.applications.filter((one) => one.namespace === namespace));
  }

  #childrenOf(key: string): TreeNode[] {
    const application = this.#session.find(key);
    if (application === undefined) return [];
    const { driver, live, ended } = application;
    return [
      ...(driver === undefined ? [] : [this.#nodes.driver(key, driver.pod.uid)]),
      ...[...itemsIn(live)].map(({ pod }) => this.#nodes.executor(key, pod.uid)),
      ...(ended.size === 0 ? [] : [this.#nodes.endedExecutors(key)]),
    ];
  }

  #endedExecutorsOf(key: string): readonly ExecutorPod[] {
    const application = this.#session.find(key);
    return application === undefined ? [] : [...itemsIn(application.ended)];
  }

  #knownOf(application: Application): Known {
    return {
      report: this.#session.reportOf(application.key),
      diagnose: (pod) => this.#session.diagnose(application, pod),
    };
  }

  #contextName(): string {
    const { state } = this.#session;
    return state.kind === "connected" ? state.connection.context : "";
  }
}

// What runs comes first; within, the newest.
const inOrder = (applications: readonly Application[]): readonly Application[] => [
  ...applications.filter(isAlive),
  ...applications.filter((application) => !isAlive(application)),
];

// A row may be asked for between its pod's end and the next look at the tree.
function gone(node: TreeNode): TreeItem {
  const item = new TreeItem(l10n.t("gone"));
  item.id = node.id;
  return item;
}

/** The word that the welcome views' when-clauses compare. */
function watchStateOf(state: SessionState): string {
  switch (state.kind) {
    case "idle":
    case "connecting":
      return "connecting";
    case "failed":
      return failureWord(state.error);
    case "connected":
      return worst(state.watches);
    default:
      return assertNever(state);
  }
}

function worst(watches: readonly NamespaceWatch[]): string {
  for (const { freshness } of watches) {
    if (freshness.kind === "failed") return failureWord(freshness.error);
  }
  const word = (["stale", "connecting"] as const).find((kind) =>
    watches.some(({ freshness }) => freshness.kind === kind),
  );
  return word ?? "live";
}

function failureWord(error: ClusterError): string {
  if (error.kind === "unauthorized" || error.kind === "forbidden") return error.kind;
  if (error.kind !== "configuration") return "unreachable";
  return error.problem === "noKubeconfig" ? "noKubeconfig" : "badKubeconfig";
}

/**
 * The sentence above a tree that is behind; empty where all is well. Where nothing was ever read the welcome
 * view speaks, which a message would hide.
 */
function messageOf(state: SessionState): string {
  if (state.kind !== "connected" || !state.watches.some(({ snapshot }) => snapshot.size > 0))
    return "";
  for (const { freshness } of state.watches) {
    if (freshness.kind === "failed") return explainClusterError(freshness.error);
    if (freshness.kind !== "stale") continue;
    const since = new Date(freshness.since).toLocaleTimeString();
    return l10n.t("Stale since {0}: {1}", since, explainClusterError(freshness.error));
  }
  return "";
}
