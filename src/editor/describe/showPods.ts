import { l10n } from "vscode";
import { printYaml } from "../../spark/submit/preview/printYaml.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { readPodDocument } from "./podDocument.ts";
import { ask, podsToDescribe, type DescribeContext } from "./subjects.ts";

/** Shows the pods of the given rows, or one that is picked, as the cluster holds them. */
export async function showPods(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  for (const subject of await podsToDescribe(context, nodes, l10n.t("Show Pod"))) {
    const read = await ask(context, subject.application.key, (connection, signal) =>
      readPodDocument(connection, subject, signal),
    );
    if (read === undefined) return;
    const { namespace, name } = subject.pod.pod;
    if (read.ok) await context.documents.show(`/${namespace}/${name}.yaml`, printYaml(read.value));
    else await showClusterError(l10n.t("Pod {0} was not read", name), read.error, context.log);
  }
}
