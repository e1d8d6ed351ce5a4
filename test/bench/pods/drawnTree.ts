import type { ClusterSession, SessionChange } from "../../../src/editor/apps/clusterSession.ts";
import { describePage } from "../../../src/editor/apps/executorRows.ts";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import { TreeRows } from "../../../src/editor/apps/treeRows.ts";
import { describePod, describeRow } from "../../../src/spark/diagnosis/describe.ts";
import type { Application, ExecutorPod, SparkPod } from "../../../src/spark/pods/application.ts";
import { noFilter } from "../../../src/spark/pods/applicationFilter.ts";
import { nextEventLoopTurn } from "../../../src/engine/eventLoop.ts";
import { findExecutor } from "../../../src/spark/pods/applicationRun.ts";

/** Computes the text of the tree rows, with each application expanded to the first page of its executors. */
export class DrawnTree {
  readonly #session: ClusterSession;
  readonly #rows: TreeRows;
  readonly #before = new Map<string, Application>();

  constructor(session: ClusterSession) {
    this.#session = session;
    this.#rows = new TreeRows(session);
  }

  /** Renders the rows that a change affects. Returns the executors that are new or have changed. */
  async update({ changedKeys }: SessionChange): Promise<readonly ExecutorPod[]> {
    const apart: ExecutorPod[] = [];
    const keys = changedKeys ?? this.#session.applications.map(({ key }) => key);
    for (const key of keys) {
      const application = this.#session.find(key);
      if (application === undefined) continue;
      if (!this.#rows.places.has(key)) this.#rows.layOut(noFilter, false);
      const nodes = this.#rows.update(application);
      const before = this.#before.get(key);
      this.#before.set(key, application);
      for (const node of nodes) await this.#draw(node);
      if (before !== undefined) apart.push(...changed(before, application));
    }
    return apart;
  }

  // Renders a row and its children, which VS Code requests for each expanded row.
  async #draw(node: TreeNode): Promise<void> {
    if (node.kind === "executor") {
      const application = this.#session.find(node.key);
      const executor = this.#session.findExecutor(node.key, node.uid);
      if (application && executor) this.#words(application, executor);
    }
    if (node.kind === "application") {
      const application = this.#session.find(node.key);
      if (application === undefined) return;
      const judge = (pod: SparkPod) => this.#session.diagnose(application, pod);
      describeRow(application, undefined, judge, Date.now());
    }
    if (node.kind === "executorPage") {
      const list = this.#session.find(node.key)?.[node.list];
      if (list) describePage(list, node.page);
      if (node.page > 0) return;
    }
    const children = this.#rows.childrenOf(node);
    if (children.length > 0) await nextEventLoopTurn();
    for (const child of children) await this.#draw(child);
  }

  #words(application: Application, executor: ExecutorPod): void {
    describePod(executor.state, this.#session.diagnose(application, executor)[0]);
  }
}

/** Yields the executors that are new or have changed. Skips the runs of the list that both versions share. */
function* changed(before: Application, after: Application): Generator<ExecutorPod> {
  const shared = new Set(before.live.runs);
  for (const run of after.live.runs) {
    if (shared.has(run)) continue;
    for (const executor of run) {
      if (findExecutor(before, executor.pod)?.pod !== executor.pod) yield executor;
    }
  }
}
