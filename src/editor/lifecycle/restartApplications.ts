import { l10n, window } from "vscode";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { stop } from "./stopApplications.ts";
import { chosenApplications } from "./targets.ts";

/**
 * Stops the applications of the given rows, or one that is picked, and submits each anew as soon as it is
 * gone. Only what was submitted from this window can be: nobody else knows with what.
 */
export async function restartApplications(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, wasSubmittedHere } = context;
  const title = l10n.t("Restart Application");
  const isKnown = ({ key }: Application): boolean => wasSubmittedHere(key);
  const chosen = await chosenApplications(session, nodes, title, isKnown);
  for (const application of chosen) {
    if (isKnown(application)) await restart(context, application);
    else {
      const { operator } = application.origin;
      void window.showInformationMessage(
        operator === undefined
          ? l10n.t(
              '"{0}" was not submitted from this window, so that what it was submitted with is not known here. Stop it, and submit it anew where it came from.',
              application.name,
            )
          : l10n.t(
              '"{0}" is run by an operator from {1} "{2}". Submit its manifest anew instead.',
              application.name,
              operator.kind,
              operator.name,
            ),
      );
    }
  }
}

// The driver's time to shut down in order, and some for the cluster to notice.
const patienceMs = 90_000;

async function restart(context: LifecycleContext, application: Application): Promise<void> {
  const { session, submitAnew } = context;
  const connection = await connectionOf(context);
  if (connection === undefined) return;
  const { driver, key, name } = application;
  if (isAlive(application) && driver !== undefined) {
    if (!(await stop(context, connection, [{ application, driver }]))) return;
    const isGone = (): boolean => session.findPod(driver.pod.uid) === undefined;
    if (!(await session.until(isGone, AbortSignal.timeout(patienceMs)))) {
      void window.showWarningMessage(
        l10n.t('"{0}" is still shutting down and was not submitted anew.', name),
      );
      return;
    }
  }
  await submitAnew(key);
}
