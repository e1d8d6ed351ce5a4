import { l10n } from "vscode";
import { containerNews } from "../../engine/containerNews.ts";
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

/** `prefix`: whose pods they are, where there are several applications. */
export function followedLog(
  session: ClusterSession,
  { application, pod, name }: LogPod,
  prefix: boolean,
  tailLines: number | undefined,
): LabelledLog {
  const target = logTargetOf(pod);
  return {
    id: `${target.uid}/${target.container ?? ""}`,
    label: prefix ? `${application.name} ${name}` : name,
    target,
    tailLines,
    ...containerNews(session.podsOf(application.key), target),
  };
}
