import { inEnglish } from "../../base/message.ts";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { KnownPods, WatchedPods } from "../../engine/logs/containerState.ts";
import type { Clusters, Connection } from "../../engine/ports/connection.ts";
import { TimelineRecorder } from "../../engine/timeline/timelineRecorder.ts";
import { LogRules } from "../../engine/logs/redactedLogs.ts";
import { withinTime } from "../../engine/withinTime.ts";
import { describeRow } from "../../spark/diagnosis/describe.ts";
import { diagnose, neededLog } from "../../spark/diagnosis/diagnose.ts";
import { diagnosedPod } from "../../spark/diagnosis/diagnosedPod.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";
import type { PodUsage } from "../../spark/diagnosis/executorUsage.ts";
import { areNodesNeeded } from "../../spark/diagnosis/scheduling.ts";
import type { DriverReport } from "../../spark/diagnosis/driverReport.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import type { ProgressFocus } from "../../engine/driver/driverProgress.ts";
import type { ApplicationProgress } from "../../spark/progress/progress.ts";
import type { Timeline } from "../../spark/timeline/timeline.ts";
import {
  hasEndedPod,
  type Application,
  type ExecutorPod,
  type SparkPod,
} from "../../spark/pods/application.ts";
import { findExecutor, podsIn } from "../../spark/pods/applicationRun.ts";
import { applicationKeyOf, findApplication } from "../../spark/pods/applications.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { findPod } from "../../spark/pods/podSnapshot.ts";
import { ageWords } from "./rows/applicationRow.ts";
import { applicationText, type ApplicationText } from "./rows/rowText.ts";
import { ConnectionLife, type Place, type SessionOptions } from "./connectionLife.ts";
import {
  findInSession,
  isWatchOf,
  joinStates,
  liveWatchIn,
  watchesIn,
  type NamespaceWatch,
  type SessionState,
} from "./sessionState.ts";

/** The features that poll drivers to record their timelines: open panels, and the records of runs. */
type RecordingFor = "panels" | "runs";

/** `changedKeys`: the keys of the changed applications; undefined if anything in the session may have changed. */
export interface SessionChange {
  readonly changedKeys: ReadonlySet<string> | undefined;
}

const logPatienceMs = 5_000;

/** The watched pods of an application, and the problems that its row in the view shows. */
export interface WindowPods extends WatchedPods {
  /** Returns the cause of the failure that the application's row shows; undefined if no row shows a failure. */
  readonly failure: (signal: AbortSignal) => Promise<Diagnosis | undefined>;
  /**
   * Returns the problem that the row shows, and whether it is a problem of the driver. Undefined without a problem, and
   * once the driver is terminating or has ended.
   */
  readonly problem: () =>
    { readonly diagnosis: Diagnosis; readonly isOfDriver: boolean } | undefined;
  /**
   * Returns the setting that hides the application from the view. Undefined if the view shows the application, or while
   * any watch is not live.
   */
  readonly hiddenBy: () => "cluster" | "namespaces" | undefined;
}

/**
 * The connections to the watched contexts: the chosen context, which is the target of submissions, and the additional
 * ones. Idle until `start`. A changed kubeconfig replaces a connection if its target changed.
 */
export class ClusterSession implements Disposable {
  readonly #options: SessionOptions;
  /** Returns the name of the run profile that created an application; undefined if none is known. */
  readonly profileOf: (application: Application) => string | undefined;
  readonly #changes: Emitter<SessionChange>;
  readonly #progress: Emitter<string>;
  /** The application of the selected row. */
  selectedKey: string | undefined;
  /** Uids of executors that are being decommissioned. */
  readonly #leaving = new Set<string>();
  /** Uids of drivers that commands of this window stop or delete. */
  readonly #stopped = new Set<string>();
  /** The redaction rules of application logs. The rule of each application is read from its conf once. */
  readonly logRules: LogRules;
  readonly #recorder = new TimelineRecorder();
  #looked: { readonly keys: readonly string[]; readonly isVisible: boolean } = noLook;
  #focuses: ReadonlyMap<string, ProgressFocus> = new Map();
  /** Polling intervals of all stages in ms, by application key: for visible timelines, and for the records of runs. */
  readonly #recorded: Record<RecordingFor, ReadonlyMap<string, number>> = {
    panels: new Map(),
    runs: new Map(),
  };
  #clusters: Promise<Clusters> | undefined;
  /** The chosen context first, then the additional ones by name. */
  #lives: readonly ConnectionLife[] = [];
  #state: SessionState = { kind: "idle" };

  /** `profileOf`: returns the name of the run profile that created an application. */
  constructor(
    options: SessionOptions,
    profileOf: (application: Application) => string | undefined = () => undefined,
  ) {
    this.#options = options;
    this.profileOf = profileOf;
    this.#changes = new Emitter(options.log.error);
    this.#progress = new Emitter(options.log.error);
    this.logRules = new LogRules(options.redactionPatterns, (problem) => {
      options.log.warn(inEnglish(problem));
    });
  }

  get onDidChange(): Emitter<SessionChange>["event"] {
    return this.#changes.event;
  }

  /** Fires with the key of an application whose progress changed. */
  get onDidProgress(): Emitter<string>["event"] {
    return this.#progress.event;
  }

  /**
   * `connected` as soon as one context is connected. The state then has watches of all contexts, also of contexts that
   * are connecting or have failed.
   */
  get state(): SessionState {
    return this.#state;
  }

  /** The applications of all watches, in the order of the watches; within a watch, the newest first. */
  get applications(): readonly Application[] {
    return watchesIn(this.#state).flatMap(({ model }) => [...itemsIn(model.applications)]);
  }

  /** Returns the applications of each watch, with the context of the watch. */
  byContext(): readonly {
    readonly context: string;
    readonly applications: Iterable<Application>;
  }[] {
    return watchesIn(this.#state).map(({ context, model }) => ({
      context,
      applications: itemsIn(model.applications),
    }));
  }

  find(key: string): Application | undefined {
    return findInSession(this.#state, key);
  }

  contextOf(key: string): string | undefined {
    return watchesIn(this.#state).find(({ model }) => findApplication(model, key))?.context;
  }

  /**
   * Sets the applications of the visible rows. Polls their drivers in addition to the watch. While the view is visible,
   * also reads the ends of their failed pods' logs.
   */
  look(keys: Iterable<string>, isVisible: boolean): void {
    this.#looked = { keys: [...keys], isVisible };
    this.#lookAgain();
  }

  /** Sets the expanded progress rows by application key. Polls the driver for the contents of these rows. */
  focusProgress(focuses: ReadonlyMap<string, ProgressFocus>): void {
    this.#focuses = focuses;
    this.#focusAgain();
  }

  /**
   * Sets the applications whose drivers are polled for their timelines, also while no row is visible. `intervals`: the
   * polling interval of their stages in ms, by application key.
   */
  recordDrivers(by: RecordingFor, intervals: ReadonlyMap<string, number>): void {
    this.#recorded[by] = intervals;
    this.#lookAgain();
    this.#focusAgain();
  }

  /**
   * Returns the timeline of an application until now; undefined if it is unknown. Timelines of the last 50 applications
   * whose pods were deleted are known, too.
   */
  timelineOf(key: string): Timeline | undefined {
    return this.#recorder.timelineOf(key, this.nowOf(key));
  }

  #lookAgain(): void {
    const { keys, isVisible } = this.#looked;
    const { panels, runs } = this.#recorded;
    const all = [...new Set([...panels.keys(), ...keys, ...runs.keys()])];
    const close = new Set(panels.keys());
    for (const life of this.#lives) life.look(all, close, isVisible);
  }

  #focusAgain(): void {
    const focuses = new Map(this.#focuses);
    for (const [key, allStagesMs] of [...this.#recorded.runs, ...this.#recorded.panels]) {
      const { isOpen, stages } = focuses.get(key) ?? { isOpen: false, stages: new Set() };
      const isHidden = !this.#looked.keys.includes(key);
      focuses.set(key, { isOpen, stages, isHidden, allStagesMs });
    }
    for (const life of this.#lives) life.progress?.focus(focuses);
  }

  /**
   * Returns the active jobs, stages and queries of an application. Undefined before the first response of the driver,
   * and without a running driver.
   */
  progressOf(key: string): ApplicationProgress | undefined {
    return this.#lifeOf(key)?.progress?.progressOf(key);
  }

  /** Returns the last report of the driver's REST API; undefined if there is none, for example without permission. */
  reportOf(key: string): DriverReport | undefined {
    return this.#lifeOf(key)?.statusPoller?.reportOf(key);
  }

  /** Reads the current CPU and memory of a pod from metrics-server; undefined if unknown. */
  async podUsageOf(key: string, pod: PodRecord): Promise<PodUsage | undefined> {
    return this.#lifeOf(key)?.podUsages?.usageOf(pod);
  }

  /** Diagnoses why a pod is unhealthy. The first diagnosis explains the row. */
  diagnose(application: Application, one: SparkPod): readonly Diagnosis[] {
    const diagnosed = this.#diagnosed(application, one);
    const part = neededLog(diagnosed);
    const failedLogs = this.#lifeOf(application.key)?.failedLogs;
    const logCause = part && failedLogs?.causeOf(application.key, one, part);
    return diagnose({ ...diagnosed, logCause });
  }

  /**
   * Returns the cause of a failure that the application's row shows. Waits at most 5 s for the end of the log, which it
   * reads even while the view is hidden. Undefined if the driver has not failed, or if no cause is known.
   */
  async failureOf(application: Application, signal: AbortSignal): Promise<Diagnosis | undefined> {
    const { key, driver } = application;
    if (driver?.state.kind !== "failed") return undefined;
    const read = async (): Promise<void> => {
      const failedLogs = this.#lifeOf(key)?.failedLogs;
      // After the driver's log is read, an executor can become the subject of the row. Then read its log, too.
      for (const find of [() => driver, () => this.rowOf(application).subject]) {
        const one = find();
        if (one === undefined || neededLog(this.#diagnosed(application, one)) !== "end") continue;
        await failedLogs?.readEnd(key, one);
      }
    };
    await withinTime(read, { clock: this.#options.clock, ms: logPatienceMs }, signal);
    return this.rowOf(application).fact;
  }

  /** Returns the description of the application's row, with the diagnosis that explains it. */
  rowOf(application: Application): ReturnType<typeof describeRow> {
    const { key } = application;
    const of = (one: SparkPod): readonly Diagnosis[] => this.diagnose(application, one);
    return describeRow(application, this.reportOf(key), of, this.nowOf(key));
  }

  #diagnosed(application: Application, one: SparkPod): ReturnType<typeof diagnosedPod> {
    const { pod, state } = one;
    const { statusPoller, largestNode } = this.#lifeOf(application.key) ?? {};
    return diagnosedPod(application, one, {
      events: statusPoller?.eventsOf(pod.uid) ?? [],
      report: statusPoller?.reportOf(application.key),
      largestNode: areNodesNeeded(state) ? largestNode?.size : undefined,
      isStoppedHere: this.isStoppedHere(pod.uid),
      now: this.nowOf(application.key),
    });
  }

  /** Returns the texts of an application's row without its progress, for lists outside the tree. */
  describe(application: Application): ApplicationText {
    const { key } = application;
    const now = this.nowOf(key);
    const known = {
      report: this.reportOf(key),
      diagnose: (pod: SparkPod) => this.diagnose(application, pod),
      profile: this.profileOf(application),
    };
    return applicationText(application, known, now, ageWords(application, now));
  }

  /** Reads the last lines of a failed pod's log, redacted. Undefined if the log cannot be read now. */
  async failedLogOf(
    key: string,
    one: SparkPod,
    signal: AbortSignal,
  ): Promise<readonly LogLine[] | undefined> {
    return this.#lifeOf(key)?.failedLogs?.linesOf(key, one, signal);
  }

  /** Returns the time in the application's cluster, in epoch milliseconds; without a connection, the local time. */
  nowOf(key: string): number {
    const state = this.#lifeOf(key)?.state;
    return state?.kind === "connected" ? state.connection.now() : this.#options.clock.now();
  }

  findExecutor(key: string, uid: string): ExecutorPod | undefined {
    const application = this.find(key);
    const pod = this.findPod(key, uid);
    return application && pod && findExecutor(application, pod);
  }

  /** Marks an executor as decommissioning, because its pod shows the decommissioning late or never. */
  beginLeaving({ key }: Application, { uid }: PodRecord): void {
    this.#leaving.add(uid);
    this.#changes.fire({ changedKeys: new Set([key]) });
  }

  /** Removes the marks of `beginLeaving`. Call it when the executors have ended or the timeout has passed. */
  endLeaving(pods: Iterable<PodRecord>): void {
    for (const { uid } of pods) this.#leaving.delete(uid);
    this.#changes.fire({ changedKeys: undefined });
  }

  isLeaving(uid: string): boolean {
    return this.#leaving.has(uid);
  }

  /** Marks a driver as stopped by a command of this window, before its pod is deleted. */
  beginStop({ key, driver }: Application): void {
    if (driver === undefined) return;
    this.#stopped.add(driver.pod.uid);
    this.#changes.fire({ changedKeys: new Set([key]) });
  }

  /** Removes the mark of `beginStop`. Call it if the driver was not stopped. */
  cancelStop({ key, driver }: Application): void {
    if (driver === undefined) return;
    this.#stopped.delete(driver.pod.uid);
    this.#changes.fire({ changedKeys: new Set([key]) });
  }

  isStoppedHere(uid: string): boolean {
    return this.#stopped.has(uid);
  }

  /**
   * Returns access to the pods of an application's context. The result keeps reading this context after the user
   * chooses another one.
   */
  podsOf(key: string): KnownPods {
    const context = this.contextOf(key) ?? this.#watchesOf(key)[0]?.context;
    return {
      areKnown: (namespace) => liveWatchIn(this.#state, context, namespace) !== undefined,
      findPod: (uid) =>
        podIn(
          watchesIn(this.#state).filter((watch) => watch.context === context),
          uid,
        ),
      onDidChange: (listener) => this.onDidChange(listener),
    };
  }

  /**
   * Returns access to the pods of a driver's application, as far as a watch of the window covers its namespace.
   * `server`: the URL of the driver's API server.
   */
  watchedAt(server: string, driver: PodRecord): WindowPods {
    const find = (): NamespaceWatch | undefined => {
      const watches = this.#lives.flatMap(({ state }) =>
        state.kind === "connected" && state.connection.server === server ? state.watches : [],
      );
      const ofDriver = watches.filter((watch) => isWatchOf(watch, driver.namespace));
      return ofDriver.find(({ freshness }) => freshness.kind === "live") ?? ofDriver[0];
    };
    const own = (): Application | undefined => {
      const model = find()?.model;
      return model && findApplication(model, `${model.scope}${applicationKeyOf(driver)}`);
    };
    return {
      freshness: () => find()?.freshness,
      areKnown: (namespace) => namespace === driver.namespace && find()?.freshness.kind === "live",
      findPod: (uid) => {
        const watch = find();
        return watch && findPod(watch.snapshot, uid);
      },
      pods: () => {
        const application = own();
        return application === undefined ? [] : podsIn(application);
      },
      failure: async (signal) => {
        const application = own();
        return application?.driver?.pod.uid === driver.uid
          ? this.failureOf(application, signal)
          : undefined;
      },
      problem: () => {
        const application = own();
        const current = application?.driver;
        if (application === undefined || current?.pod.uid !== driver.uid) return undefined;
        if (hasEndedPod(current) || current.state.kind === "terminating") return undefined;
        const { fact: diagnosis, subject } = this.rowOf(application);
        return diagnosis && { diagnosis, isOfDriver: subject?.pod.uid === driver.uid };
      },
      onDidChange: (listener) => this.onDidChange(listener),
      hiddenBy: () => {
        const { state } = this;
        if (find() !== undefined || state.kind !== "connected") return undefined;
        if (state.watches.some(({ freshness }) => freshness.kind !== "live")) return undefined;
        const isConnected = this.#lives.some(
          ({ state: own }) => own.kind === "connected" && own.connection.server === server,
        );
        return isConnected ? "namespaces" : "cluster";
      },
    };
  }

  /** Finds a pod in an application's cluster. Uids are not unique across clusters restored from one backup. */
  findPod(key: string, uid: string): PodRecord | undefined {
    return podIn(this.#watchesOf(key), uid);
  }

  #watchesOf(key: string): readonly NamespaceWatch[] {
    return watchesIn(this.#lifeOf(key)?.state ?? this.#state);
  }

  /** The error of the session, or of its first failed or stale watch; undefined if there is none. */
  get problem(): ClusterError | undefined {
    if (this.#state.kind === "failed") return this.#state.error;
    for (const { freshness } of watchesIn(this.#state)) {
      if (freshness.kind === "failed" || freshness.kind === "stale") return freshness.error;
    }
    return undefined;
  }

  /** True if the session is connected and all its watches are live. */
  get isLive(): boolean {
    const { state } = this;
    return (
      state.kind === "connected" &&
      state.watches.every(({ freshness }) => freshness.kind === "live")
    );
  }

  /** Connects, unless the session has started. */
  start(): void {
    if (this.#lives.length === 0) this.restart();
  }

  /** Replaces all connections with new ones, using the current settings. */
  restart(): void {
    const { chosenContext, chosenNamespaces } = this.#options;
    this.#end(this.#lives);
    const chosen = chosenContext();
    this.#lives = [this.#begin({ context: chosen, scope: "", namespaces: chosenNamespaces })];
    this.#addFurther();
    this.#settle(undefined);
  }

  /** Applies a change of the additional contexts. Keeps the connections of unchanged contexts. */
  followFurther(): void {
    const wanted = this.#further();
    const gone = this.#lives.slice(1).filter(({ context = "" }) => !wanted.includes(context));
    this.#lives = this.#lives.filter((life) => !gone.includes(life));
    this.#end(gone);
    if (this.#lives.length > 0) this.#addFurther();
    this.#settle(undefined);
  }

  /** Retries at once: wakes the watches, and reconnects failed contexts. */
  reconnect(): void {
    if (this.#lives.length === 0) this.restart();
    for (const life of [...this.#lives]) {
      if (life.state.kind === "failed") life.replace();
      else life.wake();
    }
  }

  /** Ends the back-off of the watches of unreachable servers. The view calls it repeatedly while it is visible. */
  hurry(): void {
    for (const life of this.#lives) life.hurry();
  }

  /**
   * Starts the session if needed, and waits for the connection to the chosen context. Rejects if `signal` aborts or the
   * session is disposed.
   */
  connect(signal: AbortSignal): Promise<Result<Connection, ClusterError>> {
    this.start();
    return this.#connection(() => this.#lives[0], signal);
  }

  /** The current connection to the chosen context; undefined if there is none. */
  get chosen(): Connection | undefined {
    const state = this.#lives[0]?.state;
    return state?.kind === "connected" ? state.connection : undefined;
  }

  /** As `connect`, for the context of an application. */
  connectTo(key: string, signal: AbortSignal): Promise<Result<Connection, ClusterError>> {
    this.start();
    return this.#connection(() => this.#lifeOf(key), signal);
  }

  /** Returns the current connection of an application's context. Defined for every shown application. */
  connectionOf(key: string): Connection | undefined {
    const state = this.#lifeOf(key)?.state;
    return state?.kind === "connected" ? state.connection : undefined;
  }

  async #connection(
    find: () => ConnectionLife | undefined,
    signal: AbortSignal,
  ): Promise<Result<Connection, ClusterError>> {
    for (;;) {
      const life = find();
      if (life === undefined) throw new Error("the session is disposed");
      await life.settled;
      signal.throwIfAborted();
      const { state } = life;
      if (state.kind === "connected") return ok(state.connection);
      if (state.kind === "failed") return err(state.error);
      // The connection ended without a result: either a newer connection replaced it, or the session is disposed.
      if (life === find()) throw new Error("the session is disposed");
    }
  }

  #lifeOf(key: string): ConnectionLife | undefined {
    const further = this.#lives.slice(1).find(({ scope }) => key.startsWith(scope));
    return further ?? this.#lives[0];
  }

  #further(): readonly string[] {
    const { furtherContexts, chosenContext } = this.#options;
    const chosen = this.chosen?.context ?? chosenContext();
    return Object.keys(furtherContexts())
      .filter((context) => context !== chosen)
      .sort();
  }

  #addFurther(): void {
    const known = new Set(this.#lives.slice(1).map(({ context }) => context));
    const come = this.#further()
      .filter((context) => !known.has(context))
      .map((context) => {
        const namespaces = (): readonly string[] => this.#options.furtherContexts()[context] ?? [];
        return this.#begin({ context, scope: `${context}|`, namespaces });
      });
    this.#lives = [...this.#lives, ...come];
  }

  #begin(place: Place): ConnectionLife {
    const options = { ...this.#options, logRules: this.logRules };
    const life = new ConnectionLife(place, options, this.clusters, {
      changed: (keys) => {
        if (keys === undefined) this.followFurther();
        else this.#settle(keys);
      },
      progressed: (key) => {
        this.#progress.fire(key);
      },
      read: (key, reading) => {
        const allocation = this.reportOf(key)?.allocation;
        this.#recorder.read(key, reading, { now: this.nowOf(key), allocation });
      },
      // Replaces this connection only.
      restart: () => {
        this.#end([life]);
        this.#lives = this.#lives.map((one) => (one === life ? this.#begin(place) : one));
        this.#settle(undefined);
      },
    });
    return life;
  }

  #end(lives: readonly ConnectionLife[]): void {
    for (const life of lives) life.dispose();
  }

  #settle(changedKeys: ReadonlySet<string> | undefined): void {
    this.#state = joinStates(this.#lives);
    this.#record(changedKeys);
    this.#changes.fire({ changedKeys });
  }

  #record(changedKeys: ReadonlySet<string> | undefined): void {
    this.#recorder.take(
      changedKeys ?? [...this.#recorder.keys(), ...this.applications.map(({ key }) => key)],
      (key) => this.find(key) ?? (this.#isGone(key) ? "gone" : undefined),
      (key) => this.nowOf(key),
    );
    // Set the polled drivers again, because an application can become known after `recordDrivers` named its key.
    const { panels, runs } = this.#recorded;
    if (panels.size + runs.size > 0) this.#lookAgain();
  }

  /** True if all watches of the application's namespace are live, so that an unlisted application was deleted. */
  #isGone(key: string): boolean {
    const life = this.#lifeOf(key);
    if (life?.state.kind !== "connected") return false;
    const [namespace = ""] = key.slice(life.scope.length).split("/");
    const covering = life.state.watches.filter((watch) => isWatchOf(watch, namespace));
    return covering.length > 0 && covering.every(({ freshness }) => freshness.kind === "live");
  }

  /**
   * Starts the session if needed, and waits until every watch has received its first list or has failed, or until
   * `signal` aborts.
   */
  async loaded(signal: AbortSignal): Promise<void> {
    this.start();
    await this.until(() => {
      const { state } = this;
      if (state.kind !== "connected") return state.kind === "failed";
      return state.watches.every(({ freshness }) => freshness.kind !== "connecting");
    }, signal);
  }

  /**
   * Resolves to true once the condition is true, to false if `signal` aborts first. Checks the condition now and after
   * each change.
   */
  until(condition: () => boolean, signal: AbortSignal): Promise<boolean> {
    if (condition()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const owned = new DisposableStore();
      const settle = (holds: boolean): void => {
        owned.dispose();
        resolve(holds);
      };
      const stop = (): void => {
        settle(false);
      };
      owned.add(
        this.onDidChange(() => {
          if (condition()) settle(true);
        }),
      );
      signal.addEventListener("abort", stop);
      owned.add(
        disposable(() => {
          signal.removeEventListener("abort", stop);
        }),
      );
      if (signal.aborted) stop();
    });
  }

  /**
   * The watched namespaces of the chosen context, which are the possible targets of submissions. Empty if all
   * namespaces are watched, or without a connection.
   */
  get watchedNamespaces(): readonly string[] {
    const state = this.#lives[0]?.state;
    return state?.kind === "connected"
      ? state.watches.flatMap(({ namespace }) => namespace ?? [])
      : [];
  }

  readonly clusters = (): Promise<Clusters> => (this.#clusters ??= this.#options.loadClusters());

  dispose(): void {
    this.#end(this.#lives);
    this.#lives = [];
    this.#changes.dispose();
    this.#progress.dispose();
    this.#clusters?.then((clusters) => {
      clusters.dispose();
    }, this.#options.log.error);
  }
}

const noLook = { keys: [], isVisible: false };

function podIn(watches: readonly NamespaceWatch[], uid: string): PodRecord | undefined {
  for (const { snapshot } of watches) {
    const pod = findPod(snapshot, uid);
    if (pod) return pod;
  }
  return undefined;
}
