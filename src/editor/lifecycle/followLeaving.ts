import { l10n, window } from "vscode";
import type { Connection } from "../../engine/ports.ts";
import { hasLeft, wasCutShort } from "../../spark/pods/departure.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { liveWatchIn } from "../apps/sessionState.ts";
import { capital, nameOfTarget, namesFor, type Target } from "./targets.ts";

/** Tells when executors that were told to leave have left, or that they have not within `limitMs`. */
export async function followLeaving(
  session: ClusterSession,
  { context }: Connection,
  targets: readonly Target[],
  limitMs: number,
): Promise<void> {
  if (targets.length === 0) return;
  const lastSeen = new Map<string, PodRecord>();
  const isStaying = ({ application, executor }: Target): boolean => {
    const { uid } = executor.pod;
    const pod = session.findPod(application.key, uid);
    if (pod === undefined) return false;
    lastSeen.set(uid, pod);
    return !hasLeft(executor.pod, pod);
  };
  const namespaces = [...new Set(targets.map(({ executor }) => executor.pod.namespace))];
  // A pod that is not seen has gone only where one looks.
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
    return pod !== undefined && wasCutShort(pod);
  });
  const nameOf = nameOfTarget(targets);
  const names = (some: readonly Target[]): string => capital(namesFor(some.map(nameOf)));
  const parts = [
    left.length === 0 ? "" : leftWords(left, nameOf),
    cutShort.length === 0
      ? ""
      : l10n.t(
          "Ended by force, as the time was up: {0}. What was not handed over is computed anew.",
          names(cutShort),
        ),
    staying.length === 0
      ? ""
      : l10n.t("Not left within {0} s: {1}.", Math.round(limitMs / 1000), names(staying)),
  ];
  const isAsTold = cutShort.length + staying.length === 0;
  const show = isAsTold ? window.showInformationMessage : window.showWarningMessage;
  void show(parts.filter((part) => part !== "").join(" "));
}

function leftWords(left: readonly Target[], nameOf: (target: Target) => string): string {
  const [first, ...others] = left;
  return first !== undefined && others.length === 0
    ? l10n.t('{0} of "{1}" has left.', capital(nameOf(first)), first.application.name)
    : l10n.t("{0} executors have left.", left.length);
}
