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
import { isAlive, type Application } from "../../spark/pods/application.ts";
import {
  isFiltering,
  isInTrouble,
  noFilter,
  passes,
  standingOf,
  type ApplicationFilter,
} from "../../spark/pods/applicationFilter.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import { filterKey, watchStateKey } from "../ids.ts";
import { describeFilter } from "./askForFilter.ts";
import type { ClusterSession, SessionChange } from "./clusterSession.ts";
import { describePage } from "./executorRows.ts";
import { contextsIn } from "./sessionState.ts";
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
import type { TreeNode } from "./treeNode.ts";
import { TreeRows } from "./treeRows.ts";
import { watchStateOf } from "./watchState.ts";
import { messageOf } from "./watchWords.ts";

// Ages count in seconds for the first minute only, so a row is never far behind.
const ageRefreshMs = 15_000;
/** While somebody looks, what is shown is to be right within five seconds of the server's return. */
const hurryMs = 3_000;
/** The ages of applications, in minutes for most, are drawn once in so many times. */
const ticksAnApplication = 4;

/** The tree of applications. Connects when it is first seen. */
export class ApplicationsView implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #session: ClusterSession;
  readonly #rows: TreeRows;
  readonly #view: TreeView<TreeNode>;
  readonly #changes: EventEmitter<TreeNode[] | undefined>;
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
    this.#rows = new TreeRows(session);
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

  /** The rows with those of the runs in the place of a row that folds earlier ones. */
  withRuns(nodes: readonly TreeNode[]): readonly TreeNode[] {
    return this.#rows.withRuns(nodes);
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
    await this.#view.reveal(this.#rows.application(key), {
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
    }
    return this.#rows.childrenOf(node);
  }

  getTreeItem(node: TreeNode): TreeItem {
    switch (node.kind) {
      case "namespace":
        return namespaceItem(node, node.namespace, node.context);
      case "applicationPage":
        return applicationPageItem(node, node.page, this.#rows.paged(node.group));
      case "earlierRuns":
        return earlierRunsItem(node, this.#rows.earlierRuns(node));
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
        const diagnoses = this.#session.diagnose(application, executor);
        const now = this.#session.nowOf(node.key);
        const word = this.#session.isLeaving(node.uid) ? l10n.t("decommissioning") : undefined;
        return executorItem(node, executor, application, diagnoses, word, now);
      }
      case "executorPage": {
        const list = this.#session.find(node.key)?.[node.list];
        return list ? executorPageItem(node, node.list, describePage(list, node.page)) : gone(node);
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
    return this.#rows.parentOf(node);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  // While an application's row is drawn anew, the editor does not know the rows below it: a menu that is open
  // on one of them would act on nothing. So the rows without children are drawn by themselves.
  #refreshAges(withApplications: boolean): void {
    const alive = [...this.#rows.places].filter(([, place]) => isAlive(place.application));
    const rows = alive.flatMap(([key]) =>
      withApplications ? [this.#rows.application(key)] : this.#rows.podsBelow(key),
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
      const place = this.#rows.places.get(key);
      if (application === undefined) this.#rows.forget(key);
      const isShown = application !== undefined && passes(this.#filter, application);
      if (isShown !== (place !== undefined)) listChanged = true;
      else if (place !== undefined && application !== undefined) {
        if (isAlive(place.application) !== isAlive(application)) listChanged = true;
        rows.push(...this.#rows.update(application));
      }
    }
    if (listChanged) this.#changes.fire(undefined);
    else if (rows.length > 0) this.#changes.fire(rows);
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

  #layOut(): void {
    this.#rows.layOut(this.#filter, this.#groupsByNamespace());
  }

  /** What is alive and in sight is looked at closely; what is hidden costs nothing. */
  #look(): void {
    const keys = this.#view.visible ? [...this.#rows.places] : [];
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

  #groupsByNamespace(): boolean {
    const { state } = this.#session;
    if (state.kind !== "connected") return false;
    return (
      state.watches.length > 1 || state.watches.some(({ namespace }) => namespace === undefined)
    );
  }
}

// A row may be asked for between its pod's end and the next look at the tree.
function gone(node: TreeNode): TreeItem {
  const item = new TreeItem(l10n.t("gone"));
  item.id = node.id;
  return item;
}
