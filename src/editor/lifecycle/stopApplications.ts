import { l10n, window } from "vscode";
import { forceDeletePod } from "../../engine/deletePod.ts";
import type { Connection } from "../../engine/ports.ts";
import { stopApplication } from "../../engine/stopApplication.ts";
import { isAlive, type Application, type SparkPod } from "../../spark/pods/application.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayChange } from "../guard.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { goesWith } from "./goesWith.ts";
import { outcomeOf } from "./outcome.ts";
import { chosenApplications } from "./targets.ts";

interface Stoppable {
  readonly application: Application;
  readonly driver: SparkPod;
}

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
  const connection = await connectionOf(context);
  if (connection === undefined) return;
  const stoppable = chosen.flatMap((application): readonly Stoppable[] =>
    application.driver === undefined ? [] : [{ application, driver: application.driver }],
  );
  for (const { name } of chosen.filter(({ driver }) => driver === undefined)) {
    void window.showWarningMessage(
      l10n.t(
        '"{0}" has no driver pod to stop: its driver runs outside the cluster or was deleted. Delete removes its executors.',
        name,
      ),
    );
  }
  const isEnding = ({ driver }: Stoppable): boolean => driver.state.kind === "terminating";
  await force(context, connection, stoppable.filter(isEnding));
  await stop(
    context,
    connection,
    stoppable.filter((one) => !isEnding(one)),
  );
}

/** True if all of it was ordered. */
export async function stop(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Stoppable[],
): Promise<boolean> {
  const [first] = applications;
  if (first === undefined) return false;
  const isOne = applications.length === 1;
  const { name } = first.application;
  const button = isOne
    ? l10n.t("Stop application")
    : l10n.t("Stop {0} applications", applications.length);
  const question = isOne
    ? l10n.t('Stop "{0}"?', name)
    : l10n.t("Stop {0} applications?", applications.length);
  const ask = async (): Promise<boolean> => {
    const end = l10n.t("What was not written yet is lost. This cannot be undone.");
    const detail = `${await goesWith(connection, applications)}\n\n${end}`;
    return (await window.showWarningMessage(question, { modal: true, detail }, button)) === button;
  };
  const action = isOne ? l10n.t('Stop "{0}"', name) : button;
  if (!(await mayChange(connection.context, action, ask))) return false;
  const stopped = await actOnItems(
    {
      items: applications,
      nameOf: ({ application }) => application.name,
      words: stopWords,
      act: async ({ driver }, signal) =>
        outcomeOf(await stopApplication(connection.objects, driver, signal)),
    },
    context,
  );
  for (const one of stopped) {
    offerForce(context, connection, one).catch(context.log.error);
  }
  return stopped.length === applications.length;
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
  stopped: Stoppable,
): Promise<void> {
  const { session } = context;
  const { uid } = stopped.driver.pod;
  const isGone = (): boolean => session.findPod(uid) === undefined;
  if (await session.until(isGone, AbortSignal.timeout(patienceMs))) return;
  const isStillThere = session.isLive && !isGone();
  const button = l10n.t("Force Stop…");
  const text = l10n.t(
    '"{0}" was asked to stop and is still shutting down.',
    stopped.application.name,
  );
  if (!isStillThere || (await window.showWarningMessage(text, button)) !== button) return;
  await force(context, connection, [stopped]);
}

async function force(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Stoppable[],
): Promise<void> {
  const [first] = applications;
  if (first === undefined) return;
  const names = applications.map(({ application }) => `"${application.name}"`).join(", ");
  const button = l10n.t("Force stop");
  const detail = l10n.t(
    "The cluster forgets driver pod {0} at once, without waiting for its node to say that it has ended: if the node does not answer, the driver may run on there unseen and write its results. This cannot be undone.",
    applications.map(({ driver }) => driver.pod.name).join(", "),
  );
  const question = l10n.t("{0}: asked to stop already. Force it?", names);
  const ask = async (): Promise<boolean> =>
    (await window.showWarningMessage(question, { modal: true, detail }, button)) === button;
  if (!(await mayChange(connection.context, button, ask))) return;
  await actOnItems(
    {
      items: applications,
      nameOf: ({ application }) => application.name,
      words: stopWords,
      act: async ({ driver }, signal) =>
        outcomeOf(await forceDeletePod(connection.objects, driver.pod, signal)),
    },
    context,
  );
}
