import { msg, paragraphs, sentences, type Message } from "../../base/message.ts";
import { podNow } from "../../engine/logs/containerState.ts";
import { forceDeletePod } from "../../engine/lifecycle/deletePod.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { stopApplication } from "../../engine/lifecycle/stopApplication.ts";
import { withinTime } from "../../engine/withinTime.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import { canBeSuspended } from "../../spark/pods/operatedApplication.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionAgain, connectionOf, type LifecycleContext } from "./context.ts";
import { distinctNameIn, distinctNames } from "../apps/distinctNames.ts";
import { deletedObjectsText } from "./deletedObjects.ts";
import { runWords } from "./runWords.ts";
import { operatorWords } from "./operated.ts";
import { outcomeOf } from "./outcome.ts";
import { sessionUsersText } from "./sessionUsersText.ts";
import { chosenApplications, namesFor, whileStopping } from "./targets.ts";

/** True if there is a driver pod or an active custom resource to delete. */
const canBeStopped = ({ driver, resource }: Application): boolean =>
  driver !== undefined || resource?.hasEnded === false;

/**
 * Stops the applications of the given rows, or one that the user picks, after a confirmation. An application that is
 * already shutting down is deleted by force.
 */
export async function stopApplications(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { screen } = context;
  const title = msg("Stop Application");
  const chosen = await chosenApplications(context, nodes, title, isAlive);
  const connection = await connectionOf(
    context,
    chosen.map(({ key }) => key),
  );
  if (connection === undefined) return;
  const living = chosen.filter(isAlive);
  const over = chosen.filter((one) => !isAlive(one));
  if (over.length > 0) {
    void screen.showInformationMessage(
      msg`${namesFor(distinctNames(over))}: already ended. Use Delete… to remove the remaining objects.`,
    );
  }
  for (const { name } of living.filter((application) => !canBeStopped(application))) {
    void screen.showWarningMessage(
      msg`"${name}" has no driver pod to stop: its driver runs outside the cluster or was deleted. Use Delete… to remove its executors.`,
    );
  }
  const stoppable = living.filter(canBeStopped);
  await forceStop(context, connection, stoppable.filter(isEnding));
  await stop(
    context,
    connection,
    stoppable.filter((one) => !isEnding(one)),
  );
}

/** True if the driver is terminating, unless an operator would start another driver. */
export const isEnding = ({ driver, resource }: Application): boolean =>
  driver?.pod.deletionTimestamp !== undefined && resource?.hasEnded !== false;

async function stop(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Application[],
): Promise<void> {
  const [first] = applications;
  if (first === undefined) return;
  const { screen } = context;
  const isOne = applications.length === 1;
  const button = isOne ? msg("Stop Application") : msg`Stop ${applications.length} Applications`;
  const question = isOne
    ? msg`Stop "${first.name}"?`
    : msg`Stop ${applications.length} applications?`;
  const detail = async (): Promise<Message> => {
    const end = msg("Unsaved output will be lost. This cannot be undone.");
    const suspend = applications.some(canBeSuspended)
      ? msg("To resume later, use Suspend Running Application… instead.")
      : undefined;
    const [users, objects] = await Promise.all([
      sessionUsersText(screen, connection, applications),
      deletedObjectsText(screen, connection, applications),
    ]);
    const run = isOne ? runWords(context.session, first) : undefined;
    return (
      paragraphs([run, operatorWords(applications), users, objects, sentences([end, suspend])]) ??
      end
    );
  };
  const asked = await askToChange(screen, connection, {
    question,
    detail,
    buttons: [button],
  });
  if (asked === undefined) return;
  const stopped = await actOnItems(
    {
      items: applications,
      nameOf: distinctNameIn(applications),
      words: stopWords,
      act: async (application, signal) =>
        outcomeOf(
          await whileStopping(context.session, application, () =>
            stopApplication(connection.objects, application, signal),
          ),
        ),
    },
    context,
  );
  for (const one of stopped) {
    offerForce(context, connection, one).catch(context.log.error);
  }
}

const stopWords: WorkWords = {
  get title() {
    return msg("Stopping applications");
  },
  failed: (name) => msg`"${name}" was not stopped`,
  someFailed: (count, all) => msg`${count} of ${all} applications were not stopped`,
};

// In ms: the default grace period of a pod (30 s), and a margin for the cluster's latency.
const patienceMs = 45_000;

async function offerForce(
  context: LifecycleContext,
  connection: Connection,
  stopped: Application,
): Promise<void> {
  const { session, screen, clock } = context;
  const driver = stopped.driver?.pod;
  if (driver === undefined) return;
  const pods = session.podsOf(stopped.key);
  const isDeleted = (): boolean => podNow(pods, driver) === undefined;
  const hasStopped = await withinTime(
    (late) => session.until(isDeleted, late),
    { clock, ms: patienceMs },
    new AbortController().signal,
  );
  if (hasStopped === true) return;
  // Offer nothing while the watch is stale, because the pod may already be deleted.
  if (!pods.areKnown(driver.namespace)) return;
  const button = msg("Force Stop…");
  const text = msg`"${stopped.name}" was asked to stop and is still shutting down.`;
  if ((await screen.showWarningMessage(text, button)) !== button) return;
  const now = await connectionAgain(context, connection, stopped.key);
  if (now !== undefined) await forceStop(context, now, [stopped]);
}

/** Deletes the driver pods with a grace period of 0, after a confirmation. */
export async function forceStop(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Application[],
): Promise<void> {
  const { screen } = context;
  const withDriver = applications.filter(({ driver }) => driver !== undefined);
  const nameOf = distinctNameIn(withDriver);
  const drivers = withDriver.flatMap((application) =>
    application.driver === undefined
      ? []
      : [{ name: nameOf(application), pod: application.driver.pod }],
  );
  if (drivers.length === 0) return;
  const names = namesFor(distinctNames(withDriver));
  const button = msg("Force Stop");
  const detail = msg`Kubernetes removes ${drivers.map(({ pod }) => pod.name).join(", ")} without waiting for a node. On an unreachable node, a driver may continue to run and write results. This cannot be undone.`;
  const question =
    drivers.length === 1
      ? msg`Force stop ${names}? It is already shutting down.`
      : msg`Force stop ${names}? They are already shutting down.`;
  if (!(await askToChange(screen, connection, { question, detail, buttons: [button] }))) return;
  await actOnItems(
    {
      items: drivers,
      nameOf: ({ name }) => name,
      words: stopWords,
      act: async ({ pod }, signal) =>
        outcomeOf(await forceDeletePod(connection.objects, pod, signal)),
    },
    context,
  );
}
