import { msg } from "../../base/message.ts";
import { plainMask } from "../../spark/redact.ts";
import { printYaml } from "../../spark/printYaml.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayOpen } from "../mayOpen.ts";
import { readPodDocument } from "./podDocument.ts";
import { askForSubject, pathAbout, podsToDescribe, type DescribeContext } from "./subjects.ts";
import { showReadFailure } from "./driverErrors.ts";

/** Shows the manifests of the given rows' pods, or of one that the user picks. */
export async function showPods(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const subjects = await podsToDescribe(context, nodes, msg("Show Pod"));
  if (!(await mayOpen(context.screen, subjects.length, "documents"))) return;
  for (const subject of subjects) {
    const read = await askForSubject(context, subject.application.key, (connection, signal) =>
      readPodDocument(connection, subject, plainMask, signal),
    );
    if (read === undefined) return;
    const { name } = subject.pod.pod;
    if (read.ok) {
      const path = pathAbout(context, subject.application, `${name}.yaml`);
      await context.documents.show(path, printYaml(read.value));
    } else await showReadFailure(context, msg`Cannot read pod ${name}`, read.error);
  }
}
