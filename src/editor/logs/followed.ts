import { l10n } from "vscode";
import { logTargetOf, hasTargetEnded } from "../../spark/logs/targets.ts";
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
  let wasSeen = false;
  return {
    id: `${target.uid}/${target.container ?? ""}`,
    label: prefix ? `${application.name} ${name}` : name,
    target,
    tailLines,
    // A pod that has just been created is not in the snapshot yet, so that only one that was there can be gone.
    hasEnded: () => {
      const now = session.findPod(target.uid);
      wasSeen ||= now !== undefined;
      return wasSeen && session.isLive ? hasTargetEnded(now, target) : undefined;
    },
    restarts: () => {
      const container = session
        .findPod(target.uid)
        ?.containers.find((one) => one.name === target.container);
      if (container === undefined) return undefined;
      const { lastState, restartCount } = container;
      const lastEnd = lastState?.kind === "terminated" ? lastState : undefined;
      return { count: restartCount, lastEnd };
    },
  };
}
