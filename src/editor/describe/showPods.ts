import { l10n } from "vscode";
import { printYaml } from "../../spark/submit/preview/printYaml.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayOpen } from "../mayOpen.ts";
import { readPodDocument } from "./podDocument.ts";
import { ask, pathAbout, podsToDescribe, type DescribeContext } from "./subjects.ts";
import { showUnheard } from "./unheard.ts";

/** Shows the pods of the given rows, or one that is picked, as the cluster holds them. */
export async function showPods(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const subjects = await podsToDescribe(context, nodes, l10n.t("Show Pod"));
  if (!(await mayOpen(subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const read = await ask(context, subject.application.key, (connection, signal) =>
      readPodDocument(connection, subject, signal),
    );
    if (read === undefined) return;
    const { name } = subject.pod.pod;
    if (read.ok) {
      const path = pathAbout(context, subject.application, `${name}.yaml`);
      await context.documents.show(path, printYaml(read.value));
    } else await showUnheard(l10n.t("Pod {0} was not read", name), read.error, context.log);
  }
}
