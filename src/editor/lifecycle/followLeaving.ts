import { l10n } from "vscode";
import type { Connection } from "../../engine/ports/connection.ts";
import { hasExecutorExited, wasKilledByTimeout } from "../../spark/pods/executorExit.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { liveWatchIn } from "../apps/sessionState.ts";
import { capital, nameOfTarget, namesFor, type ActionTarget } from "./targets.ts";
import { window } from "../ui/window.ts";

/** Shows a message when the decommissioned executors have ended, or after `limitMs` if some still run. */
export async function followLeaving(
  session: ClusterSession,
  { context }: Connection,
  targets: readonly ActionTarget[],
  limitMs: number,
): Promise<void> {
  if (targets.length === 0) return;
  const lastSeen = new Map<string, PodRecord>();
  const isStaying = ({ application, executor }: ActionTarget): boolean => {
    const { uid } = executor.pod;
    const pod = session.findPod(application.key, uid);
    if (pod === undefined) return false;
    lastSeen.set(uid, pod);
    return !hasExecutorExited(executor.pod, pod);
  };
  const namespaces = [...new Set(targets.map(({ executor }) => executor.pod.namespace))];
  // A missing pod counts as ended only in a namespace with a live watch.
  const areSeen = (): boolean =>
    namespaces.every((namespace) => liveWatchIn(session.state, context, namespace) !== undefined);
  await session.until(() => {
    const staying = targets.filter(isStaying);
    return staying.length === 0 && areSeen();
  }, AbortSignal.timeout(limitMs));
  if (!areSeen()) return;
  const staying = targets.filter(isStaying);
  const left = targets.filter((target) => !staying.includes(target));
  const cutShort = left.filter(({ executor }) => {
    const pod = lastSeen.get(executor.pod.uid);
    return pod !== undefined && wasKilledByTimeout(pod);
  });
  const nameOf = nameOfTarget(targets);
  const names = (some: readonly ActionTarget[]): string => capital(namesFor(some.map(nameOf)));
  const parts = [
    left.length === 0 ? "" : leftWords(left, nameOf),
    cutShort.length === 0
      ? ""
      : l10n.t(
          "Terminated after the time limit: {0}. Data that was not migrated is recomputed.",
          names(cutShort),
        ),
    staying.length === 0
      ? ""
      : l10n.t("Still running after {0} s: {1}.", Math.round(limitMs / 1000), names(staying)),
  ];
  const isComplete = cutShort.length + staying.length === 0;
  const show = isComplete ? window.showInformationMessage : window.showWarningMessage;
  void show(parts.filter((part) => part !== "").join(" "));
}

function leftWords(
  left: readonly ActionTarget[],
  nameOf: (target: ActionTarget) => string,
): string {
  const [first, ...others] = left;
  return first !== undefined && others.length === 0
    ? l10n.t('{0} of "{1}" was decommissioned.', capital(nameOf(first)), first.application.name)
    : l10n.t("{0} executors were decommissioned.", left.length);
}
