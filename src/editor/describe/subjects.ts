import { msg, type MessageText } from "../../base/message.ts";
import type { Memento } from "vscode";
import type { FindInstalledSpark, ReadEventLog } from "../../engine/ports/eventLogs.ts";
import type { DisposableStore } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Application, SparkPod } from "../../spark/pods/application.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { pickApplication, pickPod, showMissingPods } from "../apps/pick.ts";
import { executorName } from "../apps/rows/podRow.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import type { ShowLayers } from "../conf/registerEffective.ts";
import type { Screen } from "../screen.ts";
import type { Log } from "../log.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { inView } from "../inView.ts";
import type { DocumentLenses } from "./documentLenses.ts";
import { documentPath } from "./documentPath.ts";

export interface DescribeContext {
  readonly session: ClusterSession;
  readonly screen: Screen;
  readonly documents: ReadOnlyDocuments;
  readonly showLayers: ShowLayers;
  readonly clock: Clock;
  /** Owns the update loops of open documents. */
  readonly updates: DisposableStore;
  readonly lenses: Pick<DocumentLenses, "set">;
  readonly readEventLog: ReadEventLog;
  readonly findSpark: FindInstalledSpark;
  readonly log: Log;
  /** Stores the submissions of this workspace. */
  readonly runs: Memento;
}

/** The dependencies of requests about one application; see `askForSubject`. */
export type AskContext = Pick<DescribeContext, "log" | "screen" | "session">;

/** A pod to describe, with its application. */
export interface DescribedSubject {
  readonly application: Application;
  readonly pod: SparkPod;
  /** The display name, such as `pi driver` or `pi executor 3`. */
  readonly name: string;
}

/** Returns the pods of the given rows, or one that the user picks. For an application, returns its driver. */
export async function podsToDescribe(
  context: DescribeContext,
  nodes: readonly TreeNode[],
  title: MessageText,
): Promise<readonly DescribedSubject[]> {
  if (nodes.length > 0) {
    const subjects = nodes.flatMap((node) => subjectOf(context, node) ?? []);
    showMissingPods(context, nodes, subjects.length);
    return subjects;
  }
  const picked = await pickPod(context, title);
  if (picked === undefined) return [];
  const { application, pod, name } = picked;
  return [{ application, pod, name: `${application.name} ${name}` }];
}

export function subjectOf(
  { session, screen }: Pick<DescribeContext, "session" | "screen">,
  node: TreeNode,
): DescribedSubject | undefined {
  const application = "key" in node ? session.find(node.key) : undefined;
  if (application === undefined) return undefined;
  if (node.kind === "executor") {
    const pod = session.findExecutor(node.key, node.uid);
    return (
      pod && {
        application,
        pod,
        name: `${application.name} ${screen.translated(executorName(pod))}`,
      }
    );
  }
  return node.kind === "driver" || node.kind === "application"
    ? driverOf(screen, application)
    : undefined;
}

const driverOf = (
  screen: Pick<Screen, "translated">,
  application: Application,
): DescribedSubject | undefined =>
  application.driver && {
    application,
    pod: application.driver,
    name: screen.translated(msg`${application.name} driver`),
  };

/** Returns the drivers of the given rows' applications, or of one that the user picks. */
export async function driversToDescribe(
  context: DescribeContext,
  nodes: readonly TreeNode[],
  title: MessageText,
): Promise<readonly DescribedSubject[]> {
  const { session, screen } = context;
  const keys = new Set(nodes.flatMap((node) => ("key" in node ? [node.key] : [])));
  const hasDriver = ({ driver }: Application): boolean => driver !== undefined;
  const applications =
    nodes.length === 0
      ? [await pickApplication(context, title, hasDriver)]
      : [...keys].map((key) => session.find(key));
  const drivers = applications.flatMap(
    (application) => (application && driverOf(screen, application)) ?? [],
  );
  if (drivers.length === 0 && nodes.length > 0) {
    void screen.showInformationMessage(msg("The conf is unknown because there is no driver pod."));
  }
  return drivers;
}

/** Returns the path of a document about an application or a pod. Runs with the same name get different paths. */
export function pathAbout(
  { session }: DescribeContext,
  { key, namespace }: Application,
  title: string,
  podName?: string,
): string {
  const run = key.slice(key.lastIndexOf("/") + 1);
  return documentPath([session.contextOf(key) ?? "", namespace, podName ?? run], title);
}

/**
 * Sends a request to the application's cluster and shows progress in the view. Without a connection, shows the error
 * and returns undefined.
 */
export async function askForSubject<T>(
  { session, screen, log }: AskContext,
  key: string,
  question: (connection: Connection, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const connected = await session.connectTo(key, new AbortController().signal);
  if (!connected.ok) {
    await screen.showClusterError(msg("Cannot show this"), connected.error, log);
    return undefined;
  }
  return inView(screen, (signal) => question(connected.value, signal));
}
