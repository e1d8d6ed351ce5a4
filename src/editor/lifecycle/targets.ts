import { msg, sentences, type Message, type MessageText } from "../../base/message.ts";
import { hasEndedPod, type Application, type ExecutorPod } from "../../spark/pods/application.ts";
import { hasExecutorSets } from "../../spark/pods/executorSets.ts";
import { distinctNameIn } from "../apps/distinctNames.ts";
import type { Deletion } from "../../engine/lifecycle/deletePod.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import {
  pickApplication,
  pickExecutors,
  type SingleChoice,
  type PickContext,
} from "../apps/pick.ts";
import type { Screen } from "../screen.ts";
import { executorName } from "../apps/rows/podRow.ts";
import { executorsBelow } from "../apps/executorRows.ts";
import type { TreeNode } from "../apps/treeNode.ts";

export interface ActionTarget {
  readonly application: Application;
  readonly executor: ExecutorPod;
}

/** Returns the live executors of the given rows, without duplicates. Without rows, the user picks. */
export async function livingExecutors(
  context: PickContext & { readonly session: ClusterSession },
  nodes: readonly TreeNode[],
  title: MessageText,
): Promise<readonly ActionTarget[]> {
  if (nodes.length === 0) return pickExecutors(context, title);
  return targetsOf(context.session, nodes).filter(({ executor }) => !hasEndedPod(executor));
}

/** Returns the executors of the given rows and groups, without duplicates. */
export function targetsOf(
  session: ClusterSession,
  nodes: readonly TreeNode[],
): readonly ActionTarget[] {
  const targets = nodes.flatMap((node) => {
    const application = "key" in node ? session.find(node.key) : undefined;
    if (application === undefined) return [];
    return executorsBelow(session, node, application).map((executor) => ({
      application,
      executor,
    }));
  });
  return [...new Map(targets.map((target) => [target.executor.pod.uid, target])).values()];
}

/**
 * Returns the applications of the given application and driver rows. Without rows, the user picks one. Shows a message
 * if none of the applications exists any more.
 */
export async function chosenApplications(
  context: PickContext,
  nodes: readonly TreeNode[],
  title: MessageText,
  suits: (application: Application) => boolean,
  onlyOne?: SingleChoice,
): Promise<readonly Application[]> {
  if (nodes.length === 0) {
    const picked = await pickApplication(context, title, suits, onlyOne);
    return picked === undefined ? [] : [picked];
  }
  const { session, screen } = context;
  const keys = new Set(
    nodes.flatMap((node) =>
      node.kind === "application" || node.kind === "driver" ? [node.key] : [],
    ),
  );
  const found = [...keys].map((key) => session.find(key)).filter((one) => one !== undefined);
  if (keys.size > 0 && found.length === 0) {
    void screen.showInformationMessage(msg("The selected applications no longer exist."));
  }
  return found;
}

/** Returns a function that names an executor with its application: `executor 1 of "orders"`. */
export function nameOfTarget(
  all: readonly ActionTarget[],
  { translated }: Pick<Screen, "translated">,
): (target: ActionTarget) => string {
  const applications = new Map(all.map(({ application }) => [application.key, application]));
  const nameOf = distinctNameIn([...applications.values()]);
  return ({ application, executor }) =>
    translated(msg`${executorName(executor)} of "${nameOf(application)}"`);
}

/**
 * Returns the names of the pods with their namespaces for a confirmation, because applications may have the same name.
 */
export const podNames = (targets: readonly ActionTarget[]): MessageText =>
  namesFor(targets.map(({ executor: { pod } }) => `${pod.namespace}/${pod.name}`));

/** Returns names for a confirmation: the first eight, and the number of the others. */
export function namesFor(names: readonly string[]): MessageText {
  const max = 8;
  const shown = names.length <= max ? names : names.slice(0, max);
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(", ") : msg`${shown.join(", ")} and ${rest} more`;
}

/** Stops an application, and marks its driver as stopped by the user. Removes the mark if the pod is not deleted. */
export async function whileStopping(
  session: Pick<ClusterSession, "beginStop" | "cancelStop">,
  application: Application,
  stop: () => Promise<Deletion>,
): Promise<Deletion> {
  session.beginStop(application);
  const stopped = await stop();
  if (stopped.kind === "failed" || stopped.kind === "replaced") session.cancelStop(application);
  return stopped;
}

/** Returns the text for a confirmation: whether the executors are replaced. */
export function replacementWords(targets: readonly ActionTarget[]): Message | undefined {
  const ofSets = targets.filter(({ application }) => hasExecutorSets(application)).length;
  return sentences([
    ofSets < targets.length
      ? msg("The driver requests other executors if it still needs them.")
      : undefined,
    ofSets > 0
      ? msg(
          "A StatefulSet or Deployment replaces its executors at once. To reduce their number, use Scale Application….",
        )
      : undefined,
  ]);
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
