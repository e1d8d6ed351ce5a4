import { l10n, window } from "vscode";
import { deletePod, deletePodAlone, type Deletion } from "../../engine/deletePod.ts";
import type { Connection } from "../../engine/ports.ts";
import {
  hasEndedPod,
  isAlive,
  type Application,
  type SparkPod,
} from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayChange } from "../guard.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { goesWith } from "./goesWith.ts";
import { killTargets } from "./killExecutors.ts";
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
  const connection = await connectionOf(context);
  if (connection === undefined) return;
  const keys = new Set(chosen.map(({ key }) => key));
  const pods = targetsOf(session, nodes).filter(({ application }) => !keys.has(application.key));
  const driverless = chosen
    .filter(({ driver }) => driver === undefined)
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
    chosen.flatMap((application) =>
      application.driver === undefined ? [] : [{ application, driver: application.driver }],
    ),
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
  const ask = async (): Promise<boolean> =>
    (await window.showWarningMessage(`${button}?`, { modal: true, detail }, button)) === button;
  if (!(await mayChange(connection.context, button, ask))) return;
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

interface Deletable {
  readonly application: Application;
  readonly driver: SparkPod;
}

type Extent = (
  objects: Connection["objects"],
  pod: SparkPod["pod"],
  signal: AbortSignal,
) => Promise<Deletion>;

async function deleteDrivers(
  context: LifecycleContext,
  connection: Connection,
  applications: readonly Deletable[],
): Promise<void> {
  const [first] = applications;
  if (first === undefined) return;
  const isOne = applications.length === 1;
  const question = isOne
    ? l10n.t('Delete "{0}"?', first.application.name)
    : l10n.t("Delete {0} applications?", applications.length);
  let extent: Extent = deletePod;
  const ask = async (): Promise<boolean> => {
    const hasExecutors = applications.some(
      ({ application: { live, ended } }) => live.size + ended.size > 0,
    );
    const all = hasExecutors ? l10n.t("Delete with executors") : l10n.t("Delete");
    const driverOnly = l10n.t("Delete driver only");
    const detail = [
      await goesWith(connection, applications),
      "",
      runningWords(applications.map(({ application }) => application).filter(isAlive)),
      l10n.t("Logs and states that were not kept are lost. This cannot be undone."),
      ...(hasExecutors
        ? [
            l10n.t(
              "Without the driver alone, executors, Service and ConfigMaps stay, belong to nobody, and can be cleaned up later.",
            ),
          ]
        : []),
    ].join("\n");
    const buttons = hasExecutors ? [all, driverOnly] : [all];
    const chosen = await window.showWarningMessage(question, { modal: true, detail }, ...buttons);
    extent = chosen === driverOnly ? deletePodAlone : deletePod;
    return chosen !== undefined;
  };
  if (!(await mayChange(connection.context, question.replace(/\?$/, ""), ask))) return;
  await actOnItems(
    {
      items: applications,
      nameOf: ({ application }) => application.name,
      words: deleteWords,
      act: async ({ driver }, signal) =>
        outcomeOf(await extent(connection.objects, driver.pod, signal)),
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
