import type { ClusterSession } from "./clusterSession.ts";
import type { TreeNode } from "./treeNode.ts";

/** The names of the rows' applications that have no driver pod. */
export function driverlessOf(
  session: Pick<ClusterSession, "find">,
  nodes: readonly TreeNode[],
): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.kind !== "application" && node.kind !== "driver") return [];
    const application = session.find(node.key);
    return application !== undefined && application.driver === undefined ? [application.name] : [];
  });
}
