import type { TreeNode } from "../apps/treeNode.ts";
import { showFixesOf } from "./fixLenses.ts";
import { showAdvice } from "./showAdvice.ts";
import type { DescribeContext } from "./subjects.ts";

/** As `showAdvice`, with CodeLenses that apply the fixes. */
export const adviseOnRows = (context: DescribeContext, nodes: readonly TreeNode[]): Promise<void> =>
  showAdvice({ ...context, showFixes: showFixesOf }, nodes);
