import { localTime } from "../../base/timeOfDay.ts";
import { msg } from "../../base/message.ts";
import type { Application } from "../../spark/pods/application.ts";
import {
  isAboutApplication,
  isAboutPod,
  type ObjectEvent,
} from "../../spark/diagnosis/objectEvents.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { pickApplication, showMissingPods } from "../apps/pick.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { tableLanguage } from "../ids.ts";
import { mayOpen } from "../mayOpen.ts";
import { eventTimeline } from "./eventTimeline.ts";
import { inPlaces, readEvents, type EventSubject } from "./eventsOf.ts";
import { askForSubject, pathAbout, subjectOf, type DescribeContext } from "./subjects.ts";
import { updateWhileVisible } from "./updateWhileVisible.ts";

/**
 * Shows the events of the given rows, or of an application that the user picks, as a timeline that updates while it is
 * visible. An application includes all of its pods, also deleted ones.
 */
export async function showEvents(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { documents, screen, log } = context;
  const abouts = await aboutWhat(context, nodes);
  if (abouts.length === 0 && nodes.length > 0) showMissingPods(context, nodes, 0);
  if (!(await mayOpen(context.screen, abouts.length, "documents"))) return;
  for (const there of inPlaces(abouts)) {
    const [{ key, name, namespace }] = there;
    const events = await askForSubject(context, key, (connection, signal) =>
      readEvents(connection, namespace, signal),
    );
    if (events === undefined) return;
    if (!events.ok) {
      const whose = there.length === 1 ? name : namespace;
      await screen.showClusterError(msg`Cannot read the events of ${whose}`, events.error, log);
      continue;
    }
    for (const about of there) {
      await documents.show(about.path, textOf(screen, about, events.value), tableLanguage);
    }
    const paths = there.map(({ path }) => path);
    updateWhileVisible(context, { key, paths, everyMs }, async (connection, signal) => {
      const again = await readEvents(connection, namespace, signal);
      signal.throwIfAborted();
      if (!again.ok) return undefined;
      for (const about of there) {
        if (documents.isOpen(about.path))
          documents.update(about.path, textOf(screen, about, again.value));
      }
      return undefined;
    });
  }
}

// Polling interval in ms. It is far below the hour for which the server keeps events by default.
const everyMs = 5_000;

function textOf(
  screen: DescribeContext["screen"],
  { selector }: EventSubject,
  events: readonly ObjectEvent[],
): string {
  const redact = (text: string): string => redactLine(text, defaultSecretRule);
  const lines = eventTimeline(events.filter(selector()), localTime, redact);
  const none = screen.translated(
    msg("No events found. Kubernetes keeps events for one hour by default."),
  );
  return `${lines.length === 0 ? none : lines.join("\n")}\n`;
}

async function aboutWhat(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<readonly EventSubject[]> {
  const { session } = context;
  if (nodes.length === 0) {
    const picked = await pickApplication(context, msg("Show Events"), () => true);
    return picked === undefined ? [] : [aboutApplication(context, picked)];
  }
  return nodes.flatMap((node) => {
    const application = "key" in node ? session.find(node.key) : undefined;
    if (node.kind === "application")
      return application ? [aboutApplication(context, application)] : [];
    const subject = subjectOf(context, node);
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
        selector: () => isAboutPod(pod),
      },
    ];
  });
}

const aboutApplication = (context: DescribeContext, application: Application): EventSubject => ({
  name: application.name,
  key: application.key,
  context: context.session.contextOf(application.key) ?? "",
  namespace: application.namespace,
  path: pathAbout(context, application, `${application.name} events.log`),
  // Find the application again, because executors that start later can have another name prefix.
  selector: () => isAboutApplication(context.session.find(application.key) ?? application),
});
