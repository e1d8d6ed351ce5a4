import { l10n, window, workspace } from "vscode";
import { podNow } from "../../engine/containerNews.ts";
import { restartOperated } from "../../engine/operatedApplications.ts";
import type { Connection } from "../../engine/ports.ts";
import { stopApplication } from "../../engine/stopApplication.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { operatorFailureWords } from "../submit/manifestWords.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { goesWith } from "./goesWith.ts";
import { resourceNames } from "./operated.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
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
  for (const application of chosen.filter((one) => !canBe(one))) {
    void window.showInformationMessage(unknownWords(application));
  }
  const known = chosen.filter(canBe);
  const [first] = known;
  if (first === undefined || !(await mayRestart(context, connection, known))) return;
  await actOnItems(
    {
      items: known,
      nameOf: ({ name }) => name,
      words: restartWords,
      longestMs: restartMs,
      act: (application, deadline, cancelled) =>
        application.resource === undefined
          ? restart(context, connection, application, [deadline, cancelled])
          : restartResource(context, connection, application.resource, deadline),
    },
    context,
  );
}

const isToStop = (application: Application): boolean =>
  application.resource === undefined && isAlive(application) && application.driver !== undefined;

/** Asks, unless nothing ends by it. */
async function mayRestart(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Application[],
): Promise<boolean> {
  const ending = applications.filter((one) => one.resource !== undefined || isToStop(one));
  if (ending.length === 0) return true;
  const [first] = applications;
  const isOne = applications.length === 1;
  const question =
    isOne && first
      ? l10n.t('Restart "{0}"?', first.name)
      : l10n.t("Restart {0} applications?", applications.length);
  const asked = await askToChange(context, connection, {
    question,
    detail: async () => {
      const resources = applications.flatMap(({ resource }) => resource ?? []);
      const stopped = applications.filter(isToStop);
      const parts = [
        resources.length === 0 ? "" : resourceWords(resources),
        await goesWith(connection, stopped),
        anewWords(stopped.length),
        l10n.t("What was not written yet is lost. This cannot be undone."),
      ];
      return parts.filter((part) => part !== "").join("\n\n");
    },
    buttons: [isOne ? l10n.t("Restart") : l10n.t("Restart {0} applications", applications.length)],
    action: question.replace(/\?$/, ""),
  });
  return asked !== undefined;
}

function anewWords(count: number): string {
  if (count === 0) return "";
  return count === 1
    ? l10n.t("Submitted anew as it was from this window, as soon as its driver is gone.")
    : l10n.t("Each is submitted anew as it was from this window, as soon as its driver is gone.");
}

const resourceWords = (resources: readonly OperatorResource[]): string =>
  l10n.t(
    "Deleted with driver and executors, and made anew as the cluster has it now: {0}.",
    resourceNames(resources),
  );

const restartWords: WorkWords = {
  get title() {
    return l10n.t("Restarting applications");
  },
  failed: (name) => l10n.t('"{0}" was not restarted', name),
  someFailed: (count, all) => l10n.t("{0} of {1} applications were not restarted", count, all),
};

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
  { clock }: LifecycleContext,
  { objects, context }: Connection,
  resource: OperatorResource,
  deadline: AbortSignal,
): Promise<Outcome> {
  const restarted = await restartOperated(resource, { objects, clock }, deadline);
  if (restarted.ok) return { kind: "done", words: undefined };
  const { failure, lost } = restarted.error;
  const words = operatorFailureWords(failure, context);
  if (lost === undefined) {
    return failure.kind === "refused"
      ? { kind: "failed", error: failure.error }
      : { kind: "notDone", words };
  }
  // JSON is YAML too.
  const content = `${JSON.stringify(lost, undefined, 2)}\n`;
  const document = await workspace.openTextDocument({ language: "yaml", content });
  await window.showTextDocument(document, { preview: false });
  const help = l10n.t("What is to be made anew stands in the editor: save it, and submit it.");
  return { kind: "notDone", words: `${words} ${help}` };
}

// The driver's time to shut down in order, and some for the cluster to notice.
const patienceMs = 90_000;
// What an operator's resource may take to go, and to be made anew, gives up by itself before that.
const restartMs = 600_000;

async function restart(
  { session, canSubmitAnew, submitAnew }: LifecycleContext,
  { objects, context }: Connection,
  application: Application,
  [deadline, cancelled]: readonly [AbortSignal, AbortSignal],
): Promise<Outcome> {
  const { driver, key } = application;
  const unknown = l10n.t("With what it was submitted is not known any more.");
  if (!(await canSubmitAnew(application))) {
    return { kind: "notDone", words: `${unknown} ${l10n.t("It was not stopped.")}` };
  }
  const pods = session.podsOf(key);
  if (isToStop(application) && driver !== undefined) {
    const stopped = await stopApplication(objects, application, deadline);
    if (stopped.kind === "failed" || stopped.kind === "replaced") return outcomeOf(stopped);
    // Where nobody can tell, as while the window connects anew, it counts as still there.
    const isGone = (): boolean => podNow(pods, driver.pod) === undefined;
    const patience = AbortSignal.any([deadline, cancelled, AbortSignal.timeout(patienceMs)]);
    if (!(await session.until(isGone, patience)) || cancelled.aborted) {
      const words = cancelled.aborted
        ? l10n.t("stopped, and not submitted anew")
        : l10n.t(
            "It is still shutting down and was not submitted anew. Stop Application… again can force it.",
          );
      return { kind: "notDone", words };
    }
  }
  // What names no cluster goes to the chosen one, which may be another by now than the application's.
  const isChosen = session.chosen?.context === context;
  return (await submitAnew(application, isChosen ? undefined : context))
    ? { kind: "done", words: undefined }
    : { kind: "notDone", words: unknown };
}
