import type { Disposable } from "../../base/disposable.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { LargestNode } from "../../engine/driver/largestNode.ts";
import { PodUsages } from "../../engine/driver/podUsages.ts";
import { ProgressPoller } from "../../engine/driver/progressPoller.ts";
import { StatusPoller } from "../../engine/driver/statusPoller.ts";
import { yieldingBetween, nextEventLoopTurn } from "../../engine/eventLoop.ts";
import { NamespacePresence } from "../../engine/watch/namespacePresence.ts";
import { operatorKinds } from "../../engine/watch/operatedApplications.ts";
import { PodStore } from "../../engine/watch/podStore.ts";
import type { Freshness, PodDelivery } from "../../engine/watch/podSubscription.ts";
import type { Clock, Random } from "../../engine/ports/clock.ts";
import type { Clusters, ClusterSettings, Connection } from "../../engine/ports/connection.ts";
import type { ResourceEvent } from "../../engine/ports/resources.ts";
import { startReflector } from "../../engine/watch/reflector.ts";
import { startResourceWatch } from "../../engine/watch/resourceWatch.ts";
import type { RetryLoop } from "../../engine/watch/retryLoop.ts";
import { FailedLogReader } from "../../engine/logs/failedLogReader.ts";
import {
  logRuleOf,
  redactedLogs,
  ruleNameOf,
  type LogRule,
  type LogRules,
  type PatternMemory,
} from "../../engine/logs/redactedLogs.ts";
import { start, type Running } from "../../engine/running.ts";
import type { TimelineReading } from "../../engine/timeline/timelineRecorder.ts";
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
import {
  findInSession,
  unknownWatch,
  type NamespaceWatch,
  type SessionState,
} from "./sessionState.ts";
import { treeBatchMs } from "./treeRefresh.ts";

export interface SessionOptions {
  readonly loadClusters: () => Promise<Clusters>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly clusterSettings: () => ClusterSettings;
  readonly chosenContext: () => string | undefined;
  readonly chosenNamespaces: () => readonly string[];
  /** Returns the additional contexts with their namespaces. An empty list means the context's own namespace. */
  readonly furtherContexts: () => Readonly<Record<string, readonly string[]>>;
  /** Stores the redaction patterns of applications. Without it, patterns are kept only in memory. */
  readonly redactionPatterns?: PatternMemory;
  /** Returns true if the logs of failed pods are kept. Default: they are not. */
  readonly keepsFailedLogs?: () => boolean;
  /** Calls `changed` when one of the files is changed, created or deleted. */
  readonly watchFiles: (paths: readonly string[], changed: () => void) => Disposable;
}

interface LifeOptions extends SessionOptions {
  readonly logRules: LogRules;
}

/** In ms. Longer than the observed time that VS Code's file watcher takes to start. */
const watcherStartMs = 5_000;

const isWithoutKubeconfig = (state: SessionState): boolean =>
  state.kind === "failed" &&
  state.error.kind === "configuration" &&
  state.error.problem === "noKubeconfig";

const isShutOut = (freshness: Freshness): boolean =>
  (freshness.kind === "stale" || freshness.kind === "failed") &&
  ["unauthorized", "configuration"].includes(freshness.error.kind);

// Debounce in ms, because tools write or replace a file in several steps.
const kubeconfigPauseMs = 300;

type ResourceUpdate = (model: ApplicationModel) => ModelStep;

/** The target of one connection. */
export interface Place {
  /** Undefined means the current context of the kubeconfig. */
  readonly context: string | undefined;
  /** The prefix of the application keys of this connection. */
  readonly scope: string;
  readonly namespaces: () => readonly string[];
}

export interface ConnectionListener {
  /** Called with the key of an application whose progress changed. */
  readonly progressed: (key: string) => void;
  /** Called with each poll result of a driver, for its timeline. */
  readonly read: (key: string, reading: TimelineReading) => void;
  readonly changed: (keys: ReadonlySet<string> | undefined) => void;
  readonly restart: () => void;
}

/** One connection with its watches, from start to disposal. */
export class ConnectionLife implements Disposable {
  readonly #place: Place;
  readonly #options: LifeOptions;
  readonly #owned = new DisposableStore();
  readonly #changed: (keys: ReadonlySet<string> | undefined) => void;
  readonly #progressed: (key: string) => void;
  readonly #read: (key: string, reading: TimelineReading) => void;
  readonly #restart: () => void;
  readonly #opening: Running;
  /** The watches of pods and custom resources. */
  readonly #watches: RetryLoop[] = [];
  /** Changes of custom resources that arrive while `#take` builds a model, by the index of the watch. */
  readonly #waiting = new Map<number, ResourceUpdate[]>();
  #presence: NamespacePresence | undefined;
  #isVisible = false;
  statusPoller: StatusPoller | undefined;
  progress: ProgressPoller | undefined;
  failedLogs: FailedLogReader | undefined;
  largestNode: LargestNode | undefined;
  podUsages: PodUsages | undefined;
  state: SessionState = { kind: "connecting" };

  constructor(
    place: Place,
    options: LifeOptions,
    clusters: () => Promise<Clusters>,
    { changed, progressed, read, restart }: ConnectionListener,
  ) {
    this.#read = read;
    this.#place = place;
    this.#options = options;
    this.#restart = restart;
    this.#changed = (keys) => {
      if (!this.#owned.isDisposed) changed(keys);
    };
    this.#progressed = (key) => {
      if (!this.#owned.isDisposed) progressed(key);
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

  /**
   * Sets the applications whose drivers are polled; ignores those of other connections. `close`: the applications
   * polled at the shorter interval. `isVisible`: whether the ends of failed logs are read.
   */
  look(keys: readonly string[], close: ReadonlySet<string>, isVisible: boolean): void {
    const own = keys.filter((key) => findInSession(this.state, key) !== undefined);
    this.statusPoller?.look(own, close);
    this.progress?.look(own);
    this.#isVisible = isVisible;
    this.failedLogs?.look(isVisible);
  }

  /** Resolves when the connection and its watches have started, when connecting has failed, or after `dispose`. */
  get settled(): Promise<void> {
    return this.#opening.done;
  }

  /** Replaces this connection with a new one. */
  replace(): void {
    this.#restart();
  }

  wake(): void {
    for (const watch of this.#watches) watch.wake();
    this.statusPoller?.wake();
    this.progress?.wake();
    this.failedLogs?.wake();
    this.largestNode?.wake();
    this.podUsages?.wake();
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
    this.statusPoller = this.#owned.add(
      new StatusPoller(connection, {
        clock: this.#options.clock,
        log: this.#options.log,
        find: (key) => findInSession(this.state, key),
        changed: this.#changed,
        reported: (key, executors) => {
          this.#read(key, { executors });
        },
      }),
    );
    this.#followProgress(connection, this.statusPoller);
    this.#readOnDemand(connection);
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
      // Opening a watch blocks the event loop for most of a frame (16 ms), so yield before each.
      for (const [index, namespace] of namespaces.entries()) {
        await nextEventLoopTurn();
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

  #followProgress(connection: Connection, status: StatusPoller): void {
    this.progress = this.#owned.add(
      new ProgressPoller(connection, {
        clock: this.#options.clock,
        log: this.#options.log,
        find: (key) => findInSession(this.state, key),
        isAllowed: (namespace) => status.mayReadDrivers(namespace),
        changed: this.#progressed,
        idle: (key) => {
          status.askSoon(key);
        },
        read: this.#read,
      }),
    );
  }

  /** Creates the readers that send requests only on demand: for the ends of failed logs, node sizes, and pod usage. */
  #readOnDemand(connection: Connection): void {
    const { clock, log, logRules, keepsFailedLogs = () => false } = this.#options;
    const ruleOf = (key: string): Promise<LogRule> =>
      logRuleOf(
        logRules,
        ruleNameOf(connection, key),
        connection,
        findInSession(this.state, key)?.driver?.pod,
      );
    this.failedLogs = this.#owned.add(
      new FailedLogReader({
        clock,
        log,
        logsOf: (key) => redactedLogs(connection.logs, () => ruleOf(key)),
        keepsLines: keepsFailedLogs,
        changed: this.#changed,
      }),
    );
    this.failedLogs.look(this.#isVisible);
    this.podUsages = this.#owned.add(new PodUsages(connection.metrics, { clock, log }));
    this.largestNode = this.#owned.add(
      new LargestNode(connection.nodes, {
        clock,
        log,
        changed: () => {
          this.#changed(undefined);
        },
      }),
    );
  }

  #watchKubeconfig(clusters: Clusters): void {
    const { clock, log, clusterSettings, watchFiles } = this.#options;
    let rereading: Running | undefined;
    const reread = async (signal: AbortSignal): Promise<void> => {
      await clock.sleep(kubeconfigPauseMs, signal);
      const read = await clusters.targetId(this.context, clusterSettings(), signal);
      signal.throwIfAborted();
      // Keep a connection that has not failed while the file is incomplete, missing or invalid.
      if (!read.ok && this.state.kind !== "failed") {
        log.warn(`the changed kubeconfig was ignored: ${read.error.detail}`);
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
    // The file watcher starts late, so check once for a kubeconfig created in between.
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

  /**
   * True if a new connection would have the same target, and no watch of the current connection lacks valid
   * credentials.
   */
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
        intervalMs: treeBatchMs,
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

  #own(watch: RetryLoop): void {
    this.#watches.push(this.#owned.add(watch));
    watch.done.catch(this.#options.log.error);
  }

  // Builds the model in slices and shows it when complete, so that tens of thousands of pods do not block the extension
  // host.
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
      for await (const changes of yieldingBetween(delivery.changes())) {
        take(updateApplications(model, changes));
      }
      for (const update of waiting) take(update(model));
    } finally {
      this.#waiting.delete(index);
    }
    // Start from the current state, because other watches may have changed it meanwhile. Deliveries of the same watch
    // are sequential.
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

/**
 * Returns the namespaces to watch; an undefined element means all namespaces. An empty setting means the context's own
 * namespace.
 */
function namespacesToWatch(
  chosen: readonly string[],
  connection: Connection,
): readonly (string | undefined)[] {
  if (chosen.includes("*")) return [undefined];
  return chosen.length === 0 ? [connection.namespace] : [...new Set(chosen)];
}
