import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { podsOfStore, type WatchedPods } from "../logs/containerState.ts";
import type { Log } from "../log.ts";
import type { PodStore } from "../watch/podStore.ts";
import type { Freshness } from "../watch/podSubscription.ts";
import type { Clock } from "../ports/clock.ts";
import { start } from "../running.ts";
import { isOutage } from "../watch/retryPolicy.ts";

/** A watch of one application's pods alone. */
export interface ApplicationWatch extends Disposable {
  readonly store: PodStore;
}

// Time in ms for which a run waits for the connecting watch of its window. Then it starts a watch of its own. The first
// list of a large namespace takes longer than that of one application.
const patienceMs = 5_000;

/**
 * Provides the pods of a run's application from the window's watch of their namespace. Until that watch is live, it may
 * use a watch of its own.
 */
export class RunPodWatch implements WatchedPods, Disposable {
  readonly #owned = new DisposableStore();
  readonly #shared: WatchedPods;
  readonly #begin: () => ApplicationWatch;
  readonly #changes: Emitter<undefined>;
  #isPatient = true;
  #own: { readonly pods: WatchedPods; readonly life: Disposable } | undefined;

  constructor(
    shared: WatchedPods,
    begin: () => ApplicationWatch,
    { clock, log }: { readonly clock: Clock; readonly log: Pick<Log, "error"> },
  ) {
    this.#shared = shared;
    this.#begin = begin;
    this.#changes = this.#owned.add(new Emitter(log.error));
    this.#owned.add(
      shared.onDidChange(() => {
        this.#choose();
        this.#tell();
      }),
    );
    this.#choose();
    const waiting = this.#owned.add(
      start(async (signal) => {
        await clock.sleep(patienceMs, signal);
        this.#isPatient = false;
        this.#choose();
        this.#tell();
      }),
    );
    waiting.done.catch(log.error);
  }

  readonly areKnown: WatchedPods["areKnown"] = (namespace) => this.#now.areKnown(namespace);
  readonly findPod: WatchedPods["findPod"] = (uid) => this.#now.findPod(uid);
  readonly freshness = (): Freshness | undefined => this.#now.freshness();
  readonly pods = (): Iterable<PodRecord> => this.#now.pods();

  get onDidChange(): WatchedPods["onDidChange"] {
    return this.#changes.event;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#own?.life.dispose();
  }

  get #now(): WatchedPods {
    return this.#own?.pods ?? this.#shared;
  }

  #choose(): void {
    // A listener that was called before this one may have disposed it.
    if (this.#owned.isDisposed) return;
    const freshness = this.#shared.freshness();
    if (freshness?.kind === "live") {
      this.#own?.life.dispose();
      this.#own = undefined;
    } else if (this.#own === undefined && !this.#mayComeBack(freshness)) {
      const life = new DisposableStore();
      const pods = podsOfStore(life.add(this.#begin()).store);
      life.add(pods.onDidChange(this.#tell));
      this.#own = { pods, life };
    }
  }

  /**
   * True if the run waits for the window's watch: the watch is connecting and 5 s have not passed, or its
   * server does not answer. After a refusal the run starts its own watch, because its credentials may differ.
   */
  #mayComeBack(freshness: Freshness | undefined): boolean {
    if (freshness?.kind === "connecting") return this.#isPatient;
    return freshness?.kind === "stale" && isOutage(freshness.error);
  }

  readonly #tell = (): void => {
    this.#changes.fire(undefined);
  };
}
