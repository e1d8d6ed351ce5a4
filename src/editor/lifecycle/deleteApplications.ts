import { l10n } from "vscode";
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
  type ActionTarget,
} from "./targets.ts";
import { window } from "../ui/window.ts";

/** Deletes the objects of the given rows, or of an application that the user picks, after a confirmation. */
export async function deleteRows(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session } = context;
  const any = (): boolean => true;
  const chosen = await chosenApplications(session, nodes, l10n.t("Delete"), any);
  const targets = targetsOf(session, nodes);
  if (chosen.length + targets.length === 0) {
    if (nodes.length > 0) void window.showInformationMessage(nothingToDelete(nodes));
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

const nothingToDelete = (nodes: readonly TreeNode[]): string =>
  nodes.some(({ kind }) => kind === "namespace" || kind === "applicationPage")
    ? l10n.t(
        "Namespaces and pages of applications are not deleted as a whole. Choose applications, drivers or executors.",
      )
    : l10n.t("The selected objects are already deleted.");

async function deleteEnded(
  context: LifecycleContext,
  connection: Connection,
  targets: readonly ActionTarget[],
): Promise<void> {
  if (targets.length === 0) return;
  const nameOf = nameOfTarget(targets);
  const button = l10n.t("Delete {0} ended executors", targets.length);
  const detail = l10n.t(
    "Deleted: {0}, with their logs. This cannot be undone.",
    namesFor(targets.map(nameOf)),
  );
  const question = `${button}?`;
  if (!(await askToChange(connection, { question, detail, buttons: [button] }))) return;
  await actOnItems(
    {
      items: targets,
      nameOf,
      words: deleteWords,
      act: async ({ executor }, signal) =>
        outcomeOf(await deletePod(connection.objects, executor.pod, signal)),
    },
    context,
  );
}

/** The drivers of applications with what belongs to them; of those that an operator runs, its custom resource. */
async function deleteDrivers(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Application[],
): Promise<void> {
  const [first] = applications;
  if (first === undefined) return;
  const isOne = applications.length === 1;
  const question = isOne
    ? l10n.t('Delete "{0}"?', first.name)
    : l10n.t("Delete {0} applications?", applications.length);
  const hasExecutors = applications.some(({ live, ended }) => live.size + ended.size > 0);
  // The operator replaces a deleted driver.
  const own = applications.filter((one) => !isEarlierAttempt(one));
  const canSpare = hasExecutors && own.every(({ resource }) => resource === undefined);
  const detail = async (): Promise<string> =>
    [
      operatorWords(own),
      await deletedObjectsText(connection, applications),
      "",
      runningWords(applications.filter(isAlive)),
      l10n.t("Logs and states that are not saved will be lost. This cannot be undone."),
      canSpare
        ? l10n.t(
            "Delete Driver Only leaves the executors, Service and ConfigMaps without an owner. Clean Up deletes them later.",
          )
        : "",
    ].join("\n");
  const all = hasExecutors ? l10n.t("Delete with Executors") : l10n.t("Delete");
  const driverOnly = l10n.t("Delete Driver Only");
  const chosen = await askToChange(connection, {
    question,
    detail,
    buttons: canSpare ? [all, driverOnly] : [all],
    action: question.replace(/\?$/, ""),
  });
  if (chosen === undefined) return;
  const deleteDriver = chosen === driverOnly ? deletePodAlone : deletePod;
  await actOnItems(
    {
      items: applications,
      nameOf: distinctNameIn(applications),
      words: deleteWords,
      act: async (application, signal) =>
        outcomeOf(await deleteApplication(connection.objects, application, signal, deleteDriver)),
    },
    context,
  );
}

const deleteWords: WorkWords = {
  get title() {
    return l10n.t("Deleting");
  },
  failed: (name) => l10n.t('"{0}" was not deleted', capital(name)),
  someFailed: (count, all) => l10n.t("{0} of {1} were not deleted", count, all),
};

function runningWords(running: readonly Application[]): string {
  const names = distinctNames(running).join(", ");
  return running.length === 0 ? "" : l10n.t("Still running and will be stopped: {0}.", names);
}
