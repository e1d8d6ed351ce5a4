import type { Disposable } from "../../base/disposable.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { CloseLook } from "../../engine/closeLook.ts";
import { inTurns, nextTurn } from "../../engine/inTurns.ts";
import { NamespacePresence } from "../../engine/namespacePresence.ts";
import { operatorKinds } from "../../engine/operatedApplications.ts";
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
import { startReflector } from "../../engine/reflector.ts";
import { startResourceWatch } from "../../engine/resourceWatch.ts";
import type { Rounds } from "../../engine/rounds.ts";
import type { PatternMemory } from "../../engine/redactedLogs.ts";
import { start, type Running } from "../../engine/running.ts";
import { sparkPodSelector } from "../../spark/labels.ts";
import {
  emptyModel,
  resourcesOfKind,
  updateApplications,
  updateResources,
  type ApplicationModel,
  type ModelStep,
} from "../../spark/pods/applications.ts";
import type { OperatorResource } from "../../spark/pods/operatorResource.ts";
import { trieValues } from "../../spark/pods/trie.ts";
import type { Log } from "../log.ts";
import { findIn, unknownWatch, type NamespaceWatch, type SessionState } from "./sessionState.ts";

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
  /** Undefined: what is known is forgotten with the window. */
  readonly redactionPatterns?: PatternMemory;
  /** Calls back when one of the files is written, made or removed. */
  readonly watchFiles: (paths: readonly string[], changed: () => void) => Disposable;
}

/** Longer than the editor has been seen to take. */
const watcherStartMs = 5_000;

const isWithoutKubeconfig = (state: SessionState): boolean =>
  state.kind === "failed" &&
  state.error.kind === "configuration" &&
  state.error.problem === "noKubeconfig";

const isShutOut = (freshness: Freshness): boolean =>
  (freshness.kind === "stale" || freshness.kind === "failed") &&
  ["unauthorized", "configuration"].includes(freshness.error.kind);

// An editor writes a file in two steps, and tools replace it: the last word counts.
const kubeconfigPauseMs = 300;

// Often enough to look immediate, seldom enough that a thousand starting executors cost a few redraws.
const deliveryIntervalMs = 50;

type ResourceUpdate = (model: ApplicationModel) => ModelStep;

/** What one connection is for. */
export interface Place {
  /** Undefined: the kubeconfig's current one. */
  readonly context: string | undefined;
  /** What the keys of its applications begin with. */
  readonly scope: string;
  readonly namespaces: () => readonly string[];
}

export interface LifeNews {
  readonly changed: (keys: ReadonlySet<string> | undefined) => void;
  readonly restart: () => void;
}

/** From one connection to its end. */
export class ConnectionLife implements Disposable {
  readonly #place: Place;
  readonly #options: SessionOptions;
  readonly #owned = new DisposableStore();
  readonly #changed: (keys: ReadonlySet<string> | undefined) => void;
  readonly #restart: () => void;
  readonly #opening: Running;
  /** Of pods and of custom resources. */
  readonly #watches: Rounds[] = [];
  /** News of custom resources that came while a model is being made, by watch. */
  readonly #waiting = new Map<number, ResourceUpdate[]>();
  #presence: NamespacePresence | undefined;
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

  /** Another one takes its place. */
  beginAnew(): void {
    this.#restart();
  }

  wake(): void {
    for (const watch of this.#watches) watch.wake();
    this.closeLook?.wake();
  }

  hurry(): void {
    for (const watch of this.#watches) watch.hurry();
    if (this.state.kind === "connected") this.state.watches.forEach(this.#lookWhetherThere);
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
    this.#presence = this.#owned.add(
      new NamespacePresence(connection.objects, {
        clock: this.#options.clock,
        log: this.#options.log,
        found: (namespace, isThere) => {
          this.#takePresence(namespace, isThere);
        },
      }),
    );
    this.#changed(undefined);
    const inTurn = async (begin: (namespace: string | undefined, index: number) => void) => {
      // To make a connection and to send its first request each takes most of a frame.
      for (const [index, namespace] of namespaces.entries()) {
        await nextTurn();
        signal.throwIfAborted();
        begin(namespace, index);
      }
    };
    await inTurn((namespace, index) => {
      this.#watchPods(connection, namespace, index);
    });
    for (const kind of operatorKinds) {
      await inTurn((namespace, index) => {
        this.#watchResources(connection, kind, namespace, index);
      });
    }
  }

  #watchKubeconfig(clusters: Clusters): void {
    const { clock, log, clusterSettings, watchFiles } = this.#options;
    let rereading: Running | undefined;
    const reread = async (signal: AbortSignal): Promise<void> => {
      await clock.sleep(kubeconfigPauseMs, signal);
      const read = await clusters.targetId(this.context, clusterSettings(), signal);
      signal.throwIfAborted();
      // A file that is half written, gone, or broken by hand is no reason to let go of what works.
      if (!read.ok && this.state.kind !== "failed") {
        log.warn(`the kubeconfig has changed and is not used: ${read.error.detail}`);
      } else if (read.ok && this.#isGoodFor(read.value)) {
        this.hurry();
      } else this.#restart();
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

  /** What is under way goes on where a new connection would be the same, and is let in. */
  #isGoodFor(targetId: string | undefined): boolean {
    if (this.state.kind !== "connected") return false;
    const { connection, watches } = this.state;
    return (
      connection.targetId === targetId && !watches.some(({ freshness }) => isShutOut(freshness))
    );
  }

  #watchPods(connection: Connection, namespace: string | undefined, index: number): void {
    const { clock, random, log } = this.#options;
    const store = this.#owned.add(new PodStore({ clock, log }));
    this.#owned.add(
      store.subscribe((delivery) => this.#take(index, delivery), {
        intervalMs: deliveryIntervalMs,
      }),
    );
    const selection = { namespace, labelSelector: sparkPodSelector };
    const reflector = startReflector(connection.pods, selection, store, { clock, random, log });
    this.#own(reflector);
  }

  #watchResources(
    connection: Connection,
    kind: (typeof operatorKinds)[number],
    namespace: string | undefined,
    index: number,
  ): void {
    const { clock, random, log } = this.#options;
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
    this.#own(watch);
  }

  #own(watch: Rounds): void {
    this.#watches.push(this.#owned.add(watch));
    watch.done.catch(this.#options.log.error);
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
    const isMissing = before.isMissing && snapshot.size === 0;
    const after: NamespaceWatch = { ...before, isMissing, freshness, snapshot, model };
    this.state = { ...this.state, watches: this.state.watches.with(index, after) };
    const anyMayHaveChanged = before.freshness !== freshness || delivery.isWhole;
    this.#changed(anyMayHaveChanged ? undefined : keys);
    this.#lookWhetherThere(after);
  }

  readonly #lookWhetherThere = ({ namespace, freshness, snapshot }: NamespaceWatch): void => {
    const isEmpty = freshness.kind === "live" && snapshot.size === 0;
    if (isEmpty && namespace !== undefined) this.#presence?.look(namespace);
  };

  #takePresence(namespace: string, isThere: boolean): void {
    if (this.state.kind !== "connected") return;
    const watches = this.state.watches.map((watch) => {
      const isMissing = !isThere && watch.snapshot.size === 0;
      return watch.namespace === namespace && watch.isMissing !== isMissing
        ? { ...watch, isMissing }
        : watch;
    });
    if (watches.every((watch, index) => watch === this.#watchAt(index))) return;
    this.state = { ...this.state, watches };
    this.#changed(undefined);
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

/** `*` among the chosen means all; none chosen means the context's own. */
function namespacesToWatch(
  chosen: readonly string[],
  connection: Connection,
): readonly (string | undefined)[] {
  if (chosen.includes("*")) return [undefined];
  return chosen.length === 0 ? [connection.namespace] : [...new Set(chosen)];
}
