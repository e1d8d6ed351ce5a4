import { l10n } from "vscode";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Application } from "../../spark/pods/application.ts";
import {
  decodeObjectEvent,
  describeEvent,
  inOrderOfTime,
  isAboutApplication,
  isAboutPod,
  type ObjectEvent,
} from "../../spark/diagnosis/objectEvents.ts";
import { pickApplication } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { ask, subjectOf, type DescribeContext } from "./subjects.ts";

interface About {
  readonly name: string;
  /** Of the application. */
  readonly key: string;
  readonly namespace: string;
  readonly isMeant: (event: ObjectEvent) => boolean;
}

/**
 * Shows what Kubernetes tells of the pods of the given rows, an application's being all of its pods, those that are
 * gone included, and of what goes with them.
 */
export async function showEvents(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { documents, log } = context;
  for (const about of await aboutWhat(context, nodes)) {
    const events = await ask(context, about.key, (connection, signal) =>
      readEvents(connection, about, signal),
    );
    if (events === undefined) return;
    if (!events.ok) {
      const task = l10n.t("The events of {0} were not read", about.name);
      await showClusterError(task, events.error, log);
      continue;
    }
    const lines = inOrderOfTime(events.value).map(describeEvent);
    const none = l10n.t("The cluster tells of no event. It keeps them for an hour, as a rule.");
    const text = lines.length === 0 ? none : lines.join("\n");
    await documents.show(`/${about.namespace}/${about.name} events.log`, `${text}\n`);
  }
}

async function aboutWhat(
  { session }: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<readonly About[]> {
  if (nodes.length === 0) {
    const picked = await pickApplication(session, l10n.t("Show Events"), () => true);
    return picked === undefined ? [] : [aboutApplication(picked)];
  }
  return nodes.flatMap((node) => {
    const application = "key" in node ? session.find(node.key) : undefined;
    if (node.kind === "application") return application ? [aboutApplication(application)] : [];
    const subject = subjectOf(session, node);
    if (subject === undefined) return [];
    const { pod } = subject.pod;
    const { key } = subject.application;
    return [{ name: subject.name, key, namespace: pod.namespace, isMeant: isAboutPod(pod) }];
  });
}

const aboutApplication = (application: Application): About => ({
  name: application.name,
  key: application.key,
  namespace: application.namespace,
  isMeant: isAboutApplication(application),
});

async function readEvents(
  { objects }: Connection,
  { namespace, isMeant }: About,
  signal: AbortSignal,
): Promise<Result<readonly ObjectEvent[], ClusterError>> {
  const kind = { apiVersion: "v1", kind: "Event" };
  const listed = await objects.list(kind, namespace, "", signal);
  if (!listed.ok) return listed;
  const events = listed.value.flatMap(({ body }) => decodeObjectEvent(body) ?? []);
  return ok(events.filter(isMeant));
}
