import { l10n, type QuickPickItem } from "vscode";
import type { Application, ExecutorPod, SparkPod } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { describeApplication } from "../../spark/pods/describeApplication.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import { inView } from "../inView.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { driverlessOf, missingPodWords } from "./driverless.ts";
import { placeWords } from "./sessionState.ts";
import { executorName } from "./rows/podRow.ts";
import type { TreeNode } from "./treeNode.ts";
import { window } from "../ui/window.ts";
import { translated } from "../ui/translated.ts";

// Targets for commands from the command palette.

/** Waits for the first list of each watch, so that a command works right after the window opens. */
export async function whenLoaded(session: ClusterSession): Promise<void> {
  await inView((signal) => session.loaded(signal));
}

export async function pickApplication(
  session: ClusterSession,
  title: string,
  suits: (application: Application) => boolean,
): Promise<Application | undefined> {
  await whenLoaded(session);
  const applications = session.applications.filter(suits);
  if (applications.length === 0) {
    void window.showInformationMessage(
      l10n.t("No matching applications in the watched namespaces."),
    );
    return undefined;
  }
  const items = applications.map((application) => ({
    label: application.name,
    description: translated(describeApplication(application)),
    detail: `${applicationPlaceOf(session, application)} · ${application.id}`,
    value: application,
  }));
  return pickOne(items, title, l10n.t("Application"));
}

/** The namespace, with the context if several are watched. */
export const applicationPlaceOf = (
  session: ClusterSession,
  { key, namespace }: Application,
): string => placeWords(session.state, { context: session.contextOf(key), namespace });

/** Asks for live executors of one application. */
export async function pickExecutors(
  session: ClusterSession,
  title: string,
): Promise<readonly { readonly application: Application; readonly executor: ExecutorPod }[]> {
  const application = await pickApplication(session, title, ({ live }) => live.size > 0);
  if (application === undefined) return [];
  const items = [...itemsIn(application.live)].map((executor) => ({
    label: translated(executorName(executor)),
    description: translated(describeState(executor.state)),
    detail: executor.pod.name,
    executor,
  }));
  const placeHolder = l10n.t('Executors of "{0}"', application.name);
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder,
    matchOnDetail: true,
    canPickMany: true,
  });
  // Enter without a selected row looks like a choice of the focused row.
  if (chosen?.length === 0) {
    void window.showInformationMessage(l10n.t("No executor was selected. Press Space to select."));
  }
  return chosen?.map(({ executor }) => ({ application, executor })) ?? [];
}

/** Asks for the driver or an executor. `asked`: the prompt, from the application's name. */
export async function pickPod(
  session: ClusterSession,
  title: string,
  asked = (name: string): string => l10n.t('Pod of "{0}"', name),
): Promise<{ application: Application; pod: SparkPod; name: string } | undefined> {
  const application = await pickApplication(session, title, () => true);
  if (application === undefined) return undefined;
  const { driver } = application;
  const pods = [
    ...(driver === undefined ? [] : [{ pod: driver, name: l10n.t("driver") }]),
    ...[...executorsOf(application)].map((executor) => ({
      pod: executor,
      name: translated(executorName(executor)),
    })),
  ];
  const items = pods.map((one) => ({
    label: one.name,
    description: translated(describeState(one.pod.state)),
    detail: one.pod.pod.name,
    value: one,
  }));
  const chosen = await pickOne(items, title, asked(application.name));
  return chosen && { application, ...chosen };
}

/** Reports rows without a pod. `found`: the number of rows with one. */
export function showMissingPods(
  session: ClusterSession,
  nodes: readonly TreeNode[],
  found: number,
): void {
  const text = missingPodWords(driverlessOf(session, nodes), found);
  if (text !== undefined) void window.showInformationMessage(translated(text));
}

async function pickOne<T>(
  items: readonly (QuickPickItem & { readonly value: T })[],
  title: string,
  placeHolder: string,
): Promise<T | undefined> {
  const chosen = await window.showQuickPick(items, { title, placeHolder, matchOnDetail: true });
  return chosen?.value;
}
