import { l10n, window } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { killExecutor } from "../../engine/killExecutor.ts";
import { hasEndedPod, type Application, type ExecutorPod } from "../../spark/pods/application.ts";
import type { Log } from "../log.ts";
import { mayChange } from "../guard.ts";
import { showClusterError } from "../showError.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { pickExecutor } from "./pick.ts";
import { executorName } from "./treeItem.ts";
import type { TreeNode } from "./treeNode.ts";

interface Victim {
  readonly application: Application;
  readonly executor: ExecutorPod;
}

/** Kills the executors of the given rows, or one that is picked; asks first, naming what goes. */
export async function killExecutors(
  session: ClusterSession,
  nodes: readonly TreeNode[],
  log: Log,
): Promise<void> {
  const title = l10n.t("Kill Executor");
  const picked =
    nodes.length === 0 ? [await pickExecutor(session, title)] : victimsOf(session, nodes);
  const victims = picked.filter((one) => one !== undefined);
  const [first] = victims;
  const { state } = session;
  if (first === undefined || state.kind !== "connected") return;
  const { connection } = state;
  const button =
    victims.length === 1
      ? l10n.t("Kill {0}", executorName(first.executor))
      : l10n.t("Kill {0} executors", victims.length);
  const ask = (): Promise<boolean> => confirm(victims, first, button);
  if (!(await mayChange(connection.context, button, ask))) return;
  const signal = new AbortController().signal;
  for (const { executor } of victims) {
    const deletion = await killExecutor(connection.objects, executor, signal);
    const name = executorName(executor);
    switch (deletion.kind) {
      case "deleted":
        break;
      case "alreadyGone":
      case "replaced":
        void window.showInformationMessage(
          l10n.t("{0} was gone already: nothing was deleted.", capital(name)),
        );
        break;
      case "failed":
        void showClusterError(l10n.t("{0} was not killed", capital(name)), deletion.error, log);
        break;
      default:
        assertNever(deletion);
    }
  }
}

function victimsOf(session: ClusterSession, nodes: readonly TreeNode[]): readonly Victim[] {
  return nodes.flatMap((node) => {
    if (node.kind !== "executor") return [];
    const application = session.find(node.key);
    const executor = session.findExecutor(node.key, node.uid);
    return application && executor && !hasEndedPod(executor) ? [{ application, executor }] : [];
  });
}

async function confirm(
  victims: readonly Victim[],
  first: Victim,
  button: string,
): Promise<boolean> {
  const question =
    victims.length === 1
      ? l10n.t('Kill {0} of "{1}"?', executorName(first.executor), first.application.name)
      : l10n.t("Kill {0} executors?", victims.length);
  const pods = victims.map(({ executor }) => `${executor.pod.namespace}/${executor.pod.name}`);
  const detail = l10n.t(
    "Deleted: {0}.\n\nTasks running there fail and are run again elsewhere; blocks and shuffle files that only it holds are computed anew. The driver asks for another executor if it still needs one. This cannot be undone.",
    pods.join(", "),
  );
  return (await window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
