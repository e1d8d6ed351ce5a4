import type { EventEmitter } from "vscode";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { GuardKind } from "../../engine/contextGuard.ts";
import { assertNever } from "../../base/assertNever.ts";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import { isUnregistered } from "../../spark/diagnosis/executorFacts.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import {
  isFiltering,
  noFilter,
  matchesFilter,
  type ApplicationFilter,
} from "../../spark/pods/applicationFilter.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { filterKey, watchStateKey } from "../ids.ts";
import { ageRefreshMs, isAgeDue, isMinuteDue } from "./treeRefresh.ts";
import type { ClusterSession, SessionChange } from "./clusterSession.ts";
import { describePage, groupedExecutors } from "./executorRows.ts";
import { msg, type Message, type MessageText } from "../../base/message.ts";
import { applicationRow } from "./rows/applicationRow.ts";
import {
  applicationPageRow,
  earlierRunsRow,
  endedExecutorsRow,
  executorPageRow,
  namespaceRow,
} from "./rows/groupRows.ts";
import { progressRow } from "./rows/progressRow.ts";
import { driverRow, executorRow, type UsageSource } from "./rows/podRow.ts";
import type { Row } from "./rows/row.ts";
import type { RowFacts } from "./rows/rowText.ts";
import { ageStartOf, timesOf } from "../../spark/pods/podTimes.ts";
import { describeMs } from "../../spark/progress/describeProgress.ts";
import { heartbeatAgeOf } from "../../spark/progress/heartbeats.ts";
import { DrawnProgress } from "./drawnProgress.ts";
import { OpenProgress } from "./openProgress.ts";
import type { TreeNode } from "./treeNode.ts";
import { TreeRows } from "./treeRows.ts";
import { watchStateOf } from "./watchState.ts";
import { markedContext } from "./guardMarks.ts";
import { groupsByNamespace, viewTexts } from "./viewTexts.ts";
import type { PlainTreeView } from "../ui/treeView.ts";

/**
 * Interval in ms at which the view calls `hurry` of the session while it is visible in a focused window. So rows are
 * current a few seconds after an outage.
 */
const hurryMs = 3_000;

/** The parts of the window and the VS Code settings that the view uses. */
export interface ViewHost {
  readonly mayContactClusters: () => boolean;
  readonly isFocused: () => boolean;
  readonly guardOf: (context: string) => GuardKind;
  readonly explain: (error: ClusterError) => string;
  readonly show: (text: MessageText) => string;
  readonly setContext: (key: string, value: unknown) => void;
  readonly onDidChangeSettings: (listener: () => void) => Disposable;
  readonly onDidChangeFocus: (listener: () => void) => Disposable;
}

/** The tree of applications. Starts the session when VS Code first requests the rows of a trusted workspace. */
export class ApplicationsView implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #session: ClusterSession;
  readonly #rows: TreeRows;
  readonly #view: PlainTreeView<TreeNode>;
  readonly #changes: Pick<EventEmitter<TreeNode[] | undefined>, "fire">;
  readonly #host: ViewHost;
  readonly #open = new OpenProgress();
  readonly #drawn: DrawnProgress;
  #filter = noFilter;
  /** The last value of the context key for menus and welcome views. */
  #watchState = "";

  /** `changes`: fired with the rows to redraw, or with undefined for all rows. */
  constructor(
    session: ClusterSession,
    view: PlainTreeView<TreeNode>,
    changes: Pick<EventEmitter<TreeNode[] | undefined>, "fire">,
    host: ViewHost,
  ) {
    this.#host = host;
    this.#session = session;
    this.#rows = new TreeRows(session);
    this.#drawn = new DrawnProgress((key) => session.progressOf(key));
    this.#view = view;
    this.#changes = changes;
    this.#owned.add(
      session.onDidChange((change) => {
        this.#update(change);
      }),
    );
    this.#owned.add(
      session.onDidProgress((key) => {
        this.#drawProgress(key);
      }),
    );
    this.#owned.add(
      this.#view.onDidCollapseElement(({ element }) => {
        this.#collapse(element, true);
        if (element.kind !== "progress") return;
        this.#open.collapse(element);
        this.#focus();
      }),
    );
    this.#owned.add(
      this.#view.onDidExpandElement(({ element }) => {
        this.#collapse(element, false);
      }),
    );
    this.#owned.add(
      this.#view.onDidChangeSelection(({ selection: [node] }) => {
        session.selectedKey = node !== undefined && "key" in node ? node.key : undefined;
      }),
    );
    this.#owned.add(
      host.onDidChangeSettings(() => {
        this.#updateView();
      }),
    );
    this.#owned.add(
      this.#view.onDidChangeVisibility(() => {
        this.#look();
        this.#hurry();
        if (this.#view.visible) this.#refreshAges(0);
      }),
    );
    this.#owned.add(
      host.onDidChangeFocus(() => {
        this.#hurry();
      }),
    );
    const hurrying = setInterval(() => {
      this.#hurry();
    }, hurryMs);
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (this.#view.visible) this.#refreshAges(ticks);
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

  /** Replaces each row that groups earlier runs by the rows of its runs. */
  withRuns(nodes: readonly TreeNode[]): readonly TreeNode[] {
    return this.#rows.withRuns(nodes);
  }

  get filter(): ApplicationFilter {
    return this.#filter;
  }

  show(filter: ApplicationFilter): void {
    this.#filter = filter;
    this.#host.setContext(filterKey, isFiltering(filter));
    this.#updateView();
    this.#changes.fire(undefined);
  }

  #passes(application: Application): boolean {
    return matchesFilter(this.#filter, application, this.#session.profileOf);
  }

  /**
   * Selects and expands the row of an application without focusing the view. Clears a filter that hides the row. Does
   * nothing if the session does not know the application.
   */
  async reveal(key: string): Promise<void> {
    const application = this.#session.find(key);
    if (application === undefined) return;
    if (!this.#passes(application)) this.show(noFilter);
    this.#layOut();
    await this.#view.reveal(this.#rows.application(key), {
      select: true,
      focus: false,
      expand: true,
    });
  }

  /** Selects and focuses the row of an executor, or the row of its application if the executor's pod does not exist. */
  async revealExecutor(key: string, uid: string | undefined): Promise<void> {
    await this.reveal(key);
    const isThere = uid !== undefined && this.#session.findExecutor(key, uid) !== undefined;
    const row = isThere ? this.#rows.executor(key, uid) : this.#rows.application(key);
    await this.#view.reveal(row, { select: true, focus: true });
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node?.kind === "progress" && this.#open.expand(node)) this.#focus();
    if (node?.kind === "application") this.#drawn.drawRows(node.key);
    if (node === undefined) {
      // In an untrusted workspace, the view contacts no cluster.
      if (this.#host.mayContactClusters()) this.#session.start();
      this.#layOut();
      this.#look();
    }
    return this.#rows.childrenOf(node);
  }

  /**
   * Returns the contents of a node's row. Undefined if the object was deleted: VS Code may still request its row before
   * the next redraw.
   */
  rowOf(node: TreeNode): Row | undefined {
    const session = this.#session;
    switch (node.kind) {
      case "namespace": {
        const { namespace, context } = node;
        return namespaceRow(
          namespace,
          markedContext({ context, guard: this.#host.guardOf(context) }),
        );
      }
      case "applicationPage":
        return applicationPageRow(node.page, this.#rows.paged(node.group));
      case "earlierRuns":
        return earlierRunsRow(this.#rows.earlierRuns(node));
      case "application": {
        const application = session.find(node.key);
        return (
          application &&
          applicationRow(application, this.#knownOf(application), session.nowOf(node.key))
        );
      }
      case "driver": {
        const application = session.find(node.key);
        const driver = application?.driver;
        if (application === undefined || driver?.pod.uid !== node.uid) return undefined;
        const diagnoses = session.diagnose(application, driver);
        const usage = this.#usageOf(node.key, driver.pod, "driver");
        return driverRow(driver, { diagnoses, usage }, session.nowOf(node.key));
      }
      case "executor": {
        const executor = session.findExecutor(node.key, node.uid);
        const application = session.find(node.key);
        if (application === undefined || executor === undefined) return undefined;
        const diagnoses = session.diagnose(application, executor);
        const report = session.reportOf(node.key);
        const doing = session.isLeaving(node.uid)
          ? msg("decommissioning")
          : report !== undefined && isUnregistered(executor, report)
            ? msg("not registered with the driver")
            : undefined;
        const { pod, executorId } = executor;
        const usage = this.#usageOf(node.key, pod, String(executorId));
        const heartbeat = (): Message | undefined =>
          this.#heartbeatOf(node.key, String(executorId));
        const row = { diagnoses, doing, usage, heartbeat };
        return executorRow(executor, application, row, session.nowOf(node.key));
      }
      case "progress": {
        const progress = session.progressOf(node.applicationKey);
        const namespace = session.find(node.applicationKey)?.namespace;
        return progress && progressRow(node, progress, namespace);
      }
      case "executorPage": {
        const list = session.find(node.key)?.[node.list];
        return list && executorPageRow(node.list, describePage(list, node.page));
      }
      case "endedExecutors": {
        const application = session.find(node.key);
        return application && endedExecutorsRow(groupedExecutors(application));
      }
      default:
        return assertNever(node);
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.#rows.parentOf(node);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  // Redrawing an application's row also redraws its pods, and an open context menu of a pod then loses its target. So
  // this redraws an application about once a minute, and young pods separately.
  #refreshAges(tick: number): void {
    const rows = [...this.#rows.places].flatMap(([key, { application }]) => {
      const now = this.#session.nowOf(key);
      const { driver, createdAt } = application;
      const ended = driver === undefined ? undefined : timesOf(driver).endedAt;
      if (isMinuteDue(now - Date.parse(ended ?? createdAt), tick)) {
        return [this.#rows.application(key)];
      }
      if (!isAlive(application)) return [];
      return this.#rows
        .podsBelow(key)
        .filter(({ own }) => isAgeDue(now - Date.parse(ageStartOf(own)), tick))
        .map(({ node }) => node);
    });
    if (rows.length > 0) this.#changes.fire(rows);
  }

  #update({ changedKeys }: SessionChange): void {
    this.#updateView();
    if (changedKeys === undefined) {
      this.#changes.fire(undefined);
      return;
    }
    // Applications that appear, disappear, or change between live and ended affect the list. Other changes affect only
    // the application's own rows.
    let listChanged = false;
    const rows: TreeNode[] = [];
    for (const key of changedKeys) {
      const application = this.#session.find(key);
      const place = this.#rows.places.get(key);
      if (application === undefined) this.#rows.forget(key);
      const isShown = application !== undefined && this.#passes(application);
      if (isShown !== (place !== undefined)) listChanged = true;
      else if (place !== undefined && application !== undefined) {
        if (isAlive(place.application) !== isAlive(application)) listChanged = true;
        rows.push(...this.#rows.update(application));
      }
    }
    if (listChanged) this.#changes.fire(undefined);
    else if (rows.length > 0) this.#changes.fire(rows);
  }

  /** Updates the badge, the message, the description and the context key. */
  #updateView(): void {
    const { state, applications } = this.#session;
    const watchState = watchStateOf(state);
    if (watchState !== this.#watchState) {
      this.#watchState = watchState;
      this.#host.setContext(watchStateKey, watchState);
    }
    const host = this.#host;
    const { message, description, badge } = viewTexts({
      state,
      applications,
      filter: this.#filter,
      profileOf: this.#session.profileOf,
      guardOf: host.guardOf,
      explain: host.explain,
    });
    const { show } = host;
    this.#view.message = message === undefined ? "" : show(message);
    this.#view.description = description === undefined ? "" : show(description);
    this.#view.badge = badge && { ...badge, tooltip: show(badge.tooltip) };
  }

  #layOut(): void {
    this.#rows.layOut(this.#filter, groupsByNamespace(this.#session.state));
  }

  /**
   * Sets the applications that the session polls: the live ones that match the filter, or none while the view is
   * hidden.
   */
  #look(): void {
    const keys = this.#view.visible ? [...this.#rows.places] : [];
    this.#session.look(
      keys.filter(([, place]) => isAlive(place.application)).map(([key]) => key),
      this.#view.visible,
    );
    this.#drawn.keep((key) => this.#rows.places.has(key));
    this.#focus();
  }

  /** Passes the expanded progress rows to the session, which polls the drivers for the contents of these rows. */
  #focus(): void {
    this.#open.keep(({ applicationKey }) => this.#rows.places.has(applicationKey));
    this.#session.focusProgress(this.#open.focuses());
  }

  /**
   * Records whether the row is collapsed. Redraws the row if needed, because an application's row shows its progress
   * only while collapsed.
   */
  #collapse(node: TreeNode, isCollapsed: boolean): void {
    if (node.kind !== "application") return;
    this.#drawn.collapse(node.key, isCollapsed);
    if (this.#drawn.isApplicationDue(node.key)) this.#changes.fire([node]);
  }

  #drawProgress(key: string): void {
    if (!this.#rows.places.has(key)) return;
    const row = this.#rows.progressRow(key);
    if (this.#drawn.isApplicationDue(key)) {
      this.#changes.fire([this.#rows.application(key)]);
    } else if (row !== undefined) this.#changes.fire([row]);
  }

  #heartbeatOf(key: string, executorId: string): Message | undefined {
    const progress = this.#session.progressOf(key);
    const age = progress && heartbeatAgeOf(progress, executorId, this.#session.nowOf(key));
    return age === undefined ? undefined : msg`at most ${describeMs(age)} ago`;
  }

  #hurry(): void {
    if (this.#view.visible && this.#host.isFocused()) this.#session.hurry();
  }

  #knownOf(application: Application): RowFacts {
    return {
      report: this.#session.reportOf(application.key),
      diagnose: (pod) => this.#session.diagnose(application, pod),
      progress: this.#drawn.drawText(application.key),
      profile: this.#session.profileOf(application),
    };
  }

  /** Returns functions that read the usage of a pod when its tooltip is shown. */
  #usageOf(key: string, pod: PodRecord, id: string): UsageSource {
    return {
      byDriver: () => this.#session.reportOf(key)?.usage?.get(id),
      byMetrics: () => this.#session.podUsageOf(key, pod),
    };
  }
}
