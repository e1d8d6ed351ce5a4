import { l10n, window } from "vscode";
import { hasEndedPod, type Application, type ExecutorPod } from "../../spark/pods/application.ts";
import { isOfSets } from "../../spark/pods/executorSets.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { pickApplication, pickExecutors } from "../apps/pick.ts";
import { executorName } from "../apps/treeItem.ts";
import { executorsBelow } from "../apps/executorRows.ts";
import type { TreeNode } from "../apps/treeNode.ts";

export interface Target {
  readonly application: Application;
  readonly executor: ExecutorPod;
}

/** The living executors of the given rows, each once; without rows those that are picked. */
export async function livingExecutors(
  session: ClusterSession,
  nodes: readonly TreeNode[],
  title: string,
): Promise<readonly Target[]> {
  if (nodes.length === 0) return pickExecutors(session, title);
  return targetsOf(session, nodes).filter(({ executor }) => !hasEndedPod(executor));
}

/** The executors of the given rows, each once: of an executor's own row, or of a row that groups them. */
export function targetsOf(session: ClusterSession, nodes: readonly TreeNode[]): readonly Target[] {
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

/** The applications of the given rows, or of their drivers; without rows the one that is picked. */
export async function chosenApplications(
  session: ClusterSession,
  nodes: readonly TreeNode[],
  title: string,
  suits: (application: Application) => boolean,
): Promise<readonly Application[]> {
  if (nodes.length === 0) {
    const picked = await pickApplication(session, title, suits);
    return picked === undefined ? [] : [picked];
  }
  const keys = new Set(
    nodes.flatMap((node) =>
      node.kind === "application" || node.kind === "driver" ? [node.key] : [],
    ),
  );
  const found = [...keys].map((key) => session.find(key)).filter((one) => one !== undefined);
  if (keys.size > 0 && found.length === 0) {
    void window.showInformationMessage(l10n.t("What was chosen is gone already."));
  }
  return found;
}

/** `executor 3`, and whose where there are several applications. */
export function nameOfTarget(all: readonly Target[]): (target: Target) => string {
  const isOneApplication = new Set(all.map(({ application }) => application.key)).size <= 1;
  return ({ application, executor }) =>
    isOneApplication ? executorName(executor) : `${application.name} ${executorName(executor)}`;
}

/** Names for a question: the first few, and how many more. */
export function namesFor(names: readonly string[]): string {
  const most = 8;
  const shown = names.length <= most ? names : names.slice(0, most);
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(", ") : l10n.t("{0} and {1} more", shown.join(", "), rest);
}

/** For a question: who makes up for executors that go. */
export function replacementWords(targets: readonly Target[]): string {
  const ofSets = targets.filter(({ application }) => isOfSets(application)).length;
  const lines = [
    ofSets < targets.length
      ? l10n.t("The driver asks for other executors if it still needs them.")
      : "",
    ofSets > 0
      ? l10n.t(
          "Executors of a StatefulSet or a Deployment are replaced at once, wanted or not: for fewer of them there is Scale Application….",
        )
      : "",
  ];
  return lines.filter((line) => line !== "").join(" ");
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
