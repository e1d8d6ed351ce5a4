import { assertNever } from "../../base/assertNever.ts";
import type { ClusterSession } from "./clusterSession.ts";
import type { TreeNode } from "./treeNode.ts";

/** The names of those rows that have one and are still there. */
export const namesOf = (known: Known, nodes: readonly TreeNode[]): readonly string[] =>
  nodes.map((node) => nameOf(known, node)).filter((name) => name !== "");

type Known = Pick<ClusterSession, "find" | "findPod">;

/** The name by which other tools know what a row stands for: the pod's, the application's id, the namespace's. */
function nameOf(known: Known, node: TreeNode): string {
  switch (node.kind) {
    case "namespace":
      return node.namespace;
    case "application":
      return known.find(node.key)?.id ?? "";
    case "driver":
    case "executor":
      return known.findPod(node.key, node.uid)?.name ?? "";
    case "applicationPage":
    case "earlierRuns":
    case "endedExecutors":
    case "executorPage":
      return "";
    default:
      return assertNever(node);
  }
}
