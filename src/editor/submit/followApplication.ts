import { l10n } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { containerNews, type KnownPods, type WatchedPods } from "../../engine/containerNews.ts";
import { followLogs } from "../../engine/followLogs.ts";
import { PodStore } from "../../engine/podStore.ts";
import type { Clock, Connection, LogSource, Random } from "../../engine/ports.ts";
import {
  askedOnce,
  LogRules,
  logRuleOf,
  redactedLogs,
  type LogRule,
} from "../../engine/redactedLogs.ts";
import { startReflector } from "../../engine/reflector.ts";
import type { Running } from "../../engine/running.ts";
import { RunPods, type OwnWatch } from "../../engine/runPods.ts";
import {
  followDriver,
  type DriverEnd,
  type FollowReport,
  type FollowTarget,
} from "../../engine/submitFollow.ts";
import {
  appNameLabel,
  appSelectorLabel,
  executorRole,
  isDriverRole,
  roleLabel,
} from "../../spark/labels.ts";
import type { LogRecord } from "../../spark/logs/logRecord.ts";
import { TraceCounts } from "../../spark/logs/logView.ts";
import { logTargetOf } from "../../spark/logs/targets.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState } from "../../spark/pods/displayState.ts";
import { executorIdOf } from "../../spark/pods/executorId.ts";
import { exitOf } from "../../spark/pods/podExit.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { Log } from "../log.ts";
import {
  recordsBefore,
  tracedPlace,
  type TracedView,
  type TraceSink,
} from "../logs/loggedTrace.ts";
import { showsLogSecrets } from "../settings.ts";
import { endWords, noticeWords, type TerminalPrinter } from "../logs/terminalPrinter.ts";

/** An application whose driver pod is there. */
export interface FollowedApplication {
  readonly target: FollowTarget;
  readonly driver: PodRecord;
  /** Whose logs are printed. */
  readonly logs: "driver" | "all";
  readonly reportIntervalMs: number;
}

/** Told that a driver's application is followed until that is disposed of. */
export type TellFollowed = (driver: PodRecord) => Disposable;

/** Finds the pods of a driver's application among those that the window watches on a connection's server. */
export type FindWatched = (
  connection: Pick<Connection, "server">,
  driver: PodRecord,
) => Promise<WatchedPods>;

export interface FollowSurroundings {
  readonly connection: Connection;
  readonly watched: FindWatched;
  readonly followed: TellFollowed;
  readonly printer: TerminalPrinter;
  readonly traces: TraceSink;
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
    // They say when a container starts and ends, and which executors there are.
    life.add(around.followed(driver));
    const watched = await around.watched(connection, driver);
    const begin = (): OwnWatch => watchAlone(application, around);
    const pods = life.add(new RunPods(watched, driver.uid, begin, around));
    const view = {
      name: driver.labels[appNameLabel] ?? driver.name,
      place: tracedPlace(connection.context, driver.namespace),
    };
    const printed = life.add(printLogs(view, pods, around, logsOf(connection, driver), signal));
    printed.join(driver);
    if (logs === "all") {
      const joinAll = (): void => {
        for (const pod of pods.pods()) printed.join(pod);
      };
      life.add(pods.onDidChange(joinAll));
      joinAll();
    }
    const { objects } = connection;
    let words = "";
    const tell = (state: string): void => {
      if (state !== words) printer.note(l10n.t("driver: {0}", state));
      words = state;
    };
    let lastWords: string | undefined;
    const report = (news: FollowReport): void => {
      const pod = news.kind === "state" ? decodePod(news.pod.body) : undefined;
      if (pod === undefined) return;
      const state = describeState(displayState(pod));
      // How it ended comes after what it still had to say.
      if (pod.phase === "Succeeded" || pod.phase === "Failed") lastWords = state;
      else tell(state);
    };
    const ports = { objects, pods, clock, random };
    const end = await followDriver(target, ports, reportIntervalMs, report, signal);
    if (!end.ok) return err(end.error);
    await Promise.race([printed.ended, clock.sleep(lastWordsMs, signal)]);
    if (lastWords !== undefined) tell(lastWords);
    return ok(exitCodeOf(end.value, printer));
  } finally {
    life.dispose();
  }
}

/** For a run in a namespace that the window does not watch. */
function watchAlone({ target, logs }: FollowedApplication, around: FollowSurroundings): OwnWatch {
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

interface PrintedLogs extends Running {
  join(pod: PodRecord): void;
  /** All that have joined have ended. */
  readonly ended: Promise<void>;
}

interface PrintedSource {
  readonly label: string;
  /** Before each of its lines. */
  readonly prefix: string;
  /** What it said last. */
  readonly before: LogRecord[];
}

/** As they are to be shown. */
function logsOf(connection: Connection, driver: PodRecord): LogSource {
  if (showsLogSecrets()) return connection.logs;
  const ask = (): Promise<LogRule> => logRuleOf(new LogRules(), driver.uid, connection, driver);
  return redactedLogs(connection.logs, askedOnce(ask));
}

/** Prints logs as one, in the order of their times, each line of an executor marked with its number. */
function printLogs(
  view: TracedView,
  pods: KnownPods,
  {
    printer,
    traces,
    ...ports
  }: Pick<FollowSurroundings, "printer" | "traces" | "clock" | "random" | "log">,
  logs: LogSource,
  signal: AbortSignal,
): PrintedLogs {
  const sources = new Map<string, PrintedSource>();
  const counts = new TraceCounts();
  let number = 0;
  const tellTrace = ({ label, before }: PrintedSource, record: LogRecord): void => {
    if (record.hasTrace && counts.count((number += 1), record) === undefined) {
      traces.tell({ view, label, record, before: [...before] });
    }
    before.push(record);
    if (before.length > recordsBefore) before.shift();
  };
  traces.begin(view);
  const open = new Set<string>();
  let tellEnded: () => void;
  const ended = new Promise<void>((resolve) => {
    tellEnded = resolve;
  });
  const note = (id: string, words: string): void => {
    printer.note(`${sources.get(id)?.prefix ?? ""}${words}`);
  };
  const follow = followLogs(ports, {
    records: async (records) => {
      for (const { source, record } of records) {
        const printed = sources.get(source);
        if (printed) tellTrace(printed, record);
        await printer.lines([record, ...record.rest], printed?.prefix ?? "", signal);
      }
    },
    notice: (id, notice) => {
      if (notice.kind !== "waiting") note(id, noticeWords(notice));
    },
    ended: (id, end) => {
      if (end.kind === "failed") note(id, endWords(end));
      open.delete(id);
      if (open.size === 0) tellEnded();
    },
  });
  follow.done.catch(ports.log.error);
  return {
    ...follow,
    ended,
    join: (pod) => {
      if (sources.has(pod.uid)) return;
      const isDriver = isDriverRole(pod.labels[roleLabel]);
      const id = executorIdOf(pod) ?? pod.name;
      const label = isDriver ? l10n.t("driver") : l10n.t("executor {0}", id);
      sources.set(pod.uid, { label, prefix: isDriver ? "" : `[${id}] `, before: [] });
      open.add(pod.uid);
      const target = logTargetOf({ pod, state: displayState(pod) });
      const news = containerNews(pods, target);
      follow.join({ id: pod.uid, logs, target, tailLines: undefined, ...news });
    },
  };
}
