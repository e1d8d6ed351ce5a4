import type { Disposable } from "../../base/disposable.ts";
import type { ShowMessage } from "../../base/message.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterSession, SessionChange } from "./clusterSession.ts";
import { iconOf, type RowIcon } from "./rows/icons.ts";

/** The state of a driver, as the row of its application begins with it. */
export interface DriverState {
  readonly words: string;
  readonly spoken: string;
  readonly icon: RowIcon;
}

/** Reports the state of a driver as soon as the window watches it, and after each change, until disposal. */
export function watchDriverState(
  session: Pick<ClusterSession, "applications" | "describe" | "find" | "onDidChange">,
  driver: PodRecord,
  show: ShowMessage,
  report: (state: DriverState) => void,
): Disposable {
  let key: string | undefined;
  let last = "";
  const look = ({ changedKeys }: SessionChange): void => {
    if (key !== undefined && changedKeys?.has(key) === false) return;
    const isOwn = (uid: string | undefined): boolean => uid === driver.uid;
    const known = key === undefined ? undefined : session.find(key);
    const application = isOwn(known?.driver?.pod.uid)
      ? known
      : session.applications.find((one) => isOwn(one.driver?.pod.uid));
    if (application === undefined) return;
    key = application.key;
    const { shown, spoken } = session.describe(application).start;
    const state = { words: show(shown), spoken: show(spoken), icon: iconOf(application.state) };
    const text = JSON.stringify(state);
    if (text === last) return;
    last = text;
    report(state);
  };
  look({ changedKeys: undefined });
  return session.onDidChange(look);
}
