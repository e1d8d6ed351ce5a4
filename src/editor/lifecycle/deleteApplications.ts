import { l10n } from "vscode";
import { deleteObject, deletePod, deletePodAlone } from "../../engine/deletePod.ts";
import { objectOf } from "../../engine/operatedApplications.ts";
import type { Connection } from "../../engine/ports.ts";
import { hasEndedPod, isAlive, type Application } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { goesWith } from "./goesWith.ts";
import { killTargets } from "./killExecutors.ts";
import { operatorWords } from "./operated.ts";
import { outcomeOf } from "./outcome.ts";
import {
  capital,
  chosenApplications,
  nameOfTarget,
  namesFor,
  targetsOf,
  type Target,
} from "./targets.ts";

/** Deletes what the given rows stand for, or an application that is picked; asks first. */
export async function deleteRows(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const { session } = context;
  const any = (): boolean => true;
  const chosen = await chosenApplications(session, nodes, l10n.t("Delete"), any);
  const connection = await connectionOf(context, [
    ...chosen.map(({ key }) => key),
    ...targetsOf(session, nodes).map(({ application }) => application.key),
  ]);
  if (connection === undefined) return;
  const keys = new Set(chosen.map(({ key }) => key));
  const pods = targetsOf(session, nodes).filter(({ application }) => !keys.has(application.key));
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
  await deleteDrivers(
    context,
    connection,
    chosen.filter(({ driver, resource }) => driver !== undefined || resource !== undefined),
  );
}

async function deleteEnded(
  context: LifecycleContext,
  connection: Connection,
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return;
  const nameOf = nameOfTarget(targets);
  const button = l10n.t("Delete {0} ended executors", targets.length);
  const detail = l10n.t(
    "Deleted: {0}, with their logs. This cannot be undone.",
    namesFor(targets.map(nameOf), (count) => l10n.t("and {0} more", count)),
  );
  const question = `${button}?`;
  if (!(await askToChange(context, connection, { question, detail, buttons: [button] }))) return;
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
  // An operator makes up for a driver that is gone.
  const canSpare = hasExecutors && applications.every(({ resource }) => resource === undefined);
  const detail = async (): Promise<string> =>
    [
      operatorWords(applications),
      await goesWith(connection, applications),
      "",
      runningWords(applications.filter(isAlive)),
      l10n.t("Logs and states that were not kept are lost. This cannot be undone."),
      canSpare
        ? l10n.t(
            "Without the driver alone, executors, Service and ConfigMaps stay, belong to nobody, and can be cleaned up later.",
          )
        : "",
    ].join("\n");
  const all = hasExecutors ? l10n.t("Delete with executors") : l10n.t("Delete");
  const driverOnly = l10n.t("Delete driver only");
  const chosen = await askToChange(context, connection, {
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
      nameOf: ({ name }) => name,
      words: deleteWords,
      act: async ({ driver, resource }, signal) => {
        const { objects } = connection;
        if (resource !== undefined) {
          return outcomeOf(await deleteObject(objects, objectOf(resource), signal));
        }
        if (driver === undefined) return outcomeOf({ kind: "alreadyGone" });
        return outcomeOf(await deleteDriver(objects, driver.pod, signal));
      },
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
  const names = running.map(({ name }) => `"${name}"`).join(", ");
  return running.length === 0 ? "" : l10n.t("Still running, and stopped by this: {0}.", names);
}
