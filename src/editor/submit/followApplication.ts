import { l10n } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { PodStore } from "../../engine/podStore.ts";
import type { PodDelivery } from "../../engine/podSubscription.ts";
import type { Clock, Connection, Random } from "../../engine/ports.ts";
import { startReflector } from "../../engine/reflector.ts";
import {
  followDriver,
  type DriverEnd,
  type FollowReport,
  type FollowTarget,
} from "../../engine/submitFollow.ts";
import { startTail, type Tail } from "../../engine/tail.ts";
import { appSelectorLabel, executorRole, roleLabel } from "../../spark/labels.ts";
import { hasTargetEnded, logTargetOf } from "../../spark/logs/targets.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { executorIdOf } from "../../spark/pods/executorId.ts";
import { exitOf } from "../../spark/pods/podExit.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { findPod, podsOf } from "../../spark/pods/podSnapshot.ts";
import type { Log } from "../log.ts";
import { endWords, noticeWords, type TerminalPrinter } from "../logs/terminalPrinter.ts";

/** An application whose driver pod is there. */
export interface FollowedApplication {
  readonly target: FollowTarget;
  readonly driver: PodRecord;
  /** Whose logs are printed. */
  readonly logs: "driver" | "all";
  readonly reportIntervalMs: number;
}

export interface FollowSurroundings {
  readonly connection: Connection;
  readonly printer: TerminalPrinter;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

// The end of a log may come a little after the end of its pod.
const lastWordsMs = 5_000;

/** Prints the logs and the driver's states until the driver has ended; gives its exit code. */
export async function followApplication(
  application: FollowedApplication,
  around: FollowSurroundings,
  signal: AbortSignal,
): Promise<Result<number, ClusterError>> {
  const { driver, target, logs, reportIntervalMs } = application;
  const { connection, printer, clock, random } = around;
  const life = new DisposableStore();
  try {
    let last: PodRecord | undefined;
    const tail = life.add(tailPod(driver, "", () => last, around, signal));
    if (logs === "all") tailExecutors(target, around, life, signal);
    const { objects, pods } = connection;
    let words = "";
    const report = (news: FollowReport): void => {
      if (news.kind !== "state") return;
      last = decodePod(news.pod.body) ?? last;
      const state = last === undefined ? "" : describeState(displayState(last));
      if (state !== words) printer.note(l10n.t("driver: {0}", state));
      words = state;
      tail.wake();
    };
    const ports = { objects, pods, clock, random };
    const end = await followDriver(target, ports, reportIntervalMs, report, signal);
    if (!end.ok) return err(end.error);
    await Promise.race([tail.done, clock.sleep(lastWordsMs, signal)]);
    return ok(exitCodeOf(end.value, printer));
  } finally {
    life.dispose();
  }
}

function exitCodeOf(end: DriverEnd, printer: TerminalPrinter): number {
  if (end.kind === "gone") {
    printer.problem("error", l10n.t("The driver pod is gone; how it ended is not known."));
    return 1;
  }
  if (end.kind === "succeeded") return 0;
  const pod = decodePod(end.pod.body);
  const exitCode = pod && exitOf(pod)?.exitCode;
  return exitCode === undefined || exitCode === 0 ? 1 : exitCode;
}

/** Follows each executor from its start, its lines marked with its number. */
function tailExecutors(
  { namespace, applicationId }: FollowTarget,
  around: FollowSurroundings,
  life: DisposableStore,
  signal: AbortSignal,
): void {
  const { connection, clock, random, log } = around;
  const store = life.add(new PodStore({ clock, log }));
  const labelSelector = `${appSelectorLabel}=${applicationId},${roleLabel}=${executorRole}`;
  const followed = new Set<string>();
  const follow = ({ snapshot }: PodDelivery): void => {
    for (const pod of podsOf(snapshot)) {
      if (followed.has(pod.uid)) continue;
      followed.add(pod.uid);
      const prefix = `[${executorIdOf(pod) ?? pod.name}] `;
      life.add(tailPod(pod, prefix, () => findPod(store.snapshot, pod.uid), around, signal));
    }
  };
  life.add(store.subscribe(follow, { intervalMs: 200 }));
  const selection = { namespace, labelSelector };
  const ports = { clock, random, log };
  const reflector = life.add(startReflector(connection.pods, selection, store, ports));
  reflector.done.catch(log.error);
}

function tailPod(
  pod: PodRecord,
  prefix: string,
  now: () => PodRecord | undefined,
  { connection, printer, clock, random, log }: FollowSurroundings,
  signal: AbortSignal,
): Tail {
  const target = logTargetOf({ pod, state: displayState(pod) });
  const tail = startTail(
    connection.logs,
    target,
    {
      lines: (lines) => printer.lines(lines, prefix, signal),
      notice: (notice) => {
        if (notice.kind !== "waiting") printer.note(`${prefix}${noticeWords(notice)}`);
      },
      ended: (end) => {
        if (end.kind === "failed") printer.note(`${prefix}${endWords(end)}`);
      },
    },
    {
      clock,
      random,
      tailLines: undefined,
      hasEnded: () => {
        const known = now();
        return known === undefined ? undefined : hasTargetEnded(known, target);
      },
    },
  );
  tail.done.catch(log.error);
  return tail;
}
