import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import { msg, type ShowMessage } from "../../base/message.ts";
import { start } from "../../engine/running.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";
import { imageDigestOf, type RunRecord } from "../../spark/history/runRecord.ts";
import { hasEndedPod, type Application, type SparkPod } from "../../spark/pods/application.ts";
import { isDeletion } from "../../spark/pods/displayState.ts";
import { epochOf, timesOf } from "../../spark/pods/podTimes.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { countsOf } from "../../spark/timeline/executorCounts.ts";
import type { Timeline } from "../../spark/timeline/timeline.ts";
import type { Log } from "../log.ts";
import { driverExitOf, endOfDriver } from "../profiles/runOutcome.ts";
import type { RunHistory } from "../runs/runHistory.ts";
import type { ClusterSession } from "./clusterSession.ts";

interface KeepRunsOptions {
  readonly session: Pick<
    ClusterSession,
    | "applications"
    | "contextOf"
    | "failureOf"
    | "find"
    | "isLive"
    | "isStoppedHere"
    | "nowOf"
    | "onDidChange"
    | "podsOf"
    | "recordDrivers"
    | "rowOf"
    | "timelineOf"
  >;
  readonly history: Pick<RunHistory, "openRuns" | "update" | "watch">;
  /** Translates the cause of a failure or stop. */
  readonly show: ShowMessage;
  readonly clock: Clock;
  readonly log: Log;
}

/** Updates the records of submitted and followed runs, while the window watches them. */
export interface KeptRunUpdates extends Disposable {
  /**
   * Creates records of the applications with these keys, even if another tool submitted them. Ignores applications
   * without a driver pod, and applications that have a record.
   */
  follow(keys: Iterable<string>): void;
}

interface SeenRun {
  readonly id: string;
  readonly namespace: string;
  readonly updatedAt: number;
  readonly isDeleted: boolean;
  /**
   * The last problem in the row of the running application, or the deletion of its pod by others. It becomes the cause
   * in the record of a stopped run. `words`: undefined if the row showed no problem. Undefined if this window first saw
   * the driver after its end or deletion.
   */
  readonly problem: { readonly words: string | undefined } | undefined;
}

const updateMs = 30_000;

/**
 * Updates the record of a running application when the window first sees it, then at most every 30 s, and when its
 * driver pod ends or is deleted.
 */
export function keepRuns({ session, history, show, clock, log }: KeepRunsOptions): KeptRunUpdates {
  const owned = new DisposableStore();
  const stop = new AbortController();
  owned.add(
    disposable(() => {
      stop.abort();
    }),
  );
  /** The runs that this window has seen and whose end is not recorded, by application key. */
  const seen = new Map<string, SeenRun>();
  /** Runs whose ends are being recorded. */
  const ending = new Set<string>();
  const wordsOf = (diagnosis: Diagnosis | undefined): string | undefined =>
    diagnosis && causeOf(show(diagnosis.fact));
  const problemNow = (application: Application, driver: SparkPod): SeenRun["problem"] => {
    if (driver.pod.deletionTimestamp === undefined && !hasEndedPod(driver)) {
      return { words: wordsOf(session.rowOf(application).fact) };
    }
    const isDeletedByOthers = isDeletion(driver.state) && !session.isStoppedHere(driver.pod.uid);
    return isDeletedByOthers ? { words: show(msg("its pod was deleted")) } : undefined;
  };
  const save = async (
    application: Application,
    driver: SparkPod,
    { problem }: SeenRun,
  ): Promise<void> => {
    const { key } = application;
    const facts = factsOf(application, driver, session.timelineOf(key));
    const hasFailed = driver.state.kind === "failed" && !isEndedByDeletion(driver);
    const failure = hasFailed ? await session.failureOf(application, stop.signal) : undefined;
    const causeAfter = (before: string | undefined): string | undefined => {
      if (hasFailed) return wordsOf(failure);
      if (driver.state.kind === "succeeded") return undefined;
      return problem === undefined ? before : problem.words;
    };
    await history.update(
      driver.pod.uid,
      (run) => run && { ...run, ...facts, cause: causeAfter(run.cause) },
      session.timelineOf(key),
    );
  };
  const end = async (
    application: Application,
    driver: SparkPod,
    current: SeenRun,
  ): Promise<void> => {
    await save(application, driver, current);
    const result = endOfDriver(driver, session.nowOf(application.key));
    await history.update(driver.pod.uid, (run) => run && { ...run, ...result });
  };
  const forget = (key: string, id: string): void => {
    seen.delete(key);
    ending.delete(id);
    record();
  };
  const record = (): void => {
    session.recordDrivers("runs", new Map([...seen.keys()].map((key) => [key, updateMs])));
    history.watch([...seen.values()].map(({ id }) => id));
  };
  const check = async (): Promise<void> => {
    const open = await history.openRuns();
    if (open.size === 0 && seen.size === 0) return;
    const now = clock.now();
    for (const application of session.applications) {
      const { key, driver } = application;
      if (driver === undefined || !open.has(driver.pod.uid) || ending.has(driver.pod.uid)) continue;
      const id = driver.pod.uid;
      const known = seen.get(key);
      const isDeleted = isDeletion(driver.state);
      const isDue =
        known === undefined ||
        now - known.updatedAt >= updateMs ||
        // The next change may remove the pod, so save now.
        (isDeleted && !known.isDeleted);
      const current: SeenRun = {
        ...{
          id,
          namespace: application.namespace,
          updatedAt: isDue ? now : known.updatedAt,
          isDeleted,
        },
        problem: problemNow(application, driver) ?? known?.problem,
      };
      seen.set(key, current);
      if (known === undefined) record();
      if (hasEndedPod(driver)) {
        ending.add(id);
        await end(application, driver, current);
        forget(key, id);
      } else if (isDue) await save(application, driver, current);
    }
    for (const [key, { id, namespace }] of seen) {
      if (session.find(key) !== undefined || !session.isLive) continue;
      if (!session.podsOf(key).areKnown(namespace)) {
        // The window no longer watches the namespace, so the end of the run stays unknown.
        forget(key, id);
        continue;
      }
      // The driver pod was deleted before its end was seen.
      const timeline = session.timelineOf(key);
      const { outcome, exitCode } = driverExitOf(undefined);
      const stopped = { outcome, exitCode, endedAt: session.nowOf(key) };
      await history.update(
        id,
        (run) => run && { ...run, ...(run.endedAt === undefined ? stopped : {}) },
        timeline,
      );
      forget(key, id);
    }
  };
  let looking = Promise.resolve();
  const ask = (): void => {
    looking = looking.then(check).catch((error: unknown) => {
      if (!stop.signal.aborted) log.error(error);
    });
  };
  let isAsked = false;
  owned.add(
    session.onDidChange(() => {
      if (isAsked) return;
      isAsked = true;
      // Coalesce changes, because many arrive together.
      const waiting = owned.add(
        start(async (signal) => {
          await clock.sleep(lookAgainMs, signal);
          isAsked = false;
          owned.remove(waiting);
          ask();
        }),
      );
      waiting.done.catch(log.error);
    }),
  );
  owned.add(
    disposable(() => {
      session.recordDrivers("runs", new Map());
    }),
  );
  return {
    follow: (keys) => {
      for (const key of keys) {
        const application = session.find(key);
        const driver = application?.driver;
        if (application === undefined || driver === undefined) continue;
        const begun = begunRun(application, driver, session.contextOf(key) ?? "");
        history
          .update(driver.pod.uid, (run) => (run === undefined ? begun : undefined))
          .then(ask)
          .catch(log.error);
      }
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

const lookAgainMs = 1_000;

/** Returns the initial record of an application that another tool or workspace submitted. */
function begunRun(application: Application, { pod }: SparkPod, context: string): RunRecord {
  const nothing = undefined;
  return {
    id: pod.uid,
    name: application.name,
    folder: nothing,
    isSubmitted: false,
    context,
    namespace: application.namespace,
    applicationId: application.id,
    startedAt: Date.parse(pod.creationTimestamp) || 0,
    endedAt: nothing,
    outcome: "detached",
    exitCode: nothing,
    cause: nothing,
    sent: nothing,
    conf: [],
    application: nothing,
    mainClass: pod.driving?.mainClass,
    args: [],
    image: nothing,
    digest: nothing,
    git: nothing,
    spent: nothing,
    executors: nothing,
    definition: nothing,
  };
}

function factsOf(
  { past }: Application,
  driver: SparkPod,
  timeline: Timeline | undefined,
): Partial<RunRecord> {
  const { pod } = driver;
  const startedAt = epochOf(timesOf(driver).startedAt);
  const last = timeline && countsOf(timeline).at(-1);
  const digest = imageDigestOf(pod.driving?.imageId);
  const image = sparkContainerOf(pod)?.image;
  return {
    // Use the driver's start time, so that the duration is the same as in the application's row.
    ...(startedAt !== undefined && { startedAt }),
    ...(image && { image }),
    ...(digest && { digest }),
    ...(timeline && { spent: timeline.spent }),
    executors:
      last === undefined
        ? { seen: past.finished + past.failed, failed: past.failed }
        : {
            seen:
              last.pending +
              last.running +
              last.leaving +
              last.unknown +
              last.failed +
              last.finished,
            failed: last.failed,
          },
  };
}

/** True if the driver ended because its pod was deleted, so that its exit code is not the cause. */
const isEndedByDeletion = ({ pod, state }: SparkPod): boolean =>
  pod.deletionTimestamp !== undefined &&
  pod.hasEndedFirst !== true &&
  !(state.kind === "failed" && state.exit?.reason === "OOMKilled");

const causeOf = (fact: string): string => redactLine(fact, defaultSecretRule).slice(0, 500);
