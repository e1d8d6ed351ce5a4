import { l10n, window, workspace } from "vscode";
import { restartOperated } from "../../engine/operatedApplications.ts";
import type { Connection } from "../../engine/ports.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showProblems } from "../showError.ts";
import { operatorFailureWords } from "../submit/manifestWords.ts";
import { inView } from "../inView.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { stop } from "./stopApplications.ts";
import { chosenApplications } from "./targets.ts";

/**
 * Stops the applications of the given rows, or one that is picked, and submits each anew as soon as it is
 * gone: as it was submitted from this window, or as its operator has it. With what anything else was
 * submitted nobody here knows.
 */
export async function restartApplications(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, wasSubmittedHere } = context;
  const title = l10n.t("Restart Application");
  const canBe = (application: Application): boolean =>
    wasSubmittedHere(application) || application.resource !== undefined;
  const chosen = await chosenApplications(session, nodes, title, canBe);
  const connection = await connectionOf(
    context,
    chosen.map(({ key }) => key),
  );
  if (connection === undefined) return;
  for (const application of chosen) {
    const { resource } = application;
    if (resource !== undefined) await restartResource(context, connection, resource);
    else if (wasSubmittedHere(application)) await restart(context, connection, application);
    else void window.showInformationMessage(unknownWords(application));
  }
}

function unknownWords({ name, origin: { operator } }: Application): string {
  return operator === undefined
    ? l10n.t(
        '"{0}" was not submitted from this window, so that what it was submitted with is not known here. Stop it, and submit it anew where it came from.',
        name,
      )
    : l10n.t(
        '"{0}" is run by an operator from {1} "{2}", which cannot be seen from here. Submit its manifest anew instead.',
        name,
        operator.kind,
        operator.name,
      );
}

async function restartResource(
  context: LifecycleContext,
  connection: Connection,
  resource: OperatorResource,
): Promise<void> {
  const { clock, log } = context;
  const { kind, name } = resource;
  const button = l10n.t("Restart");
  const asked = await askToChange(context, connection, {
    question: l10n.t('Restart "{0}"?', name),
    detail: l10n.t(
      '{0} "{1}" is deleted with its driver and executors, and made anew as the cluster has it now. What was not written yet is lost. This cannot be undone.',
      kind,
      name,
    ),
    buttons: [button],
    action: l10n.t('Restart "{0}"', name),
  });
  if (asked === undefined) return;
  const ports = { objects: connection.objects, clock };
  const restarted = await inView((signal) => restartOperated(resource, ports, signal));
  if (restarted.ok) return;
  const { failure, lost } = restarted.error;
  const words = [operatorFailureWords(failure, connection.context)];
  if (lost !== undefined) {
    // JSON is YAML too.
    const content = `${JSON.stringify(lost, undefined, 2)}\n`;
    const document = await workspace.openTextDocument({ language: "yaml", content });
    await window.showTextDocument(document, { preview: false });
    words.push(l10n.t("What is to be made anew stands in the editor: save it, and submit it."));
  }
  await showProblems(l10n.t('"{0}" was not restarted', name), words, log);
}

// The driver's time to shut down in order, and some for the cluster to notice.
const patienceMs = 90_000;

async function restart(
  context: LifecycleContext,
  connection: Connection,
  application: Application,
): Promise<void> {
  const { session, submitAnew } = context;
  const { driver, key, name } = application;
  if (isAlive(application) && driver !== undefined) {
    if (!(await stop(context, connection, [application]))) return;
    const isGone = (): boolean => session.findPod(key, driver.pod.uid) === undefined;
    if (!(await session.until(isGone, AbortSignal.timeout(patienceMs)))) {
      void window.showWarningMessage(
        l10n.t('"{0}" is still shutting down and was not submitted anew.', name),
      );
      return;
    }
  }
  await submitAnew(application);
}
