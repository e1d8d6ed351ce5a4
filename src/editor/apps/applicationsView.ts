import {
  commands as editorCommands,
  l10n,
  workspace,
  type EventEmitter,
  TreeItem,
  type TreeView,
  window,
} from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import { hasEndedPod, isAlive, type Application } from "../../spark/pods/application.ts";
import {
  isFiltering,
  isInTrouble,
  noFilter,
  passes,
  standingOf,
  type ApplicationFilter,
} from "../../spark/pods/applicationFilter.ts";
import { applicationRows, type ApplicationRow } from "../../spark/pods/applicationRows.ts";
import { compareText } from "../../spark/pods/compareText.ts";
import { executorsApart } from "../../spark/pods/changedRows.ts";
import { byExecutorId } from "../../spark/pods/executorPods.ts";
import { itemsIn, rankOf } from "../../spark/pods/ordered.ts";
import { filterKey, watchStateKey } from "../ids.ts";
import { describeFilter } from "./askForFilter.ts";
import type { ClusterSession, SessionChange } from "./clusterSession.ts";
import { pageOf, rowsAPage } from "./executorRows.ts";
import {
  applicationItem,
  applicationPageItem,
  driverItem,
  earlierRunsItem,
  endedExecutorsItem,
  executorItem,
  executorPageItem,
  namespaceItem,
  withTooltip,
  type Known,
} from "./treeItem.ts";
import { TreeNodes, type ExecutorList, type TreeNode } from "./treeNode.ts";
import { watchStateOf } from "./watchState.ts";
import { contextsIn, messageOf } from "./watchWords.ts";

// Ages count in seconds for the first minute only, so a row is never far behind.
const ageRefreshMs = 15_000;
/** While somebody looks, what is shown is to be right within five seconds of the server's return. */
const hurryMs = 3_000;
/** The ages of applications, in minutes for most, are drawn once in so many times. */
const ticksAnApplication = 4;

/** Where an application stands in the tree as it was last built. */
interface Place {
  readonly parent: TreeNode | undefined;
  /** As it was when its rows were last told to be drawn; the list is laid out anew when it comes to an end. */
  readonly application: Application;
}

/** The tree of applications. Connects when it is first seen. */
export class ApplicationsView implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #session: ClusterSession;
  readonly #nodes = new TreeNodes();
  readonly #view: TreeView<TreeNode>;
  readonly #changes: EventEmitter<TreeNode[] | undefined>;
  /** The rows as they were last built, by the ids of their groups; under undefined where there are none. */
  #rows = new Map<string | undefined, readonly ApplicationRow[]>();
  /** By the keys of the applications that passed the filter. */
  #places = new Map<string, Place>();
  #filter = noFilter;
  /** What the menus and welcome texts were last told of the watch. */
  #watchState = "";

  /** `changes` tells the view which rows to draw anew. */
  constructor(
    session: ClusterSession,
    view: TreeView<TreeNode>,
    changes: EventEmitter<TreeNode[] | undefined>,
  ) {
    this.#session = session;
    this.#view = view;
    this.#changes = changes;
    this.#owned.add(
      session.onDidChange((change) => {
        this.#update(change);
      }),
    );
    this.#owned.add(
      this.#view.onDidChangeVisibility(() => {
        this.#look();
        this.#hurry();
      }),
    );
    this.#owned.add(
      window.onDidChangeWindowState(() => {
        this.#hurry();
      }),
    );
    const hurrying = setInterval(() => {
      this.#hurry();
    }, hurryMs);
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (this.#view.visible) this.#refreshAges(ticks % ticksAnApplication === 0);
    }, ageRefreshMs);
    this.#owned.add(
      disposable(() => {
        clearInterval(hurrying);
        clearInterval(timer);
      }),
    );
  }

  get selection(): readonly TreeNode[] {
    return this.#view.selection;
  }

  get filter(): ApplicationFilter {
    return this.#filter;
  }

  /** Shows what passes, and nothing else. */
  show(filter: ApplicationFilter): void {
    this.#filter = filter;
    void editorCommands.executeCommand("setContext", filterKey, isFiltering(filter));
    this.#tellAround();
    this.#changes.fire(undefined);
  }

  /** Shows the row of an application that has just been submitted, without taking the focus. */
  async reveal(key: string): Promise<void> {
    const application = this.#session.find(key);
    if (application === undefined) return;
    if (!passes(this.#filter, application)) this.show(noFilter);
    this.#layOut();
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
      this.#layOut();
      this.#look();
      return this.#groupsByNamespace()
        ? [...this.#rows.keys()].flatMap((id = "") => this.#nodes.find(id) ?? []).sort(byPlace)
        : this.#pagedRows(undefined);
    }
    switch (node.kind) {
      case "namespace":
        return this.#pagedRows(node.id);
      case "applicationPage": {
        const rows = this.#rows.get(node.group) ?? [];
        const start = node.page * rowsAPage;
        return rows.slice(start, start + rowsAPage).map((row) => this.#nodeOf(row));
      }
      case "application":
        return this.#childrenOf(node.key);
      case "earlierRuns":
        return this.#earlierRuns(node.key).map(({ key }) => this.#nodes.application(key));
      case "endedExecutors":
        return this.#executors(node.key, "ended");
      case "executorPage": {
        const list = this.#session.find(node.key)?.[node.list];
        if (list === undefined) return [];
        return pageOf(list, node.page).map(({ pod }) => this.#nodes.executor(node.key, pod.uid));
      }
      case "driver":
      case "executor":
        return [];
      default:
        return assertNever(node);
    }
  }

  getTreeItem(node: TreeNode): TreeItem {
    switch (node.kind) {
      case "namespace":
        return namespaceItem(node, node.namespace, node.context);
      case "applicationPage":
        return applicationPageItem(node, node.page, this.#rows.get(node.group)?.length ?? 0);
      case "earlierRuns":
        return earlierRunsItem(node, this.#earlierRuns(node.key));
      case "application": {
        const application = this.#session.find(node.key);
        return application
          ? applicationItem(
              node,
              application,
              this.#knownOf(application),
              this.#session.nowOf(node.key),
            )
          : gone(node);
      }
      case "driver": {
        const application = this.#session.find(node.key);
        const driver = application?.driver;
        if (application === undefined || driver?.pod.uid !== node.uid) return gone(node);
        return driverItem(
          node,
          driver,
          this.#session.diagnose(application, driver),
          this.#session.nowOf(node.key),
        );
      }
      case "executor": {
        const executor = this.#session.findExecutor(node.key, node.uid);
        const application = this.#session.find(node.key);
        if (application === undefined || executor === undefined) return gone(node);
        return executorItem(
          node,
          executor,
          this.#session.diagnose(application, executor),
          this.#session.nowOf(node.key),
        );
      }
      case "executorPage": {
        const list = this.#session.find(node.key)?.[node.list];
        return list ? executorPageItem(node, node.list, pageOf(list, node.page)) : gone(node);
      }
      case "endedExecutors": {
        const ended = this.#session.find(node.key)?.ended;
        return ended ? endedExecutorsItem(node, [...itemsIn(ended)]) : gone(node);
      }
      default:
        return assertNever(node);
    }
  }

  /** Completes an item with what only shows when the mouse rests on it. */
  resolve(item: TreeItem): TreeItem {
    return withTooltip(item);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case "namespace":
        return undefined;
      case "applicationPage":
        return node.group === undefined ? undefined : this.#nodes.find(node.group);
      case "application":
      case "earlierRuns":
        return this.#places.get(node.key)?.parent;
      case "driver":
      case "endedExecutors":
        return this.#nodes.application(node.key);
      case "executorPage":
        return node.list === "ended"
          ? this.#nodes.endedExecutors(node.key)
          : this.#nodes.application(node.key);
      case "executor":
        return this.#parentOfExecutor(node.key, node.uid);
      default:
        return assertNever(node);
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  // While an application's row is drawn anew, the editor does not know the rows below it: a menu that is open
  // on one of them would act on nothing. So the rows without children are drawn by themselves.
  #refreshAges(withApplications: boolean): void {
    const alive = [...this.#places].filter(([, place]) => isAlive(place.application));
    const rows = alive.flatMap(([key]) =>
      withApplications
        ? [this.#nodes.application(key)]
        : this.#childrenOf(key).filter(({ kind }) => kind === "driver" || kind === "executor"),
    );
    if (rows.length > 0) this.#changes.fire(rows);
  }

  #update({ changedKeys }: SessionChange): void {
    this.#tellAround();
    if (changedKeys === undefined) {
      this.#changes.fire(undefined);
      return;
    }
    // What came, went or moved changes the list; anything else only its own rows.
    let listChanged = false;
    const rows: TreeNode[] = [];
    for (const key of changedKeys) {
      const application = this.#session.find(key);
      const place = this.#places.get(key);
      if (application === undefined) this.#nodes.forget(key);
      const isShown = application !== undefined && passes(this.#filter, application);
      if (isShown !== (place !== undefined)) listChanged = true;
      else if (place !== undefined && application !== undefined) {
        if (isAlive(place.application) !== isAlive(application)) listChanged = true;
        rows.push(...this.#rowsToDraw(place.application, application));
        this.#places.set(key, { ...place, application });
      }
    }
    if (listChanged) this.#changes.fire(undefined);
    else if (rows.length > 0) this.#changes.fire(rows);
  }

  /** An application's own row, with which all below it are drawn anew, or as few of these as tell the change. */
  #rowsToDraw(before: Application, after: Application): readonly TreeNode[] {
    const apart = before === after ? undefined : executorsApart(before, after);
    return apart === undefined
      ? [this.#nodes.application(after.key)]
      : apart.map(({ pod }) => this.#nodes.executor(after.key, pod.uid));
  }

  /** All that stands around the rows: badge, message, description, and what the menus ask. */
  #tellAround(): void {
    const { state, applications } = this.#session;
    const watchState = watchStateOf(state);
    if (watchState !== this.#watchState) {
      this.#watchState = watchState;
      void editorCommands.executeCommand("setContext", watchStateKey, watchState);
    }
    const filter = describeFilter(this.#filter);
    const isHidden =
      filter !== "" &&
      applications.length > 0 &&
      !applications.some((application) => passes(this.#filter, application));
    this.#view.message =
      messageOf(state) || (isHidden ? l10n.t("No application passes the filter: {0}", filter) : "");
    this.#view.description = [contextsIn(state).join(", "), filter]
      .filter((part) => part !== "")
      .join(" · ");
    const running = applications.filter((one) => standingOf(one) === "running").length;
    const troubled = applications.filter((one) => isAlive(one) && isInTrouble(one)).length;
    this.#view.badge =
      running === 0 && troubled === 0
        ? undefined
        : {
            value: Math.max(running, troubled),
            tooltip:
              troubled === 0
                ? l10n.t("Spark applications running: {0}", running)
                : l10n.t("Spark applications running: {0}, in trouble: {1}", running, troubled),
          };
  }

  /** Decides anew which row stands where. */
  #layOut(): void {
    const isGrouped = this.#groupsByNamespace();
    const groups = new Map<TreeNode | undefined, Application[]>();
    for (const { context, applications } of this.#session.byContext()) {
      for (const application of applications) {
        if (!passes(this.#filter, application)) continue;
        const { namespace } = application;
        const group = isGrouped ? this.#nodes.namespace(context, namespace) : undefined;
        const members = groups.get(group) ?? [];
        groups.set(group, members);
        members.push(application);
      }
    }
    this.#rows = new Map();
    this.#places = new Map();
    for (const [top, applications] of groups) {
      const rows = applicationRows(applications);
      this.#rows.set(top?.id, rows);
      for (const [index, row] of rows.entries()) {
        const parent =
          rows.length > rowsAPage
            ? this.#nodes.applicationPage(top?.id, Math.floor(index / rowsAPage))
            : top;
        if (row.kind === "application") this.#place(row.application, parent);
        else {
          for (const run of row.runs) this.#place(run, this.#nodes.earlierRuns(row.key));
        }
      }
    }
  }

  /** What is alive and in sight is looked at closely; what is hidden costs nothing. */
  #look(): void {
    const keys = this.#view.visible ? [...this.#places] : [];
    this.#session.look(keys.filter(([, place]) => isAlive(place.application)).map(([key]) => key));
  }

  #hurry(): void {
    if (this.#view.visible && window.state.focused) this.#session.hurry();
  }

  #knownOf(application: Application): Known {
    return {
      report: this.#session.reportOf(application.key),
      diagnose: (pod) => this.#session.diagnose(application, pod),
    };
  }

  #place(application: Application, parent: TreeNode | undefined): void {
    this.#places.set(application.key, { parent, application });
  }

  #pagedRows(group: string | undefined): TreeNode[] {
    const rows = this.#rows.get(group) ?? [];
    return rows.length <= rowsAPage
      ? rows.map((row) => this.#nodeOf(row))
      : pagesOf(rows.length).map((page) => this.#nodes.applicationPage(group, page));
  }

  #nodeOf(row: ApplicationRow): TreeNode {
    return row.kind === "application"
      ? this.#nodes.application(row.application.key)
      : this.#nodes.earlierRuns(row.key);
  }

  #earlierRuns(key: string): readonly Application[] {
    for (const rows of this.#rows.values()) {
      for (const row of rows) if (row.kind === "earlierRuns" && row.key === key) return row.runs;
    }
    return [];
  }

  #groupsByNamespace(): boolean {
    const { state } = this.#session;
    if (state.kind !== "connected") return false;
    return (
      state.watches.length > 1 || state.watches.some(({ namespace }) => namespace === undefined)
    );
  }

  #childrenOf(key: string): TreeNode[] {
    const application = this.#session.find(key);
    if (application === undefined) return [];
    const { driver, ended } = application;
    return [
      ...(driver === undefined ? [] : [this.#nodes.driver(key, driver.pod.uid)]),
      ...this.#executors(key, "live"),
      ...(ended.size === 0 ? [] : [this.#nodes.endedExecutors(key)]),
    ];
  }

  /** The executors of a list, or the pages of a long one. */
  #executors(key: string, name: ExecutorList): TreeNode[] {
    const list = this.#session.find(key)?.[name];
    if (list === undefined) return [];
    return list.size <= rowsAPage
      ? [...itemsIn(list)].map(({ pod }) => this.#nodes.executor(key, pod.uid))
      : pagesOf(list.size).map((page) => this.#nodes.executorPage(key, name, page));
  }

  #parentOfExecutor(key: string, uid: string): TreeNode {
    const application = this.#session.find(key);
    const executor = this.#session.findExecutor(key, uid);
    if (application === undefined || executor === undefined) return this.#nodes.application(key);
    const name = hasEndedPod(executor) ? "ended" : "live";
    const list = application[name];
    const rank = list.size > rowsAPage ? rankOf(list, executor, byExecutorId) : undefined;
    if (rank !== undefined) {
      return this.#nodes.executorPage(key, name, Math.floor(rank / rowsAPage));
    }
    return name === "ended" ? this.#nodes.endedExecutors(key) : this.#nodes.application(key);
  }
}

const byPlace = (a: TreeNode, b: TreeNode): number => compareText(a.id, b.id);

const pagesOf = (size: number): readonly number[] =>
  Array.from({ length: Math.ceil(size / rowsAPage) }, (_, page) => page);

// A row may be asked for between its pod's end and the next look at the tree.
function gone(node: TreeNode): TreeItem {
  const item = new TreeItem(l10n.t("gone"));
  item.id = node.id;
  return item;
}
