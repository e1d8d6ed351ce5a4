import { msg, type Message } from "../../base/message.ts";
import type { ClusterSession } from "./clusterSession.ts";
import type { TreeNode } from "./treeNode.ts";

/** Returns the names of the applications without a driver pod, among the application and driver rows. */
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

/**
 * Returns a message about missing pods; undefined if there is nothing to report. `names`: the applications without a
 * driver pod. `found`: the number of rows with a pod.
 */
export function missingPodWords(names: readonly string[], found: number): Message | undefined {
  const [first, ...others] = names;
  if (first === undefined) return found > 0 ? undefined : msg("The selected rows have no pods.");
  return others.length === 0
    ? msg`"${first}" has no driver pod.`
    : msg`${names.length} of the selected applications have no driver pod.`;
}
