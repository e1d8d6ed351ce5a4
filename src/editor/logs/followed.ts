import { l10n } from "vscode";
import { containerNews } from "../../engine/containerNews.ts";
import type { Connection } from "../../engine/ports.ts";
import { logTargetOf } from "../../spark/logs/targets.ts";
import {
  hasEndedPod,
  isAlive,
  type Application,
  type ExecutorPod,
  type SparkPod,
} from "../../spark/pods/application.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { executorName } from "../apps/treeItem.ts";
import type { LabelledLog } from "./logTerminal.ts";
import { SessionLogs } from "./sessionLogs.ts";

/** How many of the lines that there are when a log is opened; later ones all come. */
export const linesAtFirst = 1_000;

/** One of the pods whose logs are meant. */
export interface LogPod {
  readonly application: Application;
  readonly pod: SparkPod;
  /** `driver`, `executor 3`. */
  readonly name: string;
}

export const driverOf = (application: Application): readonly LogPod[] =>
  application.driver === undefined
    ? []
    : [{ application, pod: application.driver, name: l10n.t("driver") }];

export const executorOf = (application: Application, executor: ExecutorPod): LogPod => ({
  application,
  pod: executor,
  name: executorName(executor),
});

/** The driver and the executors: those alive, and of an application that has ended all that are left. */
export function podsOfApplication(application: Application): readonly LogPod[] {
  const executors = isAlive(application) ? [] : itemsIn(application.ended);
  return [
    ...driverOf(application),
    ...[...itemsIn(application.live), ...executors].map((one) => executorOf(application, one)),
  ];
}

/** A pod that has not started has no log to ask for. */
export function hasLog({ pod, state }: SparkPod): boolean {
  const container = sparkContainerOf(pod);
  return hasEndedPod({ pod, state }) || container?.state === undefined
    ? pod.phase !== "Pending"
    : container.state.kind !== "waiting" || container.lastState !== undefined;
}

/** Tells logs apart, also those of clusters from one backup, which share uids. */
export const idOf = ({ pod }: LogPod, { context }: Connection): string =>
  `${context}/${pod.pod.uid}`;

/** Each log is read from its own cluster. `prefix`: whose pods they are, where there are several applications. */
export function followedLog(
  session: ClusterSession,
  connection: Connection,
  one: LogPod,
  prefix: string,
  tailLines: number | undefined,
): LabelledLog {
  const { application, pod, name } = one;
  const target = logTargetOf(pod);
  return {
    id: idOf(one, connection),
    label: `${prefix}${name}`,
    logs: new SessionLogs(session, application.key, connection),
    target,
    tailLines,
    ...containerNews(session.podsOf(application.key), target),
  };
}
