import { l10n } from "vscode";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import {
  decodePodEvent,
  describeEvent,
  inOrderOfTime,
  type PodEvent,
} from "../../spark/diagnosis/podEvents.ts";
import { pickApplication } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { ask, subjectOf, type DescribeContext } from "./subjects.ts";

interface About {
  readonly name: string;
  /** Of the application. */
  readonly key: string;
  readonly namespace: string;
  readonly uids: ReadonlySet<string>;
}

/** Shows what Kubernetes tells of the pods of the given rows, an application's being all of its pods. */
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
    const { namespace, uid } = subject.pod.pod;
    const { key } = subject.application;
    return [{ name: subject.name, key, namespace, uids: new Set([uid]) }];
  });
}

const aboutApplication = (application: Application): About => ({
  name: application.name,
  key: application.key,
  namespace: application.namespace,
  uids: new Set(
    [
      ...(application.driver === undefined ? [] : [application.driver]),
      ...executorsOf(application),
    ].map(({ pod }) => pod.uid),
  ),
});

async function readEvents(
  { objects }: Connection,
  { namespace, uids }: About,
  signal: AbortSignal,
): Promise<Result<readonly PodEvent[], ClusterError>> {
  const kind = { apiVersion: "v1", kind: "Event" };
  const listed = await objects.list(kind, namespace, "", signal);
  if (!listed.ok) return listed;
  const events = listed.value.flatMap(({ body }) => decodePodEvent(body) ?? []);
  return ok(events.filter(({ podUid }) => uids.has(podUid)));
}
