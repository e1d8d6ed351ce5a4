import { msg, sentences, type Message } from "../../base/message.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { hasExecutorExited, wasKilledByTimeout } from "../../spark/pods/executorExit.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { LifecycleContext } from "./context.ts";
import { liveWatchIn } from "../apps/sessionState.ts";
import { capital, nameOfTarget, namesFor, type ActionTarget } from "./targets.ts";

/**
 * Shows a message when the decommissioned executors have ended, or after `limitMs` (in ms) if some still run. Shows
 * nothing if the watch is not live then.
 */
export async function followLeaving(
  { session, screen }: Pick<LifecycleContext, "screen" | "session">,
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
  const nameOf = nameOfTarget(targets, screen);
  const names = (some: readonly ActionTarget[]): string =>
    capital(screen.translated(namesFor(some.map(nameOf))));
  const text = sentences([
    left.length === 0 ? undefined : leftWords(left, nameOf),
    cutShort.length === 0
      ? undefined
      : msg`Terminated after the time limit: ${names(cutShort)}. Data that was not migrated is recomputed.`,
    staying.length === 0
      ? undefined
      : msg`Still running after ${Math.round(limitMs / 1000)} s: ${names(staying)}.`,
  ]);
  const isComplete = cutShort.length + staying.length === 0;
  const show = isComplete ? screen.showInformationMessage : screen.showWarningMessage;
  if (text !== undefined) void show(text);
}

function leftWords(
  left: readonly ActionTarget[],
  nameOf: (target: ActionTarget) => string,
): Message {
  const [first, ...others] = left;
  return first !== undefined && others.length === 0
    ? msg`${capital(nameOf(first))} was decommissioned.`
    : msg`${left.length} executors were decommissioned.`;
}
