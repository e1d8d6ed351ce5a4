import { l10n, window } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import { isAlive, type Application } from "../../spark/pods/application.ts";
import { executorsBelow } from "../apps/executorRows.ts";
import { pickApplication, whenLoaded } from "../apps/pick.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import {
  driverOf,
  executorOf,
  followedLog,
  hasLog,
  linesAtFirst,
  podsOfApplication,
  type LogPod,
} from "./followed.ts";
import type { LabelledLog } from "./logTerminal.ts";

/** What one terminal follows. */
export interface LogSelection {
  /** Tells selections apart. */
  readonly key: string;
  readonly name: string;
  readonly title: string;
  /** The pods that are meant, as they are known now. */
  readonly pods: () => readonly LogPod[];
  /** Applications whose logs they are, as far as they are known now. */
  readonly applications: () => readonly Application[];
  readonly isOfSeveral: boolean;
  readonly mayGrow: () => boolean;
}

/** What the given rows mean: several rows are followed as one; without rows it is asked. */
export async function selectLogs(
  session: ClusterSession,
  nodes: readonly TreeNode[],
): Promise<LogSelection | undefined> {
  if (nodes.length === 0) return pickLogs(session);
  const applications = nodes.flatMap((node) =>
    node.kind === "application" ? (session.find(node.key) ?? []) : [],
  );
  if (applications.length > 0 && applications.length === nodes.length) {
    return ofApplications(session, applications);
  }
  const pods = podsOfRows(session, nodes);
  return pods.length === 0 ? undefined : ofPods(pods);
}

/** All applications whose name contains a text, also those that come later. */
export async function searchLogs(session: ClusterSession): Promise<LogSelection | undefined> {
  await whenLoaded(session);
  const text = await window.showInputBox({
    title: l10n.t("Tail Logs of Several"),
    prompt: l10n.t("Part of the applications' names; those that start later join."),
  });
  if (text === undefined || text.trim() === "") return undefined;
  const wanted = text.trim().toLowerCase();
  const matches = ({ name, id }: Application): boolean =>
    name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted);
  return {
    key: `search:${wanted}`,
    name: l10n.t("*{0}*", text.trim()),
    title: l10n.t('all applications whose name contains "{0}"', text.trim()),
    pods: () =>
      session.applications.filter((one) => isAlive(one) && matches(one)).flatMap(podsOfApplication),
    applications: () => session.applications.filter((one) => isAlive(one) && matches(one)),
    isOfSeveral: true,
    mayGrow: () => true,
  };
}

/** Calls back with what is to be followed, now and as pods come. */
export function followSelection(
  session: ClusterSession,
  { pods, isOfSeveral }: LogSelection,
): (joined: (logs: readonly LabelledLog[]) => void) => Disposable {
  return (joined) => {
    const known = new Set<string>();
    const owned = new DisposableStore();
    let isFirst = true;
    const look = (): void => {
      const fresh = pods().filter((one) => !known.has(one.pod.pod.uid) && hasLog(one.pod));
      for (const one of fresh) known.add(one.pod.pod.uid);
      // Who joins later is followed from its first line.
      const tailLines = isFirst ? linesAtFirst : undefined;
      isFirst = false;
      joined(fresh.map((one) => followedLog(session, one, isOfSeveral, tailLines)));
    };
    look();
    owned.add(session.onDidChange(look));
    return disposable(() => {
      owned.dispose();
    });
  };
}

function ofApplications(
  session: ClusterSession,
  applications: readonly Application[],
): LogSelection {
  const keys = applications.map(({ key }) => key);
  const now = (): readonly Application[] => keys.flatMap((key) => session.find(key) ?? []);
  const names = applications.map(({ name }) => name).join(", ");
  return {
    key: `applications:${keys.join()}`,
    name: names,
    title: l10n.t("{0}: the driver and all executors", names),
    pods: () => now().flatMap(podsOfApplication),
    applications: now,
    isOfSeveral: applications.length > 1,
    mayGrow: () => now().some(isAlive),
  };
}

function ofPods(pods: readonly LogPod[]): LogSelection {
  const isOfSeveral = new Set(pods.map(({ application }) => application.key)).size > 1;
  const names = pods.map(({ application, name }) => `${application.name} ${name}`);
  const [first] = pods;
  const name = pods.length === 1 ? (names[0] ?? "") : l10n.t("{0} logs", pods.length);
  const title =
    pods.length === 1 && first
      ? l10n.t("{0} in namespace {1}", first.pod.pod.name, first.application.namespace)
      : names.join(", ");
  return {
    key: `pods:${pods.map(({ pod }) => pod.pod.uid).join()}`,
    name,
    title,
    pods: () => pods,
    applications: () => [...new Set(pods.map(({ application }) => application))],
    isOfSeveral,
    mayGrow: () => false,
  };
}

/** The pods that rows stand for, each once. */
export function podsOfRows(session: ClusterSession, nodes: readonly TreeNode[]): readonly LogPod[] {
  const pods = nodes.flatMap((node) => podsOfNode(session, node));
  return [...new Map(pods.map((one) => [one.pod.pod.uid, one])).values()];
}

function podsOfNode(session: ClusterSession, node: TreeNode): readonly LogPod[] {
  const application = "key" in node ? session.find(node.key) : undefined;
  if (application === undefined) return [];
  switch (node.kind) {
    case "application":
      return podsOfApplication(application);
    case "driver":
      return driverOf(application);
    case "executor":
    case "endedExecutors":
    case "executorPage":
      return executorsBelow(session, node, application).map((one) => executorOf(application, one));
    case "namespace":
    case "applicationPage":
    case "earlierRuns":
      return [];
    default:
      return assertNever(node);
  }
}

async function pickLogs(session: ClusterSession): Promise<LogSelection | undefined> {
  const title = l10n.t("Tail Logs");
  const application = await pickApplication(session, title, () => true);
  if (application === undefined) return undefined;
  const pods = podsOfApplication(application);
  if (pods.length === 1) return ofPods(pods);
  const items = pods.map((one) => ({
    label: one.name,
    description: one.pod.pod.name,
    picked: true,
    one,
  }));
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('Logs of "{0}" to follow as one', application.name),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (chosen === undefined || chosen.length === 0) return undefined;
  return chosen.length === pods.length
    ? ofApplications(session, [application])
    : ofPods(chosen.map(({ one }) => one));
}
