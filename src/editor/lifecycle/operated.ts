import { l10n, window } from "vscode";
import { setSuspended } from "../../engine/operatedApplications.ts";
import type { Connection } from "../../engine/ports.ts";
import type { Application } from "../../spark/pods/application.ts";
import { canBeSuspended, isSuspended } from "../../spark/pods/operatedApplication.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayChange } from "../guard.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOfRequest } from "./outcome.ts";
import { chosenApplications } from "./targets.ts";

/** For a question: that it is the custom resource that goes; empty for what no operator runs. */
export function operatorWords(applications: readonly Application[]): string {
  const resources = applications.flatMap(({ resource }) => resource ?? []);
  const unseen = applications.filter(
    ({ resource, origin }) => resource === undefined && origin.operator !== undefined,
  );
  const lines = [
    ...(resources.length === 0
      ? []
      : [
          l10n.t(
            "Deleted first: {0}. Without it its operator starts nothing anew.",
            resources.map(({ kind, name }) => `${kind} "${name}"`).join(", "),
          ),
        ]),
    ...(unseen.length === 0
      ? []
      : [
          l10n.t(
            "Run by an operator that may start it anew: {0}. Its custom resource cannot be seen from here.",
            unseen.map(({ name }) => `"${name}"`).join(", "),
          ),
        ]),
  ];
  return lines.join("\n");
}

/** Has their operator end the applications of the given rows, and keep them to be resumed. */
export const suspendApplications = (
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> => change(context, nodes, true);

/** Has their operator start suspended applications anew. */
export const resumeApplications = (
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> => change(context, nodes, false);

async function change(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
  suspend: boolean,
): Promise<void> {
  const title = suspend ? l10n.t("Suspend Application") : l10n.t("Resume Application");
  const suits = suspend ? canBeSuspended : isSuspended;
  const chosen = await chosenApplications(context.session, nodes, title, suits);
  const connection = await connectionOf(
    context,
    chosen.map(({ key }) => key),
  );
  if (connection === undefined) return;
  const resources = chosen.filter(suits).flatMap(({ resource }) => resource ?? []);
  const [first] = resources;
  if (first === undefined) {
    if (chosen.length > 0) void window.showInformationMessage(unsuitableWords(chosen, suspend));
    return;
  }
  const names = resources.map(({ name }) => `"${name}"`).join(", ");
  const question = suspend ? l10n.t("Suspend {0}?", names) : l10n.t("Resume {0}?", names);
  const detail = suspend
    ? l10n.t(
        "Its operator deletes the driver and the executors, and keeps the custom resource. What was not written yet is lost. Resume starts it from the beginning.",
      )
    : l10n.t("Its operator starts the application from the beginning.");
  const button = suspend ? l10n.t("Suspend") : l10n.t("Resume");
  const action = question.replace(/\?$/, "");
  if (!(await askToChange(context, connection, { question, detail, buttons: [button], action })))
    return;
  const changed = await set(context, connection, resources, suspend);
  if (suspend) offerUndo(context, connection, changed).catch(context.log.error);
}

const set = (
  context: LifecycleContext,
  { objects }: Connection,
  resources: readonly OperatorResource[],
  suspend: boolean,
): Promise<readonly OperatorResource[]> =>
  actOnItems(
    {
      items: resources,
      nameOf: ({ name }) => name,
      words: suspend ? suspendWords : resumeWords,
      act: async (resource, signal) =>
        outcomeOfRequest(await setSuspended(objects, resource, suspend, signal)),
    },
    context,
  );

/** What ran is not brought back by it, but the application is. */
async function offerUndo(
  context: LifecycleContext,
  connection: Connection,
  suspended: readonly OperatorResource[],
): Promise<void> {
  if (suspended.length === 0) return;
  const names = suspended.map(({ name }) => `"${name}"`).join(", ");
  const undo = l10n.t("Undo");
  const text = l10n.t("Suspended: {0}. Undo starts from the beginning.", names);
  if ((await window.showInformationMessage(text, undo)) !== undo) return;
  const action = l10n.t("Resume {0}", names);
  if (await mayChange(connection.context, action)) {
    await set(context, connection, suspended, false);
  }
}

function unsuitableWords(chosen: readonly Application[], suspend: boolean): string {
  const names = chosen.map(({ name }) => `"${name}"`).join(", ");
  return suspend
    ? l10n.t(
        "{0}: only applications that the Kubeflow operator runs can be suspended, while they run. Others can be stopped.",
        names,
      )
    : l10n.t("{0}: not suspended, so there is nothing to resume.", names);
}

const suspendWords: WorkWords = {
  get title() {
    return l10n.t("Suspending applications");
  },
  failed: (name) => l10n.t('"{0}" was not suspended', name),
  someFailed: (count, all) => l10n.t("{0} of {1} applications were not suspended", count, all),
};

const resumeWords: WorkWords = {
  get title() {
    return l10n.t("Resuming applications");
  },
  failed: (name) => l10n.t('"{0}" was not resumed', name),
  someFailed: (count, all) => l10n.t("{0} of {1} applications were not resumed", count, all),
};
