import { msg, dotted, verbatim, type MessageText } from "../../base/message.ts";
import { containerUpdates } from "../../engine/logs/containerState.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import {
  containerNamed,
  containersWithLog,
  hasLog as hasContainerLog,
  blockingInitContainers,
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
import { failedPodsOf } from "../../spark/pods/failedPods.ts";
import { itemsIn, sliceOf } from "../../spark/pods/ordered.ts";
import type { ContainerRecord } from "../../spark/pods/podRecord.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { LogsContext } from "./logsContext.ts";
import { executorName } from "../apps/rows/podRow.ts";
import type { LabelledLog } from "./logConsole.ts";
import { SessionLogs } from "./sessionLogs.ts";

/**
 * The number of existing lines to read when a terminal begins to follow a log. Logs that start later are read in full.
 */
export const linesAtFirst = 1_000;

/** A pod or container whose log is followed or opened. */
export interface LogPod {
  readonly application: Application;
  readonly pod: SparkPod;
  /** The display name: `driver`, `executor 3`. */
  readonly name: MessageText;
  /** The container's name; by default Spark's container. */
  readonly container?: string;
}

export const driverOf = (application: Application): readonly LogPod[] =>
  application.driver === undefined
    ? []
    : [{ application, pod: application.driver, name: msg("driver") }];

export const executorOf = (application: Application, executor: ExecutorPod): LogPod => ({
  application,
  pod: executor,
  name: executorName(executor),
});

/** Returns the driver and the live executors; for an ended application, the driver and all executors. */
export function podsOfApplication(application: Application): readonly LogPod[] {
  const executors = isAlive(application) ? [] : itemsIn(application.ended);
  return [
    ...driverOf(application),
    ...[...itemsIn(application.live), ...executors].map((one) => executorOf(application, one)),
  ];
}

/** As `podsOfApplication`, plus the init containers that delay the start of the driver. */
export const logsOfApplication = (application: Application): readonly LogPod[] => [
  ...podsOfApplication(application),
  ...driverOf(application).flatMap(blockingLogs),
];

/** Returns the logs of all containers of an application's pods, including ended executors. */
export const allLogsOf = (application: Application): readonly LogPod[] =>
  [
    ...driverOf(application),
    ...[...itemsIn(application.live), ...itemsIn(application.ended)].map((one) =>
      executorOf(application, one),
    ),
  ].flatMap((one) => (hasFollowedLog(one.pod) ? [one, ...otherLogs(one)] : otherLogs(one)));

/** The maximum number of live executors of a followed application whose logs are saved. */
const maxLiveExecutors = 16;

/**
 * As `allLogsOf`, but bounded, because each log is a request. Contains all logs of the driver, and the Spark logs of up
 * to 16 live executors and of the failed ones among the newest ended executors.
 */
export const boundedLogsOf = (application: Application): readonly LogPod[] =>
  [
    ...driverOf(application).flatMap((one) =>
      hasFollowedLog(one.pod) ? [one, ...otherLogs(one)] : otherLogs(one),
    ),
    ...[
      ...sliceOf(application.live, 0, maxLiveExecutors),
      ...failedPodsOf(application).filter(isExecutor),
    ].map((one) => executorOf(application, one)),
  ].filter(({ pod, container }) => hasFollowedLog(pod, container));

const isExecutor = (pod: SparkPod | ExecutorPod): pod is ExecutorPod => "executorId" in pod;

/** Returns the logs of an application's failed pods, whose last lines are saved. */
export const failedLogsOf = (application: Application): readonly LogPod[] =>
  failedPodsOf(application).flatMap((pod) =>
    isExecutor(pod) ? executorOf(application, pod) : { application, pod, name: msg("driver") },
  );

/** Returns the logs of the started init containers that Spark's container waits for, including failed ones. */
export const blockingLogs = (one: LogPod): readonly LogPod[] =>
  blockingInitContainers(one.pod.pod).map(({ name }) => containerOf(one, name));

/** Returns the logs of the containers other than Spark's, including init containers. */
export function otherLogs(one: LogPod): readonly LogPod[] {
  const spark = sparkContainerOf(one.pod.pod);
  return containersWithLog(one.pod)
    .filter((container) => container !== spark)
    .map(({ name }) => containerOf(one, name));
}

const containerOf = (one: LogPod, container: string): LogPod => ({
  ...one,
  name: dotted([typeof one.name === "string" ? verbatim(one.name) : one.name, verbatim(container)]),
  container,
});

/**
 * True if the container has started, so that it has a log. `name`: the container's name; by default Spark's container.
 */
export const hasFollowedLog = (one: SparkPod, name?: string): boolean =>
  hasContainerLog(one, containerIn(one, name));

/** Returns the time at which the log started, in epoch milliseconds of the cluster's clock. */
export const beganAt = ({ pod, container }: LogPod): number =>
  logBegan(pod.pod, containerIn(pod, container));

const containerIn = ({ pod }: SparkPod, name: string | undefined): ContainerRecord | undefined =>
  name === undefined ? sparkContainerOf(pod) : containerNamed(pod, name);

export const followedTargetOf = ({ pod, container }: LogPod): LogTarget => ({
  ...logTargetOf(pod),
  ...(container !== undefined && { container }),
});

/** Returns an id that is unique even across clusters restored from one backup, which share uids. */
export const idOf = ({ pod, container = "" }: LogPod, { context }: Connection): string =>
  `${context}/${pod.pod.uid}/${container}`;

/**
 * Creates the log to follow. `prefix`: the start of its label, such as the application's name if several applications
 * are followed. `tailLines`: the number of existing lines to read; undefined for all.
 */
export function followedLog(
  { session, screen, secrets }: Pick<LogsContext, "screen" | "secrets" | "session">,
  connection: Connection,
  one: LogPod,
  prefix: string,
  tailLines: number | undefined,
): LabelledLog {
  const { application, name } = one;
  const target = followedTargetOf(one);
  return {
    id: idOf(one, connection),
    label: `${prefix}${screen.translated(name)}`,
    logs: new SessionLogs(session, application.key, connection, secrets()),
    target,
    tailLines,
    ...containerUpdates(session.podsOf(application.key), target),
  };
}
