import { lines, msg, type Message, type MessageText } from "../../base/message.ts";
import { setSuspended } from "../../engine/watch/operatedApplications.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Application } from "../../spark/pods/application.ts";
import { canBeSuspended, isSuspended } from "../../spark/pods/operatedApplication.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import { distinctNames, placedNameIn } from "../apps/distinctNames.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { actOnItems, type WorkWords } from "./actOnItems.ts";
import { askToChange } from "./askToChange.ts";
import { connectionAgain, connectionOf, type LifecycleContext } from "./context.ts";
import { outcomeOfRequest } from "./outcome.ts";
import { chosenApplications, namesFor } from "./targets.ts";

/**
 * Returns the text for a confirmation: the custom resources that are deleted, and the applications that an operator may
 * start again. Undefined without an operator.
 */
export function operatorWords(applications: readonly Application[]): Message | undefined {
  const resources = applications.flatMap(({ resource }) => resource ?? []);
  const unseen = applications.filter(
    ({ resource, origin }) => resource === undefined && origin.operator !== undefined,
  );
  return lines([
    resources.length === 0
      ? undefined
      : msg`This will first delete ${resourceNames(resources)}, so that the operator does not start it again.`,
    unseen.length === 0
      ? undefined
      : msg`An operator may start ${quotedNames(unseen)} again. You do not have permission to list the custom resource.`,
  ]);
}

/** Returns names for a message: `SparkApplication "orders", SparkApplication "invoices" and 3 more`. */
export const resourceNames = (resources: readonly OperatorResource[]): MessageText =>
  namesFor(resources.map((one) => `${one.kind} "${placedNameIn(resources)(one)}"`));

const quotedNames = (applications: readonly Application[]): MessageText =>
  namesFor(distinctNames(applications));

const quotedResourceNames = (resources: readonly OperatorResource[]): MessageText =>
  namesFor(resources.map((one) => `"${placedNameIn(resources)(one)}"`));

/**
 * Sets `spec.suspend` of the given rows, or of an application that the user picks, after a confirmation. The operator
 * then stops the applications and keeps their custom resources.
 */
export const suspendApplications = (
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> => change(context, nodes, true);

/**
 * Clears `spec.suspend` of the given rows, or of an application that the user picks, after a confirmation. The operator
 * then starts the applications again.
 */
export const resumeApplications = (
  context: LifecycleContext,
  nodes: readonly TreeNode[],
): Promise<void> => change(context, nodes, false);

async function change(
  context: LifecycleContext,
  nodes: readonly TreeNode[],
  suspend: boolean,
): Promise<void> {
  const { screen } = context;
  const title = suspend ? msg("Suspend Application") : msg("Resume Application");
  const suits = suspend ? canBeSuspended : isSuspended;
  const chosen = await chosenApplications(context, nodes, title, suits);
  const connection = await connectionOf(
    context,
    chosen.map(({ key }) => key),
  );
  if (connection === undefined) return;
  const resources = chosen.filter(suits).flatMap(({ resource }) => resource ?? []);
  if (resources.length === 0) {
    if (chosen.length > 0) void screen.showInformationMessage(unsuitableWords(chosen, suspend));
    return;
  }
  const { question, detail, button } = questionOf(resources, suspend);
  if (!(await askToChange(screen, connection, { question, detail, buttons: [button] }))) return;
  const changed = await set(context, connection, resources, suspend);
  const [{ key } = { key: "" }] = chosen;
  if (suspend) offerUndo(context, connection, key, changed).catch(context.log.error);
}

interface Question {
  readonly question: Message;
  readonly detail: Message;
  readonly button: Message;
}

function questionOf(resources: readonly OperatorResource[], suspend: boolean): Question {
  const names = quotedResourceNames(resources);
  if (resources.length === 1) {
    return suspend
      ? {
          question: msg`Suspend ${names}?`,
          detail: msg(
            "The operator deletes the driver and the executors, and keeps the custom resource. Unsaved output will be lost. Resume starts it from the beginning.",
          ),
          button: msg("Suspend"),
        }
      : {
          question: msg`Resume ${names}?`,
          detail: msg("The operator starts the application from the beginning."),
          button: msg("Resume"),
        };
  }
  const count = resources.length;
  return suspend
    ? {
        question: msg`Suspend ${count} applications?`,
        detail: msg`${names}: the operator deletes the drivers and the executors, and keeps the custom resources. Unsaved output will be lost. Resume starts them from the beginning.`,
        button: msg`Suspend ${count} Applications`,
      }
    : {
        question: msg`Resume ${count} applications?`,
        detail: msg`${names}: the operator starts them from the beginning.`,
        button: msg`Resume ${count} Applications`,
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

/** Offers to resume the suspended applications. The message warns that they would start from the beginning. */
async function offerUndo(
  context: LifecycleContext,
  connection: Connection,
  key: string,
  suspended: readonly OperatorResource[],
): Promise<void> {
  if (suspended.length === 0) return;
  const { screen } = context;
  const names = quotedResourceNames(suspended);
  const undo = msg("Undo");
  const text = msg`Suspended: ${names}. Undo starts from the beginning.`;
  if ((await screen.showInformationMessage(text, undo)) !== undo) return;
  const action = msg`Resume ${names}`;
  const now = await connectionAgain(context, connection, key);
  if (now !== undefined && (await screen.mayChange(now, action))) {
    await set(context, now, suspended, false);
  }
}

function unsuitableWords(chosen: readonly Application[], suspend: boolean): Message {
  const names = quotedNames(chosen);
  return suspend
    ? msg`${names}: only running applications of the Kubeflow operator can be suspended. Stop the others instead.`
    : msg`${names}: not suspended.`;
}

const suspendWords: WorkWords = {
  get title() {
    return msg("Suspending applications");
  },
  failed: (name) => msg`"${name}" was not suspended`,
  someFailed: (count, all) => msg`${count} of ${all} applications were not suspended`,
};

const resumeWords: WorkWords = {
  get title() {
    return msg("Resuming applications");
  },
  failed: (name) => msg`"${name}" was not resumed`,
  someFailed: (count, all) => msg`${count} of ${all} applications were not resumed`,
};
