import type { Disposable } from "../../base/disposable.ts";
import { err, type Result } from "../../base/result.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { DriverList } from "../../spark/progress/driverQuery.ts";
import {
  noProgress,
  type ApplicationProgress,
  type ProgressProblem,
} from "../../spark/progress/progress.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connection } from "../ports/connection.ts";
import type { DriverAddress } from "../ports/reports.ts";
import { start, type Running } from "../running.ts";
import type { TimelineReading } from "../timeline/timelineRecorder.ts";
import {
  activeStagesNames,
  allStagesName,
  DriverProgress,
  type ProgressFocus,
  type ListReading,
} from "./driverProgress.ts";
import { driverAddressOf } from "./statusPoller.ts";
import { withinTime } from "../withinTime.ts";

interface ProgressOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly find: (key: string) => Application | undefined;
  /** True if the user may `get pods/proxy` in a namespace; undefined until it is known. */
  readonly isAllowed: (namespace: string) => boolean | undefined;
  /** Called with the key of an application whose progress changed. */
  readonly changed: (key: string) => void;
  /** Called when the last active stage of an application has ended: its driver may end soon. */
  readonly idle?: (key: string) => void;
  /** Called after each successful read of stages: `active` contains the active ones, or `stages` all of them. */
  readonly read?: (key: string, reading: Pick<TimelineReading, "active" | "stages">) => void;
}

type ProgressSource = Pick<Connection, "drivers" | "now">;

const maxApplications = 20;
/** Polls at most one `ListReading` per second and driver. */
const tickMs = 1_000;
/**
 * The poller stops waiting for a response after this time. The request of a busy driver continues, and the next poll
 * joins it.
 */
const patienceMs = 10_000;
const slowMs = 1_000;
const maxSlowness = 8;
// Problems of a starting driver are hidden for this time: on a busy machine Spark's API responds only after minutes.
const startingMs = 600_000;
/**
 * A driver that does not respond is shown as unreachable only after this time. A busy driver misses single requests,
 * and an ending driver closes its port some seconds before its pod ends.
 */
const graceMs = 30_000;
const firstPauseMs = 2_000;
const maxPauseMs = 60_000;

/**
 * Polls the running work of visible applications: active stages, and jobs, SQL executions and tasks only while their
 * rows are expanded. Sends one request at a time to each driver, and polls a slow driver less often.
 */
export class ProgressPoller implements Disposable {
  readonly #connection: ProgressSource;
  readonly #options: ProgressOptions;
  readonly #time: () => number;
  readonly #followed = new Map<string, Followed>();
  #focuses: ReadonlyMap<string, ProgressFocus> = new Map();

  constructor(connection: ProgressSource, options: ProgressOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#time = steadyTime(options.clock);
  }

  /** Replaces the set of visible applications. Only its first 20 applications are polled. */
  look(keys: Iterable<string>): void {
    const shown = new Set([...keys].slice(0, maxApplications));
    for (const [key, { running }] of this.#followed) {
      if (shown.has(key)) continue;
      running?.dispose();
      this.#followed.delete(key);
    }
    for (const key of shown) {
      if (this.#followed.has(key)) continue;
      const followed = newFollowed();
      this.#followed.set(key, followed);
      followed.running = start((signal) => this.#follow(key, followed, signal));
      followed.running.done.catch(this.#options.log.error);
    }
  }

  /** Replaces the expanded rows, by application key. */
  focus(focuses: ReadonlyMap<string, ProgressFocus>): void {
    this.#focuses = focuses;
  }

  /**
   * Returns the progress of an application. Undefined before the first response or shown problem, and without a running
   * driver.
   */
  progressOf(key: string): ApplicationProgress | undefined {
    return this.#followed.get(key)?.shown;
  }

  /** Ends the back-off of failing drivers: they are polled within a second. */
  wake(): void {
    for (const followed of this.#followed.values()) followed.retryAt = -Infinity;
  }

  dispose(): void {
    this.look([]);
  }

  async #follow(key: string, followed: Followed, signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#options.clock.sleep(tickMs, signal);
      const application = this.#options.find(key);
      const address = application && driverAddressOf(application);
      if (application === undefined || address === undefined || !mayRun(application)) {
        this.#show(key, followed, undefined);
        Object.assign(followed, newFollowed(), { running: followed.running });
        continue;
      }
      const isAllowed = this.#options.isAllowed(address.namespace);
      if (isAllowed === undefined || this.#time() < followed.retryAt) continue;
      if (isAllowed) await this.#readNext(application, address, followed, signal);
      else this.#show(key, followed, { ...noProgress, problem: { kind: "forbidden" } });
    }
  }

  async #readNext(
    application: Application,
    address: DriverAddress,
    followed: Followed,
    signal: AbortSignal,
  ): Promise<void> {
    const { key } = application;
    const { driver, dueAt } = followed;
    const startedAt = this.#time();
    const readings = driver.readings(this.#focuses.get(key) ?? collapsed);
    for (const name of dueAt.keys()) {
      if (!readings.some((reading) => reading.name === name)) dueAt.delete(name);
    }
    const reading = mostUrgent(readings, dueAt, startedAt);
    if (reading === undefined) return;
    const wasActive = driver.current.stages.length > 0;
    const problem = await reading.read({
      ask: (query) => this.#ask(address, query, signal),
      now: () => this.#connection.now(),
    });
    signal.throwIfAborted();
    const now = this.#time();
    if (problem === undefined) {
      const isSlow = now - startedAt > slowMs;
      followed.slowness = isSlow
        ? Math.min(maxSlowness, 2 * followed.slowness)
        : Math.max(1, followed.slowness / 2);
      followed.pauseMs = firstPauseMs;
      followed.answeredAt = now;
      dueAt.set(reading.name, now + reading.everyMs * followed.slowness);
      if (wasActive && driver.current.stages.length === 0) {
        // Makes the list of all stages due now, because its final numbers are lost when the driver ends.
        dueAt.delete(allStagesName);
        this.#options.idle?.(key);
      }
      this.#tellStages(key, reading, driver);
      this.#show(key, followed, driver.current);
      return;
    }
    // Delay the list that failed, so that it does not keep the others from being read.
    dueAt.set(reading.name, now + reading.everyMs);
    followed.retryAt = now + followed.pauseMs;
    followed.pauseMs = Math.min(maxPauseMs, 2 * followed.pauseMs);
    const since = Date.parse(application.driver?.pod.startTime ?? application.createdAt);
    const isYoung = this.#connection.now() - since < startingMs;
    if (followed.shown === undefined && isYoung && startingProblems.includes(problem.kind)) return;
    const isLate = problem.kind === "silent" || problem.kind === "unreachable";
    if (isLate && now - followed.answeredAt < graceMs) return;
    this.#show(key, followed, { ...driver.current, problem });
  }

  #tellStages(key: string, { name }: ListReading, driver: DriverProgress): void {
    const stages = driver.takeAllStages();
    if (stages !== undefined) this.#options.read?.(key, { stages });
    else if (activeStagesNames.includes(name)) {
      this.#options.read?.(key, { active: driver.current.stages });
    }
  }

  /** Sends a query and waits at most 10 s. A repeated request joins the one that is still running. */
  async #ask<T>(
    address: DriverAddress,
    query: DriverList<T>,
    signal: AbortSignal,
  ): Promise<Result<readonly T[], ProgressProblem>> {
    const read = await withinTime(
      (soon) => this.#connection.drivers.rows(address, query, soon),
      { clock: this.#options.clock, ms: patienceMs },
      signal,
    );
    if (read?.ok === true) return read;
    if (read === undefined) return err({ kind: "silent" });
    this.#options.log.debug(`driver ${address.pod}: ${read.error.detail}`);
    return err(problemOf(read.error));
  }

  #show(key: string, followed: Followed, progress: ApplicationProgress | undefined): void {
    const text = progress === undefined ? "" : textOfProgress(progress);
    if (followed.text === text) return;
    followed.text = text;
    followed.shown = progress;
    this.#options.changed(key);
  }
}

/** The polling state of one application. */
interface Followed {
  running: Running | undefined;
  driver: DriverProgress;
  /** The next poll time of each `ListReading`, in ms of the steady clock, by its name. */
  dueAt: Map<string, number>;
  retryAt: number;
  pauseMs: number;
  /** Time of the driver's last response, in ms of the steady clock. */
  answeredAt: number;
  /** Factor for the polling intervals, from 1 to 8. It doubles after each slow response. */
  slowness: number;
  shown: ApplicationProgress | undefined;
  /** `shown` as JSON, to detect changes. */
  text: string;
}

const newFollowed = (): Followed => ({
  ...{ running: undefined, driver: new DriverProgress(), dueAt: new Map<string, number>() },
  ...{ retryAt: -Infinity, pauseMs: firstPauseMs, answeredAt: -Infinity },
  ...{ slowness: 1, shown: undefined, text: "" },
});

const collapsed: ProgressFocus = { isOpen: false, stages: new Set() };

/** A starting driver refuses connections, serves a startup page, or does not know its application yet. */
const startingProblems: readonly ProgressProblem["kind"][] = [
  ...(["unreachable", "silent", "notSpark", "missing"] as const),
];

const mayRun = ({ driver, state }: Application): boolean =>
  driver === undefined ? state.kind === "driverElsewhere" : driver.state.kind === "running";

/** Returns the reading that is overdue for longest; undefined if none is due. Lists that were never read come first. */
function mostUrgent(
  readings: readonly ListReading[],
  dueAt: ReadonlyMap<string, number>,
  now: number,
): ListReading | undefined {
  const due = (reading: ListReading): number => dueAt.get(reading.name) ?? -Infinity;
  return readings
    .filter((reading) => due(reading) <= now)
    .reduce<ListReading | undefined>(
      (best, reading) => (best === undefined || due(reading) < due(best) ? reading : best),
      undefined,
    );
}

function problemOf(error: ClusterError): ProgressProblem {
  if (error.kind === "forbidden") return { kind: "forbidden" };
  if (error.kind === "notFound") return { kind: "missing" };
  if (error.kind !== "badResponse") return { kind: "unreachable" };
  const { status } = error;
  // A redirect, for example to a login page, does not come from Spark's API.
  if (status === undefined || status < 400) return { kind: "notSpark" };
  if (status === 401 || status === 403) return { kind: "denied" };
  // The API server responds with 502 or 503 if the driver's port refuses the connection.
  if (status === 502 || status === 503) return { kind: "unreachable" };
  return { kind: "failing", status };
}

const textOfProgress = ({ tasks, left, ...lists }: ApplicationProgress): string =>
  JSON.stringify([lists, [...tasks], [...left]]);
