import { l10n } from "vscode";
import type { Application } from "../../spark/pods/application.ts";
import {
  describeEvent,
  inOrderOfTime,
  isAboutApplication,
  isAboutPod,
} from "../../spark/diagnosis/objectEvents.ts";
import { pickApplication, tellMissingPods } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayOpen } from "../mayOpen.ts";
import { showClusterError } from "../showError.ts";
import { inPlaces, readEvents, type About } from "./eventsOf.ts";
import { ask, pathAbout, subjectOf, type DescribeContext } from "./subjects.ts";

/**
 * Shows what Kubernetes tells of the pods of the given rows, an application's being all of its pods, those that are
 * gone included, and of what goes with them.
 */
export async function showEvents(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, documents, log } = context;
  const abouts = await aboutWhat(context, nodes);
  if (abouts.length === 0 && nodes.length > 0) tellMissingPods(session, nodes, 0);
  if (!(await mayOpen(abouts.length, "documents"))) return;
  for (const there of inPlaces(abouts)) {
    const [{ key, name, namespace }] = there;
    const events = await ask(context, key, (connection, signal) =>
      readEvents(connection, namespace, signal),
    );
    if (events === undefined) return;
    if (!events.ok) {
      const whose = there.length === 1 ? name : namespace;
      await showClusterError(l10n.t("The events of {0} were not read", whose), events.error, log);
      continue;
    }
    for (const { path, isMeant } of there) {
      const lines = inOrderOfTime(events.value.filter(isMeant)).map(describeEvent);
      const none = l10n.t("The cluster tells of no event. It keeps them for an hour, as a rule.");
      const text = lines.length === 0 ? none : lines.join("\n");
      await documents.show(path, `${text}\n`);
    }
  }
}

async function aboutWhat(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<readonly About[]> {
  const { session } = context;
  if (nodes.length === 0) {
    const picked = await pickApplication(session, l10n.t("Show Events"), () => true);
    return picked === undefined ? [] : [aboutApplication(context, picked)];
  }
  return nodes.flatMap((node) => {
    const application = "key" in node ? session.find(node.key) : undefined;
    if (node.kind === "application")
      return application ? [aboutApplication(context, application)] : [];
    const subject = subjectOf(session, node);
    if (subject === undefined) return [];
    const { pod } = subject.pod;
    const { name, application: owner } = subject;
    return [
      {
        name,
        key: owner.key,
        context: session.contextOf(owner.key) ?? "",
        namespace: pod.namespace,
        path: pathAbout(context, owner, `${name} events.log`, pod.name),
        isMeant: isAboutPod(pod),
      },
    ];
  });
}

const aboutApplication = (context: DescribeContext, application: Application): About => ({
  name: application.name,
  key: application.key,
  context: context.session.contextOf(application.key) ?? "",
  namespace: application.namespace,
  path: pathAbout(context, application, `${application.name} events.log`),
  isMeant: isAboutApplication(application),
});
