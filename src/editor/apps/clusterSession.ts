import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { CloseLook } from "../../engine/closeLook.ts";
import { inTurns } from "../../engine/inTurns.ts";
import { PodStore } from "../../engine/podStore.ts";
import type { Freshness, PodDelivery } from "../../engine/podSubscription.ts";
import type {
  Clock,
  Clusters,
  ClusterSettings,
  Connection,
  Random,
  ResourceEvent,
} from "../../engine/ports.ts";
import { operatorKinds } from "../../engine/operatedApplications.ts";
import { startResourceWatch } from "../../engine/resourceWatch.ts";
import { startReflector, type Reflector } from "../../engine/reflector.ts";
import { start, type Running } from "../../engine/running.ts";
import { diagnose } from "../../spark/diagnosis/diagnose.ts";
import type { Diagnosis } from "../../spark/diagnosis/diagnosis.ts";
import type { DriverReport } from "../../spark/diagnosis/driverReport.ts";
import { isDriverRole, roleLabel, sparkPodSelector } from "../../spark/labels.ts";
import type { Application, ExecutorPod, SparkPod } from "../../spark/pods/application.ts";
import { findExecutor } from "../../spark/pods/applicationRun.ts";
import {
  emptyModel,
  findApplication,
  resourcesOfKind,
  updateApplications,
  updateResources,
  type ApplicationModel,
  type ModelStep,
} from "../../spark/pods/applications.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import { isPython } from "../../spark/pods/origin.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { emptySnapshot, findPod, type PodSnapshot } from "../../spark/pods/podSnapshot.ts";
import { trieValues } from "../../spark/pods/trie.ts";
import type { Log } from "../log.ts";

export interface SessionOptions {
  readonly loadClusters: () => Promise<Clusters>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly clusterSettings: () => ClusterSettings;
  readonly chosenContext: () => string | undefined;
  readonly chosenNamespaces: () => readonly string[];
  /** Contexts that are watched besides, each with its namespaces; none: the context's own. */
  readonly furtherContexts: () => Readonly<Record<string, readonly string[]>>;
  /** Calls back when one of the files is written, made or removed. */
  readonly watchFiles: (paths: readonly string[], changed: () => void) => Disposable;
}

/** Where the session, or its part with one context, stands: nothing asked of it yet, on its way, connected, or why not. */
export type SessionState =
  | { readonly kind: "idle" }
  | { readonly kind: "connecting" }
  | {
      readonly kind: "connected";
      readonly connection: Connection;
      readonly watches: readonly NamespaceWatch[];
    }
  | { readonly kind: "failed"; readonly error: ClusterError };

/** What is known of one namespace. */
export interface NamespaceWatch {
  readonly context: string;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly freshness: Freshness;
  readonly snapshot: PodSnapshot;
  readonly model: ApplicationModel;
}

/** `changedKeys` undefined: anything may have changed. */
export interface SessionChange {
  readonly changedKeys: ReadonlySet<string> | undefined;
}

// An editor writes a file in two steps, and tools replace it: the last word counts.
/** Longer than the editor has been seen to take. */
const watcherStartMs = 5_000;

const isWithoutKubeconfig = (state: SessionState): boolean =>
  state.kind === "failed" &&
  state.error.kind === "configuration" &&
  state.error.problem === "noKubeconfig";

const kubeconfigPauseMs = 300;

// Often enough to look immediate, seldom enough that a thousand starting executors cost a few redraws.
const deliveryIntervalMs = 50;

/**
 * The clusters that the window looks at: that of the chosen context, where submissions go, and those of further
 * contexts. Does nothing until `start`; a change of the settings or of the kubeconfig ends the connections, all that
 * they opened, and begins new ones.
 */
export class ClusterSession implements Disposable {
  readonly #options: SessionOptions;
  readonly #changes: Emitter<SessionChange>;
  #clusters: Promise<Clusters> | undefined;
  /** That of the chosen context first, then by the names of the further ones. */
  #lives: readonly ConnectionLife[] = [];
  #state: SessionState = { kind: "idle" };

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#changes = new Emitter(options.log.error);
  }

  get onDidChange(): Emitter<SessionChange>["event"] {
    return this.#changes.event;
  }

  /** Connected as soon as one context is; the others stand among its watches then, failed ones too. */
  get state(): SessionState {
    return this.#state;
  }

  /** All applications of the watched namespaces, for each namespace the newest first. */
  get applications(): readonly Application[] {
    return watchesIn(this.#state).flatMap(({ model }) => [...itemsIn(model.applications)]);
  }

  /** The same for each of the watches, with its context. */
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
    return findIn(this.#state, key);
  }

  /** The context of an application. */
  contextOf(key: string): string | undefined {
    return watchesIn(this.#state).find(({ model }) => findApplication(model, key))?.context;
  }

  /** The applications that somebody looks at: of these more is asked than the watch tells. */
  look(keys: Iterable<string>): void {
    const all = [...keys];
    for (const life of this.#lives) life.look(all);
  }

  /** What the driver says of itself; undefined where it was not asked or may not be. */
  reportOf(key: string): DriverReport | undefined {
    return this.#lifeOf(key)?.closeLook?.reportOf(key);
  }

  /** Why a pod is not well, the reason for its row first. */
  diagnose(application: Application, { pod, state }: SparkPod): readonly Diagnosis[] {
    const closeLook = this.#lifeOf(application.key)?.closeLook;
    return diagnose({
      pod,
      state,
      role: isDriverRole(pod.labels[roleLabel]) ? "driver" : "executor",
      isPython: isPython(application),
      notices: closeLook?.noticesOf(pod.uid) ?? [],
      application,
      report: closeLook?.reportOf(application.key),
      now: this.#options.clock.now(),
    });
  }

  findExecutor(key: string, uid: string): ExecutorPod | undefined {
    const application = this.find(key);
    const pod = this.findPod(uid);
    return application && pod && findExecutor(application, pod);
  }

  /** A pod of any watched namespace, by its uid. */
  findPod(uid: string): PodRecord | undefined {
    for (const { snapshot } of watchesIn(this.#state)) {
      const pod = findPod(snapshot, uid);
      if (pod) return pod;
    }
    return undefined;
  }

  /** What keeps the session from knowing all; undefined where nothing does. */
  get problem(): ClusterError | undefined {
    if (this.#state.kind === "failed") return this.#state.error;
    for (const { freshness } of watchesIn(this.#state)) {
      if (freshness.kind === "failed" || freshness.kind === "stale") return freshness.error;
    }
    return undefined;
  }

  /** Whether all that is shown is as the clusters have it now. */
  get isLive(): boolean {
    const { state } = this;
    return (
      state.kind === "connected" &&
      state.watches.every(({ freshness }) => freshness.kind === "live")
    );
  }

  /** Connects if that has not been asked for before. */
  start(): void {
    if (this.#lives.length === 0) this.restart();
  }

  /** Ends the connections, if there are any, and begins new ones with the settings as they are now. */
  restart(): void {
    const { chosenContext, chosenNamespaces } = this.#options;
    this.#end(this.#lives);
    const chosen = chosenContext();
    this.#lives = [this.#begin({ context: chosen, scope: "", namespaces: chosenNamespaces })];
    this.#addFurther();
    this.#settle(undefined);
  }

  /** Follows a change of the further contexts alone: what is watched before and after is left in peace. */
  followFurther(): void {
    const wanted = this.#further();
    const gone = this.#lives.slice(1).filter(({ context = "" }) => !wanted.includes(context));
    this.#lives = this.#lives.filter((life) => !gone.includes(life));
    this.#end(gone);
    if (this.#lives.length > 0) this.#addFurther();
    this.#settle(undefined);
  }

  /** Tries again at once: wakes the watches, or begins anew where there is no connection. */
  reconnect(): void {
    if (this.#lives.length === 0 || this.#lives.some(({ state }) => state.kind === "failed")) {
      this.restart();
    } else for (const life of this.#lives) life.wake();
  }

  /** The connection to the chosen context, as soon as there is one. */
  connect(signal: AbortSignal): Promise<Result<Connection, ClusterError>> {
    this.start();
    return this.#connection(() => this.#lives[0], signal);
  }

  /** The connection to the chosen context; undefined while there is none. */
  get chosen(): Connection | undefined {
    const state = this.#lives[0]?.state;
    return state?.kind === "connected" ? state.connection : undefined;
  }

  /** The connection over which an application is known, or was. */
  connectTo(key: string, signal: AbortSignal): Promise<Result<Connection, ClusterError>> {
    this.start();
    return this.#connection(() => this.#lifeOf(key), signal);
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
      // Else it was replaced by a newer life in the meantime.
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
    return new ConnectionLife(place, this.#options, this.clusters, {
      changed: (keys) => {
        if (keys === undefined) this.followFurther();
        else this.#settle(keys);
      },
      restart: () => {
        this.restart();
      },
    });
  }

  #end(lives: readonly ConnectionLife[]): void {
    for (const life of lives) life.dispose();
  }

  #settle(changedKeys: ReadonlySet<string> | undefined): void {
    this.#state = joinStates(this.#lives);
    this.#changes.fire({ changedKeys });
  }

  /** When every watch has told its first word, or cannot. */
  async loaded(signal: AbortSignal): Promise<void> {
    this.start();
    await this.until(() => {
      const { state } = this;
      if (state.kind !== "connected") return state.kind === "failed";
      return state.watches.every(({ freshness }) => freshness.kind !== "connecting");
    }, signal);
  }

  /** True as soon as the condition holds; looked at after each change. False when `signal` aborts before. */
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

  /** The first of the watched namespaces, where a submission goes; undefined where all are watched. */
  get firstNamespace(): string | undefined {
    const state = this.#lives[0]?.state;
    return state?.kind === "connected" ? state.watches[0]?.namespace : undefined;
  }

  readonly clusters = (): Promise<Clusters> => (this.#clusters ??= this.#options.loadClusters());

  dispose(): void {
    this.#end(this.#lives);
    this.#lives = [];
    this.#changes.dispose();
    this.#clusters?.then((clusters) => {
      clusters.dispose();
    }, this.#options.log.error);
  }
}

type ResourceUpdate = (model: ApplicationModel) => ModelStep;

/** What one connection is for. */
interface Place {
  /** Undefined: the kubeconfig's current one. */
  readonly context: string | undefined;
  /** What the keys of its applications begin with. */
  readonly scope: string;
  readonly namespaces: () => readonly string[];
}

interface LifeNews {
  readonly changed: (keys: ReadonlySet<string> | undefined) => void;
  readonly restart: () => void;
}

/** From one connection to its end. */
class ConnectionLife implements Disposable {
  readonly #place: Place;
  readonly #options: SessionOptions;
  readonly #owned = new DisposableStore();
  readonly #changed: (keys: ReadonlySet<string> | undefined) => void;
  readonly #restart: () => void;
  readonly #opening: Running;
  #reflectors: readonly Reflector[] = [];
  /** News of custom resources that came while a model is being made, by watch. */
  readonly #waiting = new Map<number, ResourceUpdate[]>();
  closeLook: CloseLook | undefined;
  state: SessionState = { kind: "connecting" };

  constructor(
    place: Place,
    options: SessionOptions,
    clusters: () => Promise<Clusters>,
    { changed, restart }: LifeNews,
  ) {
    this.#place = place;
    this.#options = options;
    this.#restart = restart;
    this.#changed = (keys) => {
      if (!this.#owned.isDisposed) changed(keys);
    };
    this.#opening = this.#owned.add(start((signal) => this.#open(clusters, signal)));
    this.#opening.done.catch(options.log.error);
  }

  get context(): string | undefined {
    return this.#place.context;
  }

  get scope(): string {
    return this.#place.scope;
  }

  look(keys: readonly string[]): void {
    this.closeLook?.look(keys.filter((key) => findIn(this.state, key) !== undefined));
  }

  /** When the connection stands or has failed. */
  get settled(): Promise<void> {
    return this.#opening.done;
  }

  wake(): void {
    for (const reflector of this.#reflectors) reflector.wake();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #open(loadClusters: () => Promise<Clusters>, signal: AbortSignal): Promise<void> {
    const { context, scope, namespaces: chosen } = this.#place;
    const clusters = await loadClusters();
    signal.throwIfAborted();
    this.#watchKubeconfig(clusters);
    const settings = this.#options.clusterSettings();
    const connected = await clusters.connect(context, settings, signal);
    if (!connected.ok) {
      this.state = { kind: "failed", error: connected.error };
      this.#changed(undefined);
      return;
    }
    const connection = this.#owned.add(connected.value);
    signal.throwIfAborted();
    const namespaces = namespacesToWatch(chosen(), connection);
    const watches = namespaces.map((namespace): NamespaceWatch => ({
      ...unknownWatch(connection.context, { kind: "connecting" }),
      namespace,
      model: { ...emptyModel, scope },
    }));
    this.state = { kind: "connected", connection, watches };
    this.closeLook = this.#owned.add(
      new CloseLook(connection, {
        clock: this.#options.clock,
        log: this.#options.log,
        find: (key) => findIn(this.state, key),
        changed: this.#changed,
      }),
    );
    this.#reflectors = namespaces.map((namespace, index) =>
      this.#watch(connection, namespace, index),
    );
    this.#changed(undefined);
  }

  #watchKubeconfig(clusters: Clusters): void {
    const { clock, log, clusterSettings, watchFiles } = this.#options;
    let rereading: Running | undefined;
    const reread = async (signal: AbortSignal): Promise<void> => {
      await clock.sleep(kubeconfigPauseMs, signal);
      const read = await clusters.readKubeconfig(clusterSettings(), signal);
      signal.throwIfAborted();
      // A file that is half written, or broken by hand, is no reason to let go of what works.
      if (read.ok || this.state.kind === "failed") this.#restart();
      else log.warn(`the kubeconfig has changed and is not used: ${read.error.detail}`);
    };
    const changed = (): void => {
      if (rereading) this.#owned.remove(rereading);
      rereading = this.#owned.add(start(reread));
      rereading.done.catch(log.error);
    };
    this.#owned.add(watchFiles(clusters.kubeconfigPaths(clusterSettings()), changed));
    // The editor's watcher takes a moment until it sees anything; what was written in between is found here.
    const lookOnce = this.#owned.add(
      start(async (signal) => {
        await clock.sleep(watcherStartMs, signal);
        if (!isWithoutKubeconfig(this.state)) return;
        const read = await clusters.readKubeconfig(clusterSettings(), signal);
        signal.throwIfAborted();
        if (read.ok) this.#restart();
      }),
    );
    lookOnce.done.catch(log.error);
  }

  #watch(connection: Connection, namespace: string | undefined, index: number): Reflector {
    const { clock, random, log } = this.#options;
    const store = this.#owned.add(new PodStore({ clock, log }));
    this.#owned.add(
      store.subscribe((delivery) => this.#take(index, delivery), {
        intervalMs: deliveryIntervalMs,
      }),
    );
    const selection = { namespace, labelSelector: sparkPodSelector };
    const reflector = startReflector(connection.pods, selection, store, { clock, random, log });
    reflector.done.catch(log.error);
    for (const kind of operatorKinds) {
      const sink = {
        replace: (_: unknown, resources: readonly OperatorResource[]) => {
          this.#takeResources(index, (model) =>
            updateResources(model, resources, resourcesOfKind(model, kind)),
          );
        },
        apply: (events: readonly ResourceEvent[]) => {
          const [gone, come] = [true, false].map((isDeletion) =>
            events
              .filter((event) => (event.kind === "deleted") === isDeletion)
              .map(({ resource }) => resource),
          );
          this.#takeResources(index, (model) => updateResources(model, come ?? [], gone ?? []));
        },
      };
      const watch = startResourceWatch(connection.resources, kind, namespace, sink, {
        clock,
        random,
        log,
      });
      this.#owned.add(watch).done.catch(log.error);
    }
    return this.#owned.add(reflector);
  }

  // The model is made in slices, and shown when it is whole: tens of thousands of pods are no reason for
  // the editor to stand still.
  async #take(index: number, delivery: PodDelivery): Promise<void> {
    const before = this.#watchAt(index);
    if (before === undefined) return;
    const waiting: ResourceUpdate[] = [];
    this.#waiting.set(index, waiting);
    let model = delivery.isWhole
      ? updateResources(
          { ...emptyModel, scope: this.scope },
          [...trieValues(before.model.resources)],
          [],
        ).model
      : before.model;
    const keys = new Set<string>();
    const take = (step: ModelStep): void => {
      model = step.model;
      for (const key of step.changedKeys) keys.add(key);
    };
    try {
      for await (const changes of inTurns(delivery.changes())) {
        take(updateApplications(model, changes));
      }
      for (const update of waiting) take(update(model));
    } finally {
      this.#waiting.delete(index);
    }
    // Another watch may have moved on meanwhile; this one's deliveries come one after the other.
    if (this.state.kind !== "connected" || this.#owned.isDisposed) return;
    const { freshness, snapshot } = delivery;
    const after: NamespaceWatch = { ...before, freshness, snapshot, model };
    this.state = { ...this.state, watches: this.state.watches.with(index, after) };
    const anyMayHaveChanged = before.freshness !== freshness || delivery.isWhole;
    this.#changed(anyMayHaveChanged ? undefined : keys);
  }

  #takeResources(index: number, update: ResourceUpdate): void {
    const waiting = this.#waiting.get(index);
    if (waiting !== undefined) {
      waiting.push(update);
      return;
    }
    const before = this.#watchAt(index);
    if (before === undefined || this.state.kind !== "connected") return;
    const { model, changedKeys } = update(before.model);
    if (model === before.model) return;
    const after: NamespaceWatch = { ...before, model };
    this.state = { ...this.state, watches: this.state.watches.with(index, after) };
    this.#changed(changedKeys);
  }

  #watchAt(index: number): NamespaceWatch | undefined {
    return this.state.kind === "connected" ? this.state.watches[index] : undefined;
  }
}

const unknownWatch = (context: string, freshness: Freshness): NamespaceWatch => ({
  ...{ context, namespace: undefined, freshness, snapshot: emptySnapshot, model: emptyModel },
});

/** What all the connections have to show. */
function joinStates(lives: readonly ConnectionLife[]): SessionState {
  const states = lives.map(({ state }) => state);
  const connected = states.find((state) => state.kind === "connected");
  if (connected === undefined)
    return states.find(({ kind }) => kind === "connecting") ?? states[0] ?? { kind: "idle" };
  const watches = lives.flatMap(({ state, context = "" }) => {
    if (state.kind === "connected") return state.watches;
    return [unknownWatch(context, state.kind === "failed" ? state : { kind: "connecting" })];
  });
  return { ...connected, watches };
}

const watchesIn = (state: SessionState): readonly NamespaceWatch[] =>
  state.kind === "connected" ? state.watches : [];

function findIn(state: SessionState, key: string): Application | undefined {
  for (const { model } of watchesIn(state)) {
    const application = findApplication(model, key);
    if (application) return application;
  }
  return undefined;
}

/** `*` among the chosen means all; none chosen means the context's own. */
function namespacesToWatch(
  chosen: readonly string[],
  connection: Connection,
): readonly (string | undefined)[] {
  if (chosen.includes("*")) return [undefined];
  return chosen.length === 0 ? [connection.namespace] : [...new Set(chosen)];
}
