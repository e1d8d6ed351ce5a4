import { l10n, window, type QuickPickItem } from "vscode";
import type { Application, ExecutorPod, SparkPod } from "../../spark/pods/application.ts";
import { executorsOf } from "../../spark/pods/applicationRun.ts";
import { describeApplication } from "../../spark/pods/describeApplication.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import { inView } from "../inView.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { driverlessOf } from "./driverless.ts";
import { placeWords } from "./sessionState.ts";
import { executorName } from "./treeItem.ts";
import type { TreeNode } from "./treeNode.ts";

// What a command works on when it was called from the palette instead of from a row.

/** Waits for the first word of the cluster, so that a command can be a window's first act. */
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
      l10n.t("There is no application for this in the watched namespaces."),
    );
    return undefined;
  }
  const items = applications.map((application) => ({
    label: application.name,
    description: describeApplication(application),
    detail: `${placeOf(session, application)} · ${application.id}`,
    value: application,
  }));
  return pickOne(items, title, l10n.t("Application"));
}

/** Its namespace, and its context where there are several. */
export const placeOf = (session: ClusterSession, { key, namespace }: Application): string =>
  placeWords(session.state, { context: session.contextOf(key), namespace });

/** Living executors of one application, to be ticked. */
export async function pickExecutors(
  session: ClusterSession,
  title: string,
): Promise<readonly { readonly application: Application; readonly executor: ExecutorPod }[]> {
  const application = await pickApplication(session, title, ({ live }) => live.size > 0);
  if (application === undefined) return [];
  const items = [...itemsIn(application.live)].map((executor) => ({
    label: executorName(executor),
    description: describeState(executor.state),
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
  return chosen?.map(({ executor }) => ({ application, executor })) ?? [];
}

/** The driver or one of the executors. `asked`: what is asked for of the application of this name. */
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
      name: executorName(executor),
    })),
  ];
  const items = pods.map((one) => ({
    label: one.name,
    description: describeState(one.pod.state),
    detail: one.pod.pod.name,
    value: one,
  }));
  const chosen = await pickOne(items, title, asked(application.name));
  return chosen && { application, ...chosen };
}

/** Says of which of the rows there is no pod. `found`: of how many there is one. */
export function tellMissingPods(
  session: ClusterSession,
  nodes: readonly TreeNode[],
  found: number,
): void {
  const [first, ...others] = driverlessOf(session, nodes);
  if (first === undefined && found > 0) return;
  const text =
    first === undefined
      ? l10n.t("There is no pod of what was chosen.")
      : others.length === 0
        ? l10n.t('There is no driver pod of "{0}".', first)
        : l10n.t("{0} of the chosen applications have no driver pod.", others.length + 1);
  void window.showInformationMessage(text);
}

async function pickOne<T>(
  items: readonly (QuickPickItem & { readonly value: T })[],
  title: string,
  placeHolder: string,
): Promise<T | undefined> {
  const chosen = await window.showQuickPick(items, { title, placeHolder, matchOnDetail: true });
  return chosen?.value;
}
