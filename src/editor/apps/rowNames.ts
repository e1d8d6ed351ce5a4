import { assertNever } from "../../base/assertNever.ts";
import { unseenCharacters } from "../../base/unseenCharacters.ts";
import type { ClusterSession } from "./clusterSession.ts";
import type { TreeNode } from "./treeNode.ts";

/** The names of the existing rows that have one. */
export const namesOf = (known: Known, nodes: readonly TreeNode[]): readonly string[] =>
  nodes.map((node) => nameOf(known, node).replaceAll(unseen, "")).filter((name) => name !== "");

// Names reach terminals, where a line break would run them.
const unseen = new RegExp(`[${unseenCharacters}]`, "g");

type Known = Pick<ClusterSession, "find" | "findPod">;

/** The row's name in other tools: pod name, application id, or namespace. */
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
    case "progress":
      return "";
    default:
      return assertNever(node);
  }
}
