import { l10n } from "vscode";
import { containerNews } from "../../engine/containerNews.ts";
import type { Connection } from "../../engine/ports.ts";
import {
  containerNamed,
  containersWithLog,
  hasLog as hasContainerLog,
  heldUpBy,
  logBegan,
  logTargetOf,
  type LogTarget,
} from "../../spark/logs/targets.ts";
import {
  isAlive,
  type Application,
  type ExecutorPod,
  type SparkPod,
} from "../../spark/pods/application.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import type { ContainerRecord } from "../../spark/pods/podRecord.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { executorName } from "../apps/treeItem.ts";
import type { LabelledLog } from "./logTerminal.ts";
import { SessionLogs } from "./sessionLogs.ts";

/** How many of the lines that there are when logs are opened; of what begins later all come. */
export const linesAtFirst = 1_000;

/** One of the pods whose logs are meant. */
export interface LogPod {
  readonly application: Application;
  readonly pod: SparkPod;
  /** `driver`, `executor 3`. */
  readonly name: string;
  /** None: the one in which Spark runs. */
  readonly container?: string;
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

/** The same and what holds the driver up before it starts. */
export const logsOfApplication = (application: Application): readonly LogPod[] => [
  ...podsOfApplication(application),
  ...driverOf(application).flatMap(heldUp),
];

/** The logs of all containers of an application's pods, those of executors that have ended included. */
export const allLogsOf = (application: Application): readonly LogPod[] =>
  [
    ...driverOf(application),
    ...[...itemsIn(application.live), ...itemsIn(application.ended)].map((one) =>
      executorOf(application, one),
    ),
  ].flatMap((one) => (hasLog(one.pod) ? [one, ...otherLogs(one)] : otherLogs(one)));

/** The logs of what holds a pod up before Spark starts in it. */
export const heldUp = (one: LogPod): readonly LogPod[] =>
  heldUpBy(one.pod.pod).map(({ name }) => containerOf(one, name));

/** The logs of a pod's containers in which Spark does not run, those that run before included. */
export function otherLogs(one: LogPod): readonly LogPod[] {
  const spark = sparkContainerOf(one.pod.pod);
  return containersWithLog(one.pod)
    .filter((container) => container !== spark)
    .map(({ name }) => containerOf(one, name));
}

const containerOf = (one: LogPod, container: string): LogPod => ({
  ...one,
  name: `${one.name} · ${container}`,
  container,
});

/** A pod that has not started has no log to ask for. `name`: of a container in which Spark does not run. */
export const hasLog = (one: SparkPod, name?: string): boolean =>
  hasContainerLog(one, containerIn(one, name));

/** When it began, by the cluster's time. */
export const beganAt = ({ pod, container }: LogPod): number =>
  logBegan(pod.pod, containerIn(pod, container));

const containerIn = ({ pod }: SparkPod, name: string | undefined): ContainerRecord | undefined =>
  name === undefined ? sparkContainerOf(pod) : containerNamed(pod, name);

export const targetOf = ({ pod, container }: LogPod): LogTarget => ({
  ...logTargetOf(pod),
  ...(container !== undefined && { container }),
});

/** Tells logs apart, also those of clusters from one backup, which share uids. */
export const idOf = ({ pod, container = "" }: LogPod, { context }: Connection): string =>
  `${context}/${pod.pod.uid}/${container}`;

/** Each log is read from its own cluster. `prefix`: whose pods they are, where there are several applications. */
export function followedLog(
  session: ClusterSession,
  connection: Connection,
  one: LogPod,
  prefix: string,
  tailLines: number | undefined,
): LabelledLog {
  const { application, name } = one;
  const target = targetOf(one);
  return {
    id: idOf(one, connection),
    label: `${prefix}${name}`,
    logs: new SessionLogs(session, application.key, connection),
    target,
    tailLines,
    ...containerNews(session.podsOf(application.key), target),
  };
}
