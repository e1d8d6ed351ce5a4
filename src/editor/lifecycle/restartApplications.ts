import { msg, paragraphs, sentences, type Message } from "../../base/message.ts";
import { podNow } from "../../engine/logs/containerState.ts";
import { restartOperated } from "../../engine/watch/operatedApplications.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { stopApplication } from "../../engine/lifecycle/stopApplication.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import { distinctNameIn } from "../apps/distinctNames.ts";
import type { Screen } from "../screen.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { operatorFailureWords } from "../submit/manifestWords.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { deletedObjectsText } from "./deletedObjects.ts";
import { resourceNames } from "./operated.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { chosenApplications, whileStopping } from "./targets.ts";

/**
 * Stops the applications of the given rows, or one that the user picks. Resubmits each when its driver is deleted. An
 * application must be submitted from this workspace or have a custom resource.
 */
export async function restartApplications(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { screen, wasSubmittedHere } = context;
  const title = msg("Restart Application");
  const canBe = (application: Application): boolean =>
    wasSubmittedHere(application) || application.resource !== undefined;
  const chosen = await chosenApplications(context, nodes, title, canBe, "ask");
  const connection = await connectionOf(
    context,
    chosen.map(({ key }) => key),
  );
  if (connection === undefined) return;
  for (const application of chosen.filter((one) => !canBe(one))) {
    void screen.showInformationMessage(unknownWords(application));
  }
  const known = chosen.filter(canBe);
  const [first] = known;
  if (first === undefined || !(await mayRestart(screen, connection, known))) return;
  await actOnItems(
    {
      items: known,
      nameOf: distinctNameIn(known),
      words: restartWords,
      maxItemMs: restartMs,
      act: (application, deadline, canceled) =>
        application.resource === undefined
          ? restart(context, connection, application, [deadline, canceled])
          : restartResource(context, connection, application.resource, deadline),
    },
    context,
  );
}

const isToStop = (application: Application): boolean =>
  application.resource === undefined && isAlive(application) && application.driver !== undefined;

/** Shows a confirmation if an application will be stopped or recreated. Returns false if the user cancels. */
async function mayRestart(
  screen: Screen,
  connection: Connection,
  applications: readonly Application[],
): Promise<boolean> {
  const ending = applications.filter((one) => one.resource !== undefined || isToStop(one));
  if (ending.length === 0) return true;
  const [first] = applications;
  const isOne = applications.length === 1;
  const question =
    isOne && first
      ? msg`Restart "${first.name}"?`
      : msg`Restart ${applications.length} applications?`;
  const asked = await askToChange(screen, connection, {
    question,
    detail: async () => {
      const resources = applications.flatMap(({ resource }) => resource ?? []);
      const stopped = applications.filter(isToStop);
      return paragraphs([
        resources.length === 0 ? undefined : resourceWords(resources),
        await deletedObjectsText(screen, connection, stopped),
        resubmitWords(stopped.length),
        msg("Unsaved output will be lost. This cannot be undone."),
      ]);
    },
    buttons: [isOne ? msg("Restart") : msg`Restart ${applications.length} Applications`],
  });
  return asked !== undefined;
}

function resubmitWords(count: number): Message | undefined {
  if (count === 0) return undefined;
  return count === 1
    ? msg("It is resubmitted with the same settings after its driver is deleted.")
    : msg("Each is resubmitted with the same settings after its driver is deleted.");
}

const resourceWords = (resources: readonly OperatorResource[]): Message =>
  msg`This will delete and recreate, with its driver and executors: ${resourceNames(resources)}.`;

const restartWords: WorkWords = {
  get title() {
    return msg("Restarting applications");
  },
  failed: (name) => msg`"${name}" was not restarted`,
  someFailed: (count, all) => msg`${count} of ${all} applications were not restarted`,
};

function unknownWords(application: Application): Message {
  const { name, origin } = application;
  const { operator } = origin;
  if (operator === undefined) {
    return isToStop(application)
      ? msg`The submission of "${name}" is not stored: it was a pasted command, or another tool submitted it. Stop it, and submit it again from its source.`
      : msg`The submission of "${name}" is not stored: it was a pasted command, or another tool submitted it. Submit it again from its source.`;
  }
  return msg`"${name}" belongs to ${operator.kind} "${operator.name}" of an operator, which you do not have permission to list. Submit its manifest again instead.`;
}

async function restartResource(
  { clock, openText, screen }: LifecycleContext,
  { objects, context }: Connection,
  resource: OperatorResource,
  deadline: AbortSignal,
): Promise<Outcome> {
  const restarted = await restartOperated(resource, { objects, clock }, deadline);
  if (restarted.ok) return { kind: "done", words: undefined };
  const { failure, lost } = restarted.error;
  const words = operatorFailureWords(failure, context, screen);
  if (lost === undefined) {
    return failure.kind === "refused"
      ? { kind: "failed", error: failure.error }
      : { kind: "notDone", words };
  }
  // JSON is valid YAML.
  const content = `${JSON.stringify(lost, undefined, 2)}\n`;
  await openText({ language: "yaml", content });
  const help = msg("Its manifest is open in the editor: save it and submit it.");
  return { kind: "notDone", words: sentences([words, help]) };
}

// Maximum wait in ms for the end of a driver: its grace period, and a margin for the cluster's latency.
const patienceMs = 90_000;
// In ms. Longer than the timeouts of deleting and recreating a custom resource together.
const restartMs = 600_000;

async function restart(
  { session, canResubmit, resubmit }: LifecycleContext,
  { objects, context }: Connection,
  application: Application,
  [deadline, canceled]: readonly [AbortSignal, AbortSignal],
): Promise<Outcome> {
  const { driver, key } = application;
  const unknown = msg("The settings of its submission are no longer known.");
  if (!(await canResubmit(application))) {
    return { kind: "notDone", words: sentences([unknown, msg("It was not stopped.")]) };
  }
  const pods = session.podsOf(key);
  if (isToStop(application) && driver !== undefined) {
    const stopped = await whileStopping(session, application, () =>
      stopApplication(objects, application, deadline),
    );
    if (stopped.kind === "failed" || stopped.kind === "replaced") return outcomeOf(stopped);
    // While the watch is stale, the pod counts as present.
    const isDeleted = (): boolean => podNow(pods, driver.pod) === undefined;
    const patience = AbortSignal.any([deadline, canceled, AbortSignal.timeout(patienceMs)]);
    if (!(await session.until(isDeleted, patience)) || canceled.aborted) {
      const words = canceled.aborted
        ? msg("stopped, but not resubmitted")
        : msg(
            "It is still shutting down and was not resubmitted. Run Stop Application… again to force it.",
          );
      return { kind: "notDone", words };
    }
  }
  // Pass the context if it is no longer the selected one, because a definition without a context uses the selected one.
  const isChosen = session.chosen?.context === context;
  return (await resubmit(application, isChosen ? undefined : context))
    ? { kind: "done", words: undefined }
    : { kind: "notDone", words: unknown };
}
