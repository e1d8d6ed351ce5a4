import { l10n, window } from "vscode";
import { podNow } from "../../engine/containerNews.ts";
import { forceDeletePod } from "../../engine/deletePod.ts";
import type { Connection } from "../../engine/ports.ts";
import { stopApplication } from "../../engine/stopApplication.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import { canBeSuspended } from "../../spark/pods/operatedApplication.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionAgain, connectionOf, type LifecycleContext } from "./context.ts";
import { goesWith } from "./goesWith.ts";
import { operatorWords } from "./operated.ts";
import { outcomeOf } from "./outcome.ts";
import { chosenApplications, namesFor } from "./targets.ts";

/** What there is to end: an operator's custom resource, or else the driver's pod. */
const canBeStopped = ({ driver, resource }: Application): boolean =>
  driver !== undefined || resource?.hasEnded === false;

/**
 * Stops the applications of the given rows, or one that is picked; asks first, naming what goes with them.
 * One that has been asked to stop and does not is stopped by force.
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
        "{0}: over already, so there is nothing to stop. Delete… removes what is left.",
        namesFor(over.map(({ name }) => `"${name}"`)),
      ),
    );
  }
  for (const { name } of living.filter((application) => !canBeStopped(application))) {
    void window.showWarningMessage(
      l10n.t(
        '"{0}" has no driver pod to stop: its driver runs outside the cluster or was deleted. Delete removes its executors.',
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

/** Asked to go already. Of one that an operator runs on, the operator would start another driver. */
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
    ? l10n.t("Stop application")
    : l10n.t("Stop {0} applications", applications.length);
  const question = isOne
    ? l10n.t('Stop "{0}"?', first.name)
    : l10n.t("Stop {0} applications?", applications.length);
  const detail = async (): Promise<string> => {
    const end = l10n.t("What was not written yet is lost. This cannot be undone.");
    const suspend = applications.some(canBeSuspended)
      ? l10n.t("Suspend Running Application… ends it too, and it can be resumed.")
      : "";
    const parts = [operatorWords(applications), await goesWith(connection, applications)];
    return [...parts, [end, suspend].join(" ").trim()].filter((part) => part !== "").join("\n\n");
  };
  const action = isOne ? l10n.t('Stop "{0}"', first.name) : button;
  const asked = await askToChange(context, connection, {
    question,
    detail,
    buttons: [button],
    action,
  });
  if (asked === undefined) return;
  const stopped = await actOnItems(
    {
      items: applications,
      nameOf: ({ name }) => name,
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

// A pod's own time to end, as long as nobody gives it more, and some for the cluster to notice.
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
  const isGone = (): boolean => podNow(pods, driver) === undefined;
  if (await session.until(isGone, AbortSignal.timeout(patienceMs))) return;
  // Where nobody can tell, it may have gone long ago.
  if (!pods.areKnown(driver.namespace)) return;
  const button = l10n.t("Force Stop…");
  const text = l10n.t('"{0}" was asked to stop and is still shutting down.', stopped.name);
  if ((await window.showWarningMessage(text, button)) !== button) return;
  const now = await connectionAgain(context, connection, stopped.key);
  if (now !== undefined) await forceStop(context, now, [stopped]);
}

/** Has the cluster forget the driver pods at once, after a question. */
export async function forceStop(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Application[],
): Promise<void> {
  const drivers = applications.flatMap(({ name, driver }) =>
    driver === undefined ? [] : [{ name, pod: driver.pod }],
  );
  if (drivers.length === 0) return;
  const names = drivers.map(({ name }) => `"${name}"`).join(", ");
  const button = l10n.t("Force stop");
  const detail = l10n.t(
    "The cluster forgets driver pod {0} at once, without waiting for its node to say that it has ended: if the node does not answer, the driver may run on there unseen and write its results. This cannot be undone.",
    drivers.map(({ pod }) => pod.name).join(", "),
  );
  const question = l10n.t("{0}: asked to stop already. Force it?", names);
  if (!(await askToChange(context, connection, { question, detail, buttons: [button] }))) return;
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
