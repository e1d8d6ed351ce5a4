import type { QuickPickItem } from "vscode";
import { dateAndTime } from "../../base/timeOfDay.ts";
import { matchingFirst } from "../../base/matchingFirst.ts";
import { msg, type Message, type MessageText } from "../../base/message.ts";
import type { Application, ExecutorPod, SparkPod } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import { inView } from "../inView.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { distinctNameIn } from "./distinctNames.ts";
import { driverlessOf, missingPodWords } from "./driverless.ts";
import { placeWords } from "./sessionState.ts";
import { executorName } from "./rows/podRow.ts";
import type { TreeNode } from "./treeNode.ts";
import type { Screen } from "../screen.ts";

export interface PickContext {
  readonly session: Pick<
    ClusterSession,
    | "applications"
    | "contextOf"
    | "describe"
    | "find"
    | "loaded"
    | "profileOf"
    | "selectedKey"
    | "state"
  >;
  readonly screen: Pick<
    Screen,
    "showInformationMessage" | "showQuickPick" | "translated" | "withProgress"
  >;
}

/** Waits for the first list of each watch, so that a command works immediately after the window opens. */
export async function whenLoaded({ session, screen }: PickContext): Promise<void> {
  await inView(screen, (signal) => session.loaded(signal));
}

/**
 * Returns the application of a row; undefined (and reported) if the session does not know it. Without a row, shows a
 * quick pick.
 */
export async function chosenApplication(
  context: PickContext,
  node: TreeNode | undefined,
  title: MessageText,
  suits: (application: Application) => boolean,
  onlyOne?: SingleChoice,
): Promise<Application | undefined> {
  if (node === undefined) return pickApplication(context, title, suits, onlyOne);
  const found = "key" in node ? context.session.find(node.key) : undefined;
  if (found === undefined) {
    void context.screen.showInformationMessage(
      msg("The application is not in the Applications view. Watch its namespace first."),
    );
  }
  return found;
}

/**
 * Controls a pick with a single match. `take`: uses it without a prompt, for commands that change nothing or confirm
 * later. `ask`: always prompts.
 */
export type SingleChoice = "take" | "ask";

/**
 * Shows a quick pick of applications. `onlyOne`: whether to prompt if only one matches. Undefined if the user cancels,
 * or if none matches (reported).
 */
export async function pickApplication(
  context: PickContext,
  title: MessageText,
  suits: (application: Application) => boolean,
  onlyOne: SingleChoice = "take",
): Promise<Application | undefined> {
  await whenLoaded(context);
  const { session, screen } = context;
  // Put the application of the selected row first, so that Enter chooses it.
  const applications = matchingFirst(
    session.applications.filter(suits),
    ({ key }) => key === session.selectedKey,
  );
  const [first, ...others] = applications;
  if (first === undefined) {
    void screen.showInformationMessage(msg("No matching applications in the watched namespaces."));
    return undefined;
  }
  if (others.length === 0 && onlyOne === "take") return first;
  const startOf = startsOfNamesakes(applications);
  const items = applications.map((application) => {
    const start = startOf(application);
    const detail = [applicationPlaceOf(session, application), application.id];
    return {
      label: application.name,
      description: screen.translated(session.describe(application).description),
      detail: [...detail, ...(start === undefined ? [] : [screen.translated(start)])].join(" · "),
      value: application,
    };
  });
  return pickOne(screen, items, title, msg("Application"));
}

/** Returns a function that returns an application's start time, or undefined if its name is unique among `all`. */
function startsOfNamesakes(
  all: readonly Application[],
): (application: Application) => Message | undefined {
  const nameIn = distinctNameIn(all);
  return (application) => {
    const isOnly = nameIn(application) === application.name;
    const at = Date.parse(application.driver?.pod.creationTimestamp ?? "");
    return isOnly || Number.isNaN(at) ? undefined : msg`started ${dateAndTime(at, "seconds")}`;
  };
}

/** Returns the namespace of an application, after the context if several contexts are watched. */
export const applicationPlaceOf = (
  session: PickContext["session"],
  { key, namespace }: Application,
): string => placeWords(session.state, { context: session.contextOf(key), namespace });

/**
 * Shows a quick pick of applications, then a quick pick of the application's live executors, with multiple selection.
 * Empty if the user cancels.
 */
export async function pickExecutors(
  context: PickContext,
  title: MessageText,
): Promise<readonly { readonly application: Application; readonly executor: ExecutorPod }[]> {
  const application = await pickApplication(context, title, ({ live }) => live.size > 0);
  if (application === undefined) return [];
  const { screen } = context;
  const items = [...itemsIn(application.live)].map((executor) => ({
    label: screen.translated(executorName(executor)),
    description: screen.translated(describeState(executor.state)),
    detail: executor.pod.name,
    executor,
  }));
  const placeHolder = msg`Executors of "${application.name}" (Space selects several)`;
  let focused: (typeof items)[number] | undefined;
  const chosen = await screen.showQuickPick(items, {
    title: screen.translated(title),
    placeHolder: screen.translated(placeHolder),
    canPickMany: true,
    onDidSelectItem: (item) => {
      focused = items.find((one) => one === item);
    },
  });
  // Enter without a selected row chooses the focused row.
  const meant = chosen?.length === 0 && focused !== undefined ? [focused] : chosen;
  return meant?.map(({ executor }) => ({ application, executor })) ?? [];
}

/**
 * Shows a quick pick of applications, then a quick pick of the application's driver and executors. `asked`: returns the
 * placeholder for the application's name. Undefined if the user cancels.
 */
export async function pickPod(
  context: PickContext,
  title: MessageText,
  asked = (name: string): Message => msg`Pod of "${name}"`,
): Promise<{ application: Application; pod: SparkPod; name: string } | undefined> {
  const application = await pickApplication(context, title, () => true);
  if (application === undefined) return undefined;
  const { screen } = context;
  const { driver } = application;
  const pods = [
    ...(driver === undefined ? [] : [{ pod: driver, name: screen.translated(msg("driver")) }]),
    ...[...executorsOf(application)].map((executor) => ({
      pod: executor,
      name: screen.translated(executorName(executor)),
    })),
  ];
  const items = pods.map((one) => ({
    label: one.name,
    description: screen.translated(describeState(one.pod.state)),
    detail: one.pod.pod.name,
    value: one,
  }));
  const chosen = await pickOne(screen, items, title, asked(application.name));
  return chosen && { application, ...chosen };
}

/**
 * Shows a message about applications without a driver pod, or about rows without pods. `found`: the number of rows with
 * a pod.
 */
export function showMissingPods(
  { session, screen }: PickContext,
  nodes: readonly TreeNode[],
  found: number,
): void {
  const text = missingPodWords(driverlessOf(session, nodes), found);
  if (text !== undefined) void screen.showInformationMessage(text);
}

async function pickOne<T>(
  { showQuickPick, translated }: PickContext["screen"],
  items: readonly (QuickPickItem & { readonly value: T })[],
  title: MessageText,
  placeHolder: MessageText,
): Promise<T | undefined> {
  const chosen = await showQuickPick(items, {
    title: translated(title),
    placeHolder: translated(placeHolder),
  });
  return chosen?.value;
}
