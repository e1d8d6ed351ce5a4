import { l10n } from "vscode";
import { setSuspended } from "../../engine/watch/operatedApplications.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Application } from "../../spark/pods/application.ts";
import { canBeSuspended, isSuspended } from "../../spark/pods/operatedApplication.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import { distinctNames, placedNameIn } from "../apps/distinctNames.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { mayChange } from "../guard.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionAgain, connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOfRequest } from "./outcome.ts";
import { chosenApplications, namesFor } from "./targets.ts";
import { window } from "../ui/window.ts";

/** For a question: names the custom resources that are deleted; empty without an operator. */
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
            "This will delete first: {0}, so that the operator does not start it again.",
            resourceNames(resources),
          ),
        ]),
    ...(unseen.length === 0
      ? []
      : [
          l10n.t(
            "An operator may start it again: {0}. You may not list its custom resource.",
            quotedNames(unseen),
          ),
        ]),
  ];
  return lines.join("\n");
}

/** For a question or a message: `SparkApplication "orders", SparkApplication "invoices" and 3 more`. */
export const resourceNames = (resources: readonly OperatorResource[]): string =>
  namesFor(resources.map((one) => `${one.kind} "${placedNameIn(resources)(one)}"`));

const quotedNames = (applications: readonly Application[]): string =>
  namesFor(distinctNames(applications));

const quotedResourceNames = (resources: readonly OperatorResource[]): string =>
  namesFor(resources.map((one) => `"${placedNameIn(resources)(one)}"`));

/** Sets `suspend`: the operator stops the applications of the given rows and keeps their resources. */
export const suspendApplications = (
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> => change(context, nodes, true);

/** Clears `suspend`: the operator starts the applications of the given rows again. */
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
  if (resources.length === 0) {
    if (chosen.length > 0) void window.showInformationMessage(unsuitableWords(chosen, suspend));
    return;
  }
  const { question, detail, button } = questionOf(resources, suspend);
  const action = question.replace(/\?$/, "");
  if (!(await askToChange(connection, { question, detail, buttons: [button], action }))) return;
  const changed = await set(context, connection, resources, suspend);
  const [{ key } = { key: "" }] = chosen;
  if (suspend) offerUndo(context, connection, key, changed).catch(context.log.error);
}

interface Question {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
}

function questionOf(resources: readonly OperatorResource[], suspend: boolean): Question {
  const names = quotedResourceNames(resources);
  if (resources.length === 1) {
    return suspend
      ? {
          question: l10n.t("Suspend {0}?", names),
          detail: l10n.t(
            "The operator deletes the driver and the executors, and keeps the custom resource. Unsaved output will be lost. Resume starts it from the beginning.",
          ),
          button: l10n.t("Suspend"),
        }
      : {
          question: l10n.t("Resume {0}?", names),
          detail: l10n.t("The operator starts the application from the beginning."),
          button: l10n.t("Resume"),
        };
  }
  const count = resources.length;
  return suspend
    ? {
        question: l10n.t("Suspend {0} applications?", count),
        detail: l10n.t(
          "{0}: the operator deletes the drivers and the executors, and keeps the custom resources. Unsaved output will be lost. Resume starts them from the beginning.",
          names,
        ),
        button: l10n.t("Suspend {0} Applications", count),
      }
    : {
        question: l10n.t("Resume {0} applications?", count),
        detail: l10n.t("{0}: the operator starts them from the beginning.", names),
        button: l10n.t("Resume {0} Applications", count),
      };
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
      nameOf: placedNameIn(resources),
      words: suspend ? suspendWords : resumeWords,
      act: async (resource, signal) =>
        outcomeOfRequest(await setSuspended(objects, resource, suspend, signal)),
    },
    context,
  );

/** Undo restarts the application from the beginning. */
async function offerUndo(
  context: LifecycleContext,
  connection: Connection,
  key: string,
  suspended: readonly OperatorResource[],
): Promise<void> {
  if (suspended.length === 0) return;
  const names = quotedResourceNames(suspended);
  const undo = l10n.t("Undo");
  const text = l10n.t("Suspended: {0}. Undo starts from the beginning.", names);
  if ((await window.showInformationMessage(text, undo)) !== undo) return;
  const action = l10n.t("Resume {0}", names);
  const now = await connectionAgain(context, connection, key);
  if (now !== undefined && (await mayChange(now, action))) {
    await set(context, now, suspended, false);
  }
}

function unsuitableWords(chosen: readonly Application[], suspend: boolean): string {
  const names = quotedNames(chosen);
  return suspend
    ? l10n.t(
        "{0}: only running applications of the Kubeflow operator can be suspended. Stop the others instead.",
        names,
      )
    : l10n.t("{0}: not suspended.", names);
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
