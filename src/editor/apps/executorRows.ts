import { assertNever } from "../../base/assertNever.ts";
import type { Application, ExecutorPod } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { itemsIn, sliceOf, visitSlice, type Ordered } from "../../spark/pods/ordered.ts";
import type { ClusterSession } from "./clusterSession.ts";
import type { ExecutorList, TreeNode } from "./treeNode.ts";

// More children of one row than this make the editor's tree slow to open and tiresome to read.
export const rowsAPage = 500;

// The driver's row and that of the ended executors stand beside the live ones.
const rowsBeside = 2;

/** Whether a list of executors stands on pages. */
export const isPaged = (list: ExecutorList, size: number): boolean =>
  size > (list === "live" ? rowsAPage - rowsBeside : rowsAPage);

/** The executors on a page of a list, which counts from 0. */
export const pageOf = (list: Ordered<ExecutorPod>, page: number): readonly ExecutorPod[] =>
  sliceOf(list, page * rowsAPage, (page + 1) * rowsAPage);

export interface PageFacts {
  readonly size: number;
  /** Undefined where there are none. */
  readonly firstId: number | undefined;
  readonly lastId: number | undefined;
  readonly failed: number;
  readonly running: number;
}

/**
 * What the row of a page tells of its executors: asked of all pages whenever one of many executors changes, and so
 * without a list of them.
 */
export function describePage(list: Ordered<ExecutorPod>, page: number): PageFacts {
  let [size, failed, running] = [0, 0, 0];
  let firstId: number | undefined;
  let lastId: number | undefined;
  visitSlice(list, page * rowsAPage, (page + 1) * rowsAPage, ({ executorId, state }) => {
    size += 1;
    firstId ??= executorId;
    lastId = executorId ?? lastId;
    if (state.kind === "failed") failed += 1;
    else if (state.kind === "running") running += 1;
  });
  return { size, firstId, lastId, failed, running };
}

/** The executors that a row stands for: itself, or those below it. Those of an application are not below its driver. */
export function executorsBelow(
  session: ClusterSession,
  node: TreeNode,
  application: Application,
): readonly ExecutorPod[] {
  switch (node.kind) {
    case "executor": {
      const executor = session.findExecutor(node.key, node.uid);
      return executor === undefined ? [] : [executor];
    }
    case "endedExecutors":
      return [...itemsIn(application.ended)];
    case "executorPage":
      return pageOf(application[node.list], node.page);
    case "application":
      return [...executorsOf(application)];
    case "namespace":
    case "applicationPage":
    case "earlierRuns":
    case "driver":
      return [];
    default:
      return assertNever(node);
  }
}
