import { assertNever } from "../../base/assertNever.ts";
import { unseenCharacters } from "../../base/unseenCharacters.ts";
import type { ClusterSession } from "./clusterSession.ts";
import type { TreeNode } from "./treeNode.ts";

/** Returns the names of the rows that exist and have a name, without control characters. */
export const namesOf = (known: SessionPods, nodes: readonly TreeNode[]): readonly string[] =>
  nodes.map((node) => nameOf(known, node).replaceAll(unseen, "")).filter((name) => name !== "");

// A dropped name can reach a terminal, where a line break would run it.
const unseen = new RegExp(`[${unseenCharacters}]`, "g");

type SessionPods = Pick<ClusterSession, "find" | "findPod">;

/** Returns the row's name as used in other tools: pod name, application id, or namespace. Empty if there is none. */
function nameOf(known: SessionPods, node: TreeNode): string {
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
    case "progress":
      return "";
    default:
      return assertNever(node);
  }
}
