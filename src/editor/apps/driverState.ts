import type { Disposable } from "../../base/disposable.ts";
import type { ShowMessage } from "../../base/message.ts";
import { hasEndedPod } from "../../spark/pods/application.ts";
import { driverExitOf, endOfDriver, type DriverExit } from "../profiles/runOutcome.ts";
import type { ClusterSession, SessionChange } from "./clusterSession.ts";
import { applicationIcon, type RowIcon } from "./rows/icons.ts";

/** The state of a driver, with the text and icon of its application's row. */
export interface DriverState {
  readonly words: string;
  readonly spoken: string;
  readonly icon: RowIcon;
}

/** The exit of a driver. `cause`: the cause of a failure, as in the application's row. */
export interface SeenEnd extends DriverExit {
  /** In epoch milliseconds. */
  readonly at: number;
  readonly cause?: string;
}

export type ReportDriver = (state: DriverState, end?: SeenEnd) => void;

/**
 * Reports the state of a driver when the window first sees its pod and after each change, until disposal. `driver`: the
 * pod's uid. A driver whose pod was deleted before its end was seen is reported as stopped.
 */
export function watchDriverState(
  session: Pick<
    ClusterSession,
    "applications" | "describe" | "find" | "isLive" | "nowOf" | "onDidChange"
  >,
  driver: string,
  show: ShowMessage,
  report: ReportDriver,
): Disposable {
  let key: string | undefined;
  let last = "";
  let lastState: DriverState | undefined;
  let hasEnded = false;
  const check = ({ changedKeys }: SessionChange): void => {
    if (key !== undefined && changedKeys?.has(key) === false) return;
    const isOwn = (uid: string | undefined): boolean => uid === driver;
    const known = key === undefined ? undefined : session.find(key);
    const application = isOwn(known?.driver?.pod.uid)
      ? known
      : session.applications.find((one) => isOwn(one.driver?.pod.uid));
    const own = application?.driver;
    if (application === undefined || own === undefined) {
      if (key === undefined || lastState === undefined || hasEnded || !session.isLive) return;
      hasEnded = true;
      report(lastState, { ...driverExitOf(undefined), at: session.nowOf(key) });
      return;
    }
    key = application.key;
    const { fact, isStarved, start } = session.describe(application);
    const state = {
      words: show(start.shown),
      spoken: show(start.spoken),
      icon: applicationIcon(application.state, isStarved),
    };
    const text = JSON.stringify(state);
    if (text === last) return;
    last = text;
    lastState = state;
    hasEnded = hasEndedPod(own);
    if (!hasEnded) {
      report(state);
      return;
    }
    const { endedAt, outcome, exitCode } = endOfDriver(own, session.nowOf(key));
    const cause = fact && { cause: show(fact.fact) };
    report(state, { outcome, exitCode, at: endedAt, ...cause });
  };
  check({ changedKeys: undefined });
  return session.onDidChange(check);
}
