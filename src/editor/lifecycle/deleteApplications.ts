import { lines, msg, verbatim, type Message } from "../../base/message.ts";
import { deleteApplication } from "../../engine/lifecycle/deleteApplication.ts";
import { deletePod, deletePodAlone } from "../../engine/lifecycle/deletePod.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { hasEndedPod, isAlive, type Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { isEarlierAttempt } from "../../spark/pods/operatedApplication.ts";
import { distinctNameIn, distinctNames } from "../apps/distinctNames.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { deletedObjectsText } from "./deletedObjects.ts";
import { runWords } from "./runWords.ts";
import { killTargets } from "./killExecutors.ts";
import { operatorWords } from "./operated.ts";
import { outcomeOf } from "./outcome.ts";
import { forceStop, isEnding } from "./stopApplications.ts";
import {
  capital,
  chosenApplications,
  nameOfTarget,
  namesFor,
  targetsOf,
  whileStopping,
  type ActionTarget,
} from "./targets.ts";

/** Deletes the objects of the given rows, or of an application that the user picks, after a confirmation. */
export async function deleteRows(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session, screen } = context;
  const any = (): boolean => true;
  const chosen = await chosenApplications(context, nodes, msg("Delete"), any);
  const targets = targetsOf(session, nodes);
  if (chosen.length + targets.length === 0) {
    if (nodes.length > 0) void screen.showInformationMessage(nothingToDelete(nodes));
    return;
  }
  const connection = await connectionOf(context, [
    ...chosen.map(({ key }) => key),
    ...targets.map(({ application }) => application.key),
  ]);
  if (connection === undefined) return;
  const keys = new Set(chosen.map(({ key }) => key));
  const pods = targets.filter(({ application }) => !keys.has(application.key));
  const driverless = chosen
    .filter(({ driver, resource }) => driver === undefined && resource === undefined)
    .flatMap((application) =>
      [...executorsOf(application)].map((executor) => ({ application, executor })),
    );
  const loose = [...pods, ...driverless];
  await killTargets(
    context,
    loose.filter(({ executor }) => !hasEndedPod(executor)),
  );
  await deleteEnded(
    context,
    connection,
    loose.filter(({ executor }) => hasEndedPod(executor)),
  );
  const withDriver = chosen.filter(
    ({ driver, resource }) => driver !== undefined || resource !== undefined,
  );
  await forceStop(context, connection, withDriver.filter(isEnding));
  await deleteDrivers(
    context,
    connection,
    withDriver.filter((one) => !isEnding(one)),
  );
}

const nothingToDelete = (nodes: readonly TreeNode[]): Message =>
  nodes.some(({ kind }) => kind === "namespace" || kind === "applicationPage")
    ? msg(
        "Namespaces and pages of applications cannot be deleted as a whole. Select applications, drivers or executors.",
      )
    : msg("The selected objects are already deleted.");

async function deleteEnded(
  context: LifecycleContext,
  connection: Connection,
  targets: readonly ActionTarget[],
): Promise<void> {
  const [first] = targets;
  if (first === undefined) return;
  const { screen } = context;
  const nameOf = nameOfTarget(targets, screen);
  const isOne = targets.length === 1;
  const button = isOne ? msg("Delete Executor") : msg`Delete ${targets.length} Executors`;
  const detail = msg`This will delete, including logs: ${namesFor(targets.map(nameOf))}. This cannot be undone.`;
  const question = isOne
    ? msg`Delete ended ${nameOf(first)}?`
    : msg`Delete ${targets.length} ended executors?`;
  if (!(await askToChange(screen, connection, { question, detail, buttons: [button] }))) return;
  await actOnItems(
    {
      items: targets,
      nameOf,
      words: deleteWords((name) => msg`${capital(name)} was not deleted`),
      act: async ({ executor }, signal) =>
        outcomeOf(await deletePod(connection.objects, executor.pod, signal)),
    },
    context,
  );
}

/** Deletes drivers with the objects that they own. If an operator runs an application, deletes its custom resource. */
async function deleteDrivers(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Application[],
): Promise<void> {
  const [first] = applications;
  if (first === undefined) return;
  const { screen } = context;
  const isOne = applications.length === 1;
  const question = isOne
    ? msg`Delete "${first.name}"?`
    : msg`Delete ${applications.length} applications?`;
  const hasExecutors = applications.some(({ live, ended }) => live.size + ended.size > 0);
  // Do not offer Delete Driver Only with an operator, which would replace the deleted driver.
  const own = applications.filter((one) => !isEarlierAttempt(one));
  const canSpare = hasExecutors && own.every(({ resource }) => resource === undefined);
  const detail = async (): Promise<Message | undefined> =>
    lines([
      isOne ? runWords(context.session, first) : undefined,
      operatorWords(own),
      await deletedObjectsText(screen, connection, applications),
      verbatim(""),
      runningWords(applications.filter(isAlive)),
      msg("Logs and states that are not saved will be lost. This cannot be undone."),
      canSpare
        ? msg(
            "Delete Driver Only leaves the executors, Service and ConfigMaps without an owner. Clean Up deletes them later.",
          )
        : undefined,
    ]);
  const all = hasExecutors ? msg("Delete with Executors") : msg("Delete");
  const driverOnly = msg("Delete Driver Only");
  const chosen = await askToChange(screen, connection, {
    question,
    detail,
    buttons: canSpare ? [all, driverOnly] : [all],
  });
  if (chosen === undefined) return;
  const deleteDriver = chosen === driverOnly ? deletePodAlone : deletePod;
  await actOnItems(
    {
      items: applications,
      nameOf: distinctNameIn(applications),
      words: deleteWords((name) => msg`"${name}" was not deleted`),
      act: async (application, signal) =>
        outcomeOf(
          await whileStopping(context.session, application, () =>
            deleteApplication(connection.objects, application, signal, deleteDriver),
          ),
        ),
    },
    context,
  );
}

const deleteWords = (failed: WorkWords["failed"]): WorkWords => ({
  get title() {
    return msg("Deleting");
  },
  failed,
  someFailed: (count, all) => msg`${count} of ${all} were not deleted`,
});

function runningWords(running: readonly Application[]): Message | undefined {
  const names = distinctNames(running).join(", ");
  return running.length === 0 ? undefined : msg`Still running and will be stopped: ${names}.`;
}
