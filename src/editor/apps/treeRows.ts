import { assertNever } from "../../base/assertNever.ts";
import type { Application, ExecutorPod, SparkPod } from "../../spark/pods/application.ts";
import { matchesFilter, type ApplicationFilter } from "../../spark/pods/applicationFilter.ts";
import { applicationRows, type ApplicationRow } from "../../spark/pods/applicationRows.ts";
import { executorsApart, podsGone } from "../../spark/pods/changedRows.ts";
import { compareText } from "../../spark/pods/compareText.ts";
import { byExecutorId } from "../../spark/pods/executorPods.ts";
import { itemsIn, rankOf } from "../../spark/pods/ordered.ts";
import { partsBelow } from "../../spark/progress/progressTree.ts";
import type { ClusterSession } from "./clusterSession.ts";
import {
  groupedExecutors,
  isInEndedGroup,
  isPaged,
  leavingExecutors,
  pageOf,
  rowsAPage,
} from "./executorRows.ts";
import { TreeNodes, type ExecutorList, type ProgressNode, type TreeNode } from "./treeNode.ts";

/** The part of the session that the rows show. */
export type ShownApplications = Pick<
  ClusterSession,
  "byContext" | "find" | "findExecutor" | "profileOf" | "progressOf"
>;

/** An application's position in the last layout. */
interface Place {
  readonly parent: TreeNode | undefined;
  /** The application as it was at the last redraw. */
  readonly application: Application;
}

type Row = ApplicationRow | { readonly kind: "namespace"; readonly node: TreeNode };

/** The hierarchy of rows. A row has at most `rowsAPage` children. */
export class TreeRows {
  readonly #known: ShownApplications;
  readonly #nodes = new TreeNodes();
  /** The child rows by the id of their parent row, before they are split into pages; `undefined` is the root. */
  #rows = new Map<string | undefined, readonly Row[]>();
  /** The parents of the rows that group earlier runs, by the id of the row. */
  #aboveRuns = new Map<string, TreeNode | undefined>();
  /** Places by application key, of the applications that match the filter. */
  #places = new Map<string, Place>();

  constructor(known: ShownApplications) {
    this.#known = known;
  }

  get places(): ReadonlyMap<string, Place> {
    return this.#places;
  }

  /** Rebuilds the hierarchy and removes the nodes of rows that no longer exist. */
  layOut(filter: ApplicationFilter, isGrouped: boolean): void {
    const groups = new Map<TreeNode | undefined, Application[]>();
    for (const { context, applications } of this.#known.byContext()) {
      for (const application of applications) {
        if (!matchesFilter(filter, application, this.#known.profileOf)) continue;
        const { namespace } = application;
        const group = isGrouped ? this.#nodes.namespace(context, namespace) : undefined;
        const members = groups.get(group) ?? [];
        groups.set(group, members);
        members.push(application);
      }
    }
    const before = this.#places;
    this.#rows = new Map();
    this.#aboveRuns = new Map();
    this.#places = new Map();
    if (isGrouped) {
      const namespaces = [...groups.keys()].filter((node) => node !== undefined).sort(byPlace);
      this.#rows.set(
        undefined,
        namespaces.map((node) => ({ kind: "namespace", node })),
      );
    }
    const { profileOf } = this.#known;
    for (const [top, applications] of groups) {
      this.#placeAll(top, applicationRows(applications, profileOf));
    }
    this.#nodes.keep((owner) => this.#places.has(owner) || this.#rows.has(owner));
    for (const [key, { application }] of this.#places) {
      this.#forgetGone(before.get(key)?.application, application);
    }
  }

  /** Updates an application and returns its existing rows that need a redraw. */
  update(application: Application): readonly TreeNode[] {
    const { key } = application;
    const place = this.#places.get(key);
    if (place === undefined) return [];
    const before = place.application;
    this.#places.set(key, { ...place, application });
    this.#forgetGone(before, application);
    const apart = before === application ? undefined : executorsApart(before, application);
    return apart === undefined
      ? [this.#nodes.application(key)]
      : apart.flatMap(({ pod }) => this.#nodes.findPod(key, pod.uid) ?? []);
  }

  /** Removes the nodes of a deleted application. */
  forget(key: string): void {
    this.#nodes.forget(key);
  }

  application(key: string): TreeNode {
    return this.#nodes.application(key);
  }

  executor(key: string, uid: string): TreeNode {
    return this.#nodes.executor(key, uid);
  }

  /** Returns the progress row of an application; undefined if VS Code has not requested it. */
  progressRow(key: string): ProgressNode | undefined {
    const node = this.#nodes.find(`progress:${key}`);
    return node?.kind === "progress" ? node : undefined;
  }

  /** Returns the existing rows of the driver and of the live executors, with their pods. Omits executors on pages. */
  podsBelow(key: string): readonly { readonly node: TreeNode; readonly own: SparkPod }[] {
    const application = this.#known.find(key);
    if (application === undefined) return [];
    const { driver, live } = application;
    const pods: readonly SparkPod[] = isPaged("live", live.size) ? [] : [...itemsIn(live)];
    const all = driver === undefined ? pods : [driver, ...pods];
    return all.flatMap((own) => {
      const node = this.#nodes.findPod(key, own.pod.uid);
      return node === undefined ? [] : [{ node, own }];
    });
  }

  /** Returns the rows below a node. `node` undefined: the root. */
  childrenOf(node: TreeNode | undefined): TreeNode[] {
    switch (node?.kind) {
      case undefined:
        return this.#pagedRows(undefined);
      case "namespace":
      case "earlierRuns":
        return this.#pagedRows(node.id);
      case "applicationPage": {
        const rows = this.#rows.get(node.group) ?? [];
        const start = node.page * rowsAPage;
        return rows.slice(start, start + rowsAPage).map((row) => this.#nodeOf(row));
      }
      case "application":
        return this.#childrenOfApplication(node.key);
      case "endedExecutors":
        return this.#executors(node.key, "ended");
      case "executorPage": {
        const list = this.#known.find(node.key)?.[node.list];
        if (list === undefined) return [];
        return this.#executorNodes(node.key, pageOf(list, node.page));
      }
      case "driver":
      case "executor":
        return [];
      case "progress": {
        const progress = this.#known.progressOf(node.applicationKey);
        const parts = progress === undefined ? [] : partsBelow(progress, node.part);
        return [...this.#nodes.progressBelow(node, parts.slice(0, rowsAPage))];
      }
      default:
        return assertNever(node);
    }
  }

  parentOf(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case "namespace": {
        const rows = this.#rows.get(undefined) ?? [];
        return this.#pageAround(
          undefined,
          rows.findIndex((row) => row.kind === "namespace" && row.node === node),
        );
      }
      case "applicationPage":
        return node.group === undefined ? undefined : this.#nodes.find(node.group);
      case "application":
        return this.#places.get(node.key)?.parent;
      case "earlierRuns":
        return this.#aboveRuns.get(node.id);
      case "progress":
        return node.above ?? this.#nodes.application(node.applicationKey);
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

  /** Returns the ended runs in a row that groups earlier runs. */
  earlierRuns(node: TreeNode): readonly Application[] {
    const rows = this.#rows.get(node.id) ?? [];
    return rows.flatMap((row) => (row.kind === "application" ? row.application : []));
  }

  /** Replaces each row that groups earlier runs by the rows of its runs. */
  withRuns(nodes: readonly TreeNode[]): readonly TreeNode[] {
    return nodes.flatMap((node) =>
      node.kind === "earlierRuns"
        ? this.earlierRuns(node).map(({ key }) => this.#nodes.application(key))
        : [node],
    );
  }

  /** Returns the number and kind of the rows on the pages of a group. */
  paged(group: string | undefined): { readonly count: number; readonly of: PagedRows } {
    const rows = this.#rows.get(group) ?? [];
    const isOfRuns = group !== undefined && this.#nodes.find(group)?.kind === "earlierRuns";
    const of = rows[0]?.kind === "namespace" ? "namespaces" : isOfRuns ? "runs" : "applications";
    return { count: rows.length, of };
  }

  #placeAll(top: TreeNode | undefined, rows: readonly ApplicationRow[]): void {
    this.#rows.set(top?.id, rows);
    for (const [index, row] of rows.entries()) {
      if (row.kind === "application") this.#place(row.application, top, index);
      else {
        const folded = this.#nodes.earlierRuns(row.of);
        this.#aboveRuns.set(folded.id, this.#pageAround(top, index));
        this.#rows.set(
          folded.id,
          row.runs.map((application) => ({ kind: "application", application })),
        );
        for (const [at, run] of row.runs.entries()) this.#place(run, folded, at);
      }
    }
  }

  #place(application: Application, top: TreeNode | undefined, index: number): void {
    const parent = this.#pageAround(top, index);
    this.#places.set(application.key, { parent, application });
  }

  /** Returns the parent of the row at an index: the list's own row, or the row of a page. */
  #pageAround(top: TreeNode | undefined, index: number): TreeNode | undefined {
    const count = this.#rows.get(top?.id)?.length ?? 0;
    if (count <= rowsAPage) return top;
    return this.#nodes.applicationPage(top, Math.floor(index / rowsAPage));
  }

  #pagedRows(group: string | undefined): TreeNode[] {
    const rows = this.#rows.get(group) ?? [];
    if (rows.length <= rowsAPage) return rows.map((row) => this.#nodeOf(row));
    const top = group === undefined ? undefined : this.#nodes.find(group);
    return pagesOf(rows.length).map((page) => this.#nodes.applicationPage(top, page));
  }

  #nodeOf(row: Row): TreeNode {
    if (row.kind === "namespace") return row.node;
    return row.kind === "application"
      ? this.#nodes.application(row.application.key)
      : this.#nodes.earlierRuns(row.of);
  }

  #childrenOfApplication(key: string): TreeNode[] {
    const application = this.#known.find(key);
    if (application === undefined) return [];
    const { driver, ended, live } = application;
    const leaving = leavingExecutors(application);
    const hasProgress = this.#known.progressOf(key) !== undefined;
    return [
      ...(hasProgress ? [this.#nodes.progress(key)] : []),
      ...(driver === undefined ? [] : [this.#nodes.driver(key, driver.pod.uid)]),
      ...(leaving.length === 0
        ? this.#executors(key, "live")
        : this.#executorNodes(key, [...itemsIn(live), ...leaving].sort(byExecutorId))),
      ...(ended.size === leaving.length ? [] : [this.#nodes.endedExecutors(key)]),
    ];
  }

  /** Returns the nodes of a list's executors, or of its pages if the list is paged. */
  #executors(key: string, name: ExecutorList): TreeNode[] {
    const application = this.#known.find(key);
    if (application === undefined) return [];
    const list = application[name];
    if (isPaged(name, list.size)) {
      return pagesOf(list.size).map((page) => this.#nodes.executorPage(key, name, page));
    }
    const shown = name === "live" ? [...itemsIn(list)] : groupedExecutors(application);
    return this.#executorNodes(key, shown);
  }

  #executorNodes(key: string, executors: readonly ExecutorPod[]): TreeNode[] {
    return executors.map(({ pod }) => this.#nodes.executor(key, pod.uid));
  }

  #parentOfExecutor(key: string, uid: string): TreeNode {
    const application = this.#known.find(key);
    const executor = this.#known.findExecutor(key, uid);
    if (application === undefined || executor === undefined) return this.#nodes.application(key);
    const name = isInEndedGroup(application, executor) ? "ended" : "live";
    const list = application[name];
    const rank = isPaged(name, list.size) ? rankOf(list, executor, byExecutorId) : undefined;
    if (rank !== undefined) {
      return this.#nodes.executorPage(key, name, Math.floor(rank / rowsAPage));
    }
    return name === "ended" ? this.#nodes.endedExecutors(key) : this.#nodes.application(key);
  }

  #forgetGone(before: Application | undefined, after: Application): void {
    if (before === undefined || before === after) return;
    for (const uid of podsGone(before, after)) this.#nodes.forgetPod(after.key, uid);
  }
}

/** The kind of rows on a page. */
export type PagedRows = "applications" | "runs" | "namespaces";

const byPlace = (a: TreeNode, b: TreeNode): number => compareText(a.id, b.id);

const pagesOf = (size: number): readonly number[] =>
  Array.from({ length: Math.ceil(size / rowsAPage) }, (_, page) => page);
