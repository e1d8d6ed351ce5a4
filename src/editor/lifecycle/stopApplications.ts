import { l10n } from "vscode";
import { podNow } from "../../engine/logs/containerState.ts";
import { forceDeletePod } from "../../engine/lifecycle/deletePod.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { stopApplication } from "../../engine/lifecycle/stopApplication.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import { canBeSuspended } from "../../spark/pods/operatedApplication.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionAgain, connectionOf, type LifecycleContext } from "./context.ts";
import { distinctNameIn, distinctNames } from "../apps/distinctNames.ts";
import { deletedObjectsText } from "./deletedObjects.ts";
import { operatorWords } from "./operated.ts";
import { outcomeOf } from "./outcome.ts";
import { sessionUsersText } from "./sessionUsersText.ts";
import { chosenApplications, namesFor } from "./targets.ts";
import { window } from "../ui/window.ts";

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
  const title = l10n.t("Stop Application");
  const chosen = await chosenApplications(context.session, nodes, title, isAlive);
  const connection = await connectionOf(
    context,
    chosen.map(({ key }) => key),
  );
  if (connection === undefined) return;
  const living = chosen.filter(isAlive);
  const over = chosen.filter((one) => !isAlive(one));
  if (over.length > 0) {
    void window.showInformationMessage(
      l10n.t(
        "{0}: already ended. Delete… removes the remaining objects.",
        namesFor(distinctNames(over)),
      ),
    );
  }
  for (const { name } of living.filter((application) => !canBeStopped(application))) {
    void window.showWarningMessage(
      l10n.t(
        '"{0}" has no driver pod to stop: its driver runs outside the cluster or was deleted. Delete… removes its executors.',
        name,
      ),
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
  const isOne = applications.length === 1;
  const button = isOne
    ? l10n.t("Stop Application")
    : l10n.t("Stop {0} Applications", applications.length);
  const question = isOne
    ? l10n.t('Stop "{0}"?', first.name)
    : l10n.t("Stop {0} applications?", applications.length);
  const detail = async (): Promise<string> => {
    const end = l10n.t("Unsaved output will be lost. This cannot be undone.");
    const suspend = applications.some(canBeSuspended)
      ? l10n.t("Suspend Running Application… also stops it, and it can be resumed.")
      : "";
    const [users, objects] = await Promise.all([
      sessionUsersText(connection, applications),
      deletedObjectsText(connection, applications),
    ]);
    const parts = [operatorWords(applications), users, objects];
    return [...parts, [end, suspend].join(" ").trim()].filter((part) => part !== "").join("\n\n");
  };
  const action = isOne ? l10n.t('Stop "{0}"', first.name) : button;
  const asked = await askToChange(connection, {
    question,
    detail,
    buttons: [button],
    action,
  });
  if (asked === undefined) return;
  const stopped = await actOnItems(
    {
      items: applications,
      nameOf: distinctNameIn(applications),
      words: stopWords,
      act: async (application, signal) =>
        outcomeOf(await stopApplication(connection.objects, application, signal)),
    },
    context,
  );
  for (const one of stopped) {
    offerForce(context, connection, one).catch(context.log.error);
  }
}

const stopWords: WorkWords = {
  get title() {
    return l10n.t("Stopping applications");
  },
  failed: (name) => l10n.t('"{0}" was not stopped', name),
  someFailed: (count, all) => l10n.t("{0} of {1} applications were not stopped", count, all),
};

// The default grace period of a pod (30 s), and a margin for the cluster's latency.
const patienceMs = 45_000;

async function offerForce(
  context: LifecycleContext,
  connection: Connection,
  stopped: Application,
): Promise<void> {
  const { session } = context;
  const driver = stopped.driver?.pod;
  if (driver === undefined) return;
  const pods = session.podsOf(stopped.key);
  const isDeleted = (): boolean => podNow(pods, driver) === undefined;
  if (await session.until(isDeleted, AbortSignal.timeout(patienceMs))) return;
  // While the watch is stale, the pod may already be deleted.
  if (!pods.areKnown(driver.namespace)) return;
  const button = l10n.t("Force Stop…");
  const text = l10n.t('"{0}" was asked to stop and is still shutting down.', stopped.name);
  if ((await window.showWarningMessage(text, button)) !== button) return;
  const now = await connectionAgain(context, connection, stopped.key);
  if (now !== undefined) await forceStop(context, now, [stopped]);
}

/** Deletes the driver pods with a grace period of 0, after a confirmation. */
export async function forceStop(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Application[],
): Promise<void> {
  const withDriver = applications.filter(({ driver }) => driver !== undefined);
  const nameOf = distinctNameIn(withDriver);
  const drivers = withDriver.flatMap((application) =>
    application.driver === undefined
      ? []
      : [{ name: nameOf(application), pod: application.driver.pod }],
  );
  if (drivers.length === 0) return;
  const names = namesFor(distinctNames(withDriver));
  const button = l10n.t("Force Stop");
  const detail = l10n.t(
    "Kubernetes removes driver pod {0} without waiting for its node. If the node is unreachable, the driver may continue to run there and write results. This cannot be undone.",
    drivers.map(({ pod }) => pod.name).join(", "),
  );
  const question = l10n.t("Force {0} to stop? It is already shutting down.", names);
  if (!(await askToChange(connection, { question, detail, buttons: [button] }))) return;
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
