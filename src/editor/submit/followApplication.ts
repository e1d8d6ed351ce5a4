import { msg } from "../../base/message.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { containerUpdates, type KnownPods } from "../../engine/logs/containerState.ts";
import { start, type Running } from "../../engine/running.ts";
import { PodStore } from "../../engine/watch/podStore.ts";
import type { Clock, Random } from "../../engine/ports/clock.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { LogSource } from "../../engine/ports/logs.ts";
import { failureCause } from "../../engine/driver/failureCause.ts";
import {
  memoizeOnSuccess,
  LogRules,
  logRuleOf,
  redactedLogs,
  type LogRule,
} from "../../engine/logs/redactedLogs.ts";
import { startReflector } from "../../engine/watch/reflector.ts";
import { RunPodWatch, type ApplicationWatch } from "../../engine/submit/runPods.ts";
import {
  followDriver,
  type DriverEnd,
  type FollowReport,
  type FollowTarget,
} from "../../engine/submit/followDriver.ts";
import {
  appNameLabel,
  appSelectorLabel,
  executorRole,
  isDriverRole,
  roleLabel,
} from "../../spark/labels.ts";
import { logTargetOf } from "../../spark/logs/targets.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { applicationKeyOf } from "../../spark/pods/applications.ts";
import { executorIdOf } from "../../spark/pods/executorId.ts";
import { epochOf, timesOf } from "../../spark/pods/podTimes.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { isUiStart } from "../../spark/ui/uiStart.ts";
import type { WindowPods } from "../apps/clusterSession.ts";
import { applicationNode } from "../apps/treeNode.ts";
import { commands } from "../ids.ts";
import type { Log } from "../log.ts";
import type { LogConsole } from "../logs/logConsole.ts";
import { tracedPlace, type ShownLogs, type TracedView } from "../logs/shownLogs.ts";
import { driverExitOf, endOfDriver, type DriverExit } from "../profiles/runOutcome.ts";
import { lastLineWords } from "./lastLineWords.ts";
import type { Screen } from "../screen.ts";

/** An application with an existing driver pod. */
export interface FollowedApplication {
  readonly target: FollowTarget;
  readonly driver: PodRecord;
  /** The printed logs: the driver's log, or also the logs of the executors. */
  readonly logs: "driver" | "all";
  readonly reportIntervalMs: number;
}

/** Saves the logs of a driver's application until the result is disposed, if the settings enable this. */
export type AnnounceFollowed = (driver: PodRecord) => Disposable;

/** Returns access to the pods of a driver's application, from any watched context of the connection's server. */
export type FindWatched = (
  connection: Pick<Connection, "server">,
  driver: PodRecord,
) => Promise<WindowPods>;

export interface FollowApplicationOptions {
  readonly connection: Connection;
  readonly watched: FindWatched;
  readonly followed: AnnounceFollowed;
  readonly output: LogConsole;
  readonly shownLogs: ShownLogs;
  readonly screen: Pick<Screen, "translated" | "runCommand">;
  /** True if logs are shown without redaction. */
  readonly showsLogSecrets: () => boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

// In ms. The maximum wait for the end of a log, which can arrive after the end of its pod.
const logEndMs = 5_000;
const podEndMs = 5_000;

/** The cause and the times of a driver's run, as in the application's row. */
export interface EndFacts {
  /** Why the driver failed. */
  readonly cause?: string | undefined;
  /** The times of the driver, in epoch milliseconds. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

export interface FollowedEnd extends DriverExit, EndFacts {}

/**
 * Prints the logs, problems and driver states until the driver ends. Returns its exit code, outcome, cause and times.
 */
export async function followApplication(
  application: FollowedApplication,
  around: FollowApplicationOptions,
  signal: AbortSignal,
): Promise<Result<FollowedEnd, ClusterError>> {
  const { driver, target, logs, reportIntervalMs } = application;
  const { connection, output, screen, clock, random } = around;
  const { translated } = screen;
  const life = new DisposableStore();
  try {
    life.add(around.followed(driver));
    const watched = await around.watched(connection, driver);
    life.add(noteHidden(watched, driver, output));
    life.add(noteProblems(watched, output));
    const begin = (): ApplicationWatch => watchAlone(application, around);
    const pods = life.add(new RunPodWatch(watched, begin, around));
    const view = {
      name: driver.labels[appNameLabel] ?? driver.name,
      place: tracedPlace(connection.context, driver.namespace),
    };
    const source = around.showsLogSecrets() ? connection.logs : logsOf(connection, driver);
    const printed = life.add(printLogs(view, pods, logs === "all", around, source));
    printed.join(driver);
    if (logs === "all") {
      const joinAll = (): void => {
        for (const pod of pods.pods()) printed.join(pod);
      };
      life.add(pods.onDidChange(joinAll));
      joinAll();
    }
    const { objects } = connection;
    const states = life.add(new DriverStates(around));
    const report = (news: FollowReport): void => {
      if (news.kind === "state") states.report(news.pod);
    };
    const ports = { objects, pods, clock, random };
    const end = await followDriver(target, ports, reportIntervalMs, report, signal);
    if (!end.ok) return err(end.error);
    await Promise.race([printed.ended, clock.sleep(logEndMs, signal)]);
    const ended = endOf(end.value, clock.now());
    const isFailure = end.value.kind === "failed" && ended.outcome === "failed";
    const cause = isFailure
      ? ((await watched.failure(signal)) ??
        (await failureCause(end.value.pod, source, clock, signal)))
      : undefined;
    const fact = cause && translated(cause.fact);
    if (ended.outcome === "stopped") states.print(translated(msg("stopped")));
    else states.printLast(cause, isFailure);
    if (isFailure) {
      output.note(msg('Run "Spark: Explain Failure" for the evidence and the fixes.'));
    }
    if (end.value.kind === "gone") output.note(msg("the driver pod was deleted"));
    return ok({ ...ended, cause: fact });
  } finally {
    life.dispose();
  }
}

/** Prints the driver's state after each change. Prints the final state after the rest of the log, with its cause. */
class DriverStates implements Disposable {
  readonly #around: Pick<FollowApplicationOptions, "clock" | "log" | "output" | "screen">;
  /** The delay before a state is printed. */
  #waiting: Running | undefined;
  #printed = "";
  #last: string | undefined;

  constructor(around: Pick<FollowApplicationOptions, "clock" | "log" | "output" | "screen">) {
    this.#around = around;
  }

  report(pod: PodRecord): void {
    const shown = displayState(pod);
    const state = this.#around.screen.translated(describeState(shown));
    if (pod.phase === "Succeeded" || pod.phase === "Failed") {
      this.dispose();
      this.#last = state;
    } else if (shown.kind === "failed") this.#printLater(state);
    else this.print(state);
  }

  print(state: string, isFailure = false): void {
    if (state === this.#printed) return;
    this.#printed = state;
    const { output } = this.#around;
    const words = msg`driver: ${state}`;
    if (isFailure) output.failure(words);
    else output.note(words);
  }

  printLast(cause: Diagnosis | undefined, isFailure: boolean): void {
    if (this.#last === undefined) return;
    this.print(this.#around.screen.translated(lastLineWords(this.#last, cause)), isFailure);
  }

  dispose(): void {
    this.#waiting?.dispose();
  }

  /**
   * Prints the state after 5 s, because the pod usually ends within this time and then has a final state with a cause.
   * A sidecar can keep the pod running.
   */
  #printLater(state: string): void {
    if (this.#waiting !== undefined) return;
    const { clock, log } = this.#around;
    this.#waiting = start(async (signal) => {
      await clock.sleep(podEndMs, signal);
      this.print(state);
    });
    this.#waiting.done.catch(log.error);
  }
}

/** Prints once that the view does not show the application, and how to show it. */
export function noteHidden(
  watched: Pick<WindowPods, "hiddenBy" | "onDidChange">,
  { namespace }: PodRecord,
  output: Pick<LogConsole, "note">,
): Disposable {
  let isNoted = false;
  const check = (): void => {
    const choice = isNoted ? undefined : watched.hiddenBy();
    if (choice === undefined) return;
    isNoted = true;
    output.note(
      choice === "namespaces"
        ? msg`The Applications view does not show namespace "${namespace}". Run "Spark: Choose Namespaces…" to add it.`
        : msg(
            'The Applications view shows another cluster. Run "Spark: Choose Cluster…" to change it.',
          ),
    );
  };
  check();
  return watched.onDidChange(check);
}

/**
 * Prints the problem that the application's row shows, once for each diagnosis rule: why a pod waits, or why executors
 * ended.
 */
export function noteProblems(
  watched: Pick<WindowPods, "problem" | "onDidChange">,
  output: Pick<LogConsole, "note">,
): Disposable {
  // Compare the rules of the diagnoses, because a message may contain an amount that changes.
  const printed = new Set<string>();
  const check = (): void => {
    const { diagnosis, isOfDriver = false } = watched.problem() ?? {};
    if (diagnosis === undefined || printed.has(diagnosis.id)) return;
    printed.add(diagnosis.id);
    output.note(isOfDriver ? msg`driver: ${diagnosis.fact}` : msg`executors: ${diagnosis.fact}`);
  };
  check();
  return watched.onDidChange(check);
}

/**
 * Watches the application's pods in a namespace that the window does not watch. Omits the executors if only the
 * driver's log is printed.
 */
function watchAlone(
  { target, logs }: FollowedApplication,
  around: FollowApplicationOptions,
): ApplicationWatch {
  const life = new DisposableStore();
  const store = life.add(new PodStore(around));
  const role = logs === "all" ? "" : `,${roleLabel}!=${executorRole}`;
  const labelSelector = `${appSelectorLabel}=${target.applicationId}${role}`;
  const selection = { namespace: target.namespace, labelSelector };
  const reflector = life.add(startReflector(around.connection.pods, selection, store, around));
  reflector.done.catch(around.log.error);
  return {
    store,
    dispose: () => {
      life.dispose();
    },
  };
}

/** Returns the outcome and the times of the driver. The times are missing if it was deleted before its end was seen. */
function endOf(end: DriverEnd, now: number): DriverExit & EndFacts {
  if (end.kind === "gone") return driverExitOf(undefined);
  const driver = { pod: end.pod, state: displayState(end.pod) };
  return { ...endOfDriver(driver, now), startedAt: epochOf(timesOf(driver).startedAt) };
}

/** Returns a source of logs that are redacted by the application's rule. */
function logsOf(connection: Connection, driver: PodRecord): LogSource {
  const ask = (): Promise<LogRule> => logRuleOf(new LogRules(), driver.uid, connection, driver);
  return redactedLogs(connection.logs, memoizeOnSuccess(ask));
}

interface PrintedLogs extends Disposable {
  join(pod: PodRecord): void;
  /** Settles when all joined logs have ended. */
  readonly ended: Promise<void>;
}

/** Prints the joined logs merged by time, and passes their stack traces to `shownLogs`. */
function printLogs(
  traced: TracedView,
  pods: KnownPods,
  mayGrow: boolean,
  { output, shownLogs, screen }: Pick<FollowApplicationOptions, "output" | "shownLogs" | "screen">,
  logs: LogSource,
): PrintedLogs {
  shownLogs.begin(traced);
  const open = new Set<string>();
  const known = new Set<string>();
  /** Application keys by the uid of the driver. */
  const drivers = new Map<string, string>();
  let resolveEnded: () => void;
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });
  const follow = output.follow({
    mayGrow: () => mayGrow,
    shown: (records, view) => {
      for (const { source, record } of records) {
        const key = drivers.get(source);
        if (key !== undefined && isUiStart(record.text)) output.offerUi(() => openUi(screen, key));
      }
      // Skip the exceptions of a pod that is being deleted, which are consequences and not problems of the program.
      const own = records.filter(
        ({ source, record }) =>
          record.hasTrace && pods.findPod(source)?.deletionTimestamp === undefined,
      );
      if (own.length > 0) shownLogs.take(own, view, traced);
    },
    // The end of the driver's log needs no note, because the run prints the driver's state.
    isEndTold: (id, { kind }) => drivers.has(id) && kind !== "failed",
    ended: (id) => {
      open.delete(id);
      if (open.size === 0) resolveEnded();
    },
  });
  return {
    ended,
    dispose: () => {
      follow.dispose();
    },
    join: (pod) => {
      if (known.has(pod.uid)) return;
      known.add(pod.uid);
      open.add(pod.uid);
      const isDriver = isDriverRole(pod.labels[roleLabel]);
      if (isDriver) drivers.set(pod.uid, applicationKeyOf(pod));
      const id = executorIdOf(pod) ?? pod.name;
      const label = screen.translated(isDriver ? msg("driver") : msg`executor ${id}`);
      const target = logTargetOf({ pod, state: displayState(pod) });
      const news = containerUpdates(pods, target);
      output.join(follow, [{ id: pod.uid, label, logs, target, tailLines: undefined, ...news }]);
    },
  };
}

const openUi = async ({ runCommand }: Pick<Screen, "runCommand">, key: string): Promise<void> => {
  await runCommand(commands.openUi, applicationNode(key));
};
