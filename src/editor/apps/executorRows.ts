import { assertNever } from "../../base/assertNever.ts";
import {
  hasEndedPod,
  isBeingDeleted,
  type Application,
  type ExecutorPod,
} from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { itemsIn, sliceOf, visitSlice, type Ordered } from "../../spark/pods/ordered.ts";
import type { ClusterSession } from "./clusterSession.ts";
import type { ExecutorList, TreeNode } from "./treeNode.ts";

// Limits the children of a row, because VS Code expands rows with more children slowly.
export const rowsAPage = 500;

// The number of sibling rows of the live executors: the progress row, the driver and the group of ended executors.
const rowsBeside = 3;

/** True if the rows of a list of `size` executors are split into pages. */
export const isPaged = (list: ExecutorList, size: number): boolean =>
  size > (list === "live" ? rowsAPage - rowsBeside : rowsAPage);

/** Returns the executors of a page. `page`: counts from 0. */
export const pageOf = (list: Ordered<ExecutorPod>, page: number): readonly ExecutorPod[] =>
  sliceOf(list, page * rowsAPage, (page + 1) * rowsAPage);

/**
 * Returns the ended executors whose pods are being deleted. Their rows stay among the live executors, so that no group
 * of ended executors appears briefly before the deletion. Empty if these rows would need pages.
 */
export const leavingExecutors = (application: Application): readonly ExecutorPod[] =>
  hasPages(application) ? [] : [...itemsIn(application.ended)].filter(isBeingDeleted);

/** Returns the executors in the group of ended executors. */
export const groupedExecutors = (application: Application): readonly ExecutorPod[] =>
  [...itemsIn(application.ended)].filter((executor) => isInEndedGroup(application, executor));

/** True if the row of an executor is in the group of ended executors. */
export const isInEndedGroup = (application: Application, executor: ExecutorPod): boolean =>
  hasEndedPod(executor) && (!isBeingDeleted(executor) || hasPages(application));

const hasPages = ({ live, ended }: Application): boolean => isPaged("live", live.size + ended.size);

export interface PageFacts {
  readonly size: number;
  /** Undefined if no executor has an id. */
  readonly firstId: number | undefined;
  readonly lastId: number | undefined;
  readonly failed: number;
  readonly running: number;
}

/**
 * Returns the counts of a page. Creates no list of the executors, because each change of an executor redraws all pages.
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

/** Returns the executor of a row, or the executors of its page, group or application. Empty for other rows. */
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
      return groupedExecutors(application);
    case "executorPage":
      return pageOf(application[node.list], node.page);
    case "application":
      return [...executorsOf(application)];
    case "namespace":
    case "applicationPage":
    case "earlierRuns":
    case "driver":
    case "progress":
      return [];
    default:
      return assertNever(node);
  }
}
