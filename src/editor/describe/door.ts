import type { TreeNode } from "../apps/treeNode.ts";
import type { SubmitCommands } from "../submit/submitCommands.ts";
import { chooseFix, withRemedy } from "./applyFix.ts";
import { fixFiles } from "./fixFiles.ts";
import { fixLens } from "./fixLenses.ts";
import { adviseOn } from "./showAdvice.ts";
import type { DescribeContext } from "./subjects.ts";

export { checkCluster } from "./checkCluster.ts";
export { compareRows } from "./compareRows.ts";
export { explainFailures } from "./explainFailures.ts";
export { showConf, showEffectiveConf } from "./showConf.ts";
export { showEventLog } from "./showEventLog.ts";
export { showEvents } from "./showEvents.ts";
export { showExecutors } from "./showExecutors.ts";
export { showPods } from "./showPods.ts";

export const applyFix = (
  context: DescribeContext & Pick<SubmitCommands, "resubmit">,
  nodes: readonly TreeNode[],
): Promise<void> => chooseFix(context, nodes, fixFiles(context.clock));

export const showAdvice = (context: DescribeContext, nodes: readonly TreeNode[]): Promise<void> =>
  adviseOn(
    {
      ...context,
      showFixes: (path, node, fixes) => {
        context.lenses.set(path, () =>
          fixes().map(({ line, fix }) => fixLens(line, fix, withRemedy(node, fix))),
        );
      },
    },
    nodes,
  );
