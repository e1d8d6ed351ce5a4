import { DisposableStore, type Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { steadyTime } from "../base/steadyTime.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { isOlder } from "../spark/pods/resourceVersion.ts";
import { podsOfStore, type WatchedPods } from "./containerNews.ts";
import type { Log } from "./log.ts";
import type { PodStore } from "./podStore.ts";
import type { Freshness } from "./podSubscription.ts";
import type { Clock, PodSource, PodWatchItem, PodWatchRequest } from "./ports.ts";
import { isOutage } from "./retry.ts";
import { isAbort } from "./running.ts";

/** A watch of one application's pods alone. */
export interface OwnWatch extends Disposable {
  readonly store: PodStore;
}

// A driver that the server has just told of is known to its watch sooner than that, or went in between.
const unseenMs = 5_000;
const lookAgainMs = 60_000;

/**
 * The pods of a run's application: as the window watches their namespace anyway, and by a watch of its own where,
 * and for as long as, it does not.
 */
export class RunPods implements WatchedPods, Pick<PodSource, "watchPods">, Disposable {
  readonly #owned = new DisposableStore();
  readonly #shared: WatchedPods;
  readonly #driverUid: string;
  readonly #begin: () => OwnWatch;
  readonly #clock: Clock;
  readonly #changes: Emitter<undefined>;
  #own: { readonly pods: WatchedPods; readonly life: Disposable } | undefined;

  constructor(
    shared: WatchedPods,
    driverUid: string,
    begin: () => OwnWatch,
    { clock, log }: { readonly clock: Clock; readonly log: Pick<Log, "error"> },
  ) {
    this.#shared = shared;
    this.#driverUid = driverUid;
    this.#begin = begin;
    this.#clock = clock;
    this.#changes = this.#owned.add(new Emitter(log.error));
    this.#owned.add(
      shared.onDidChange(() => {
        this.#choose();
        this.#tell();
      }),
    );
    this.#choose();
  }

  readonly areKnown: WatchedPods["areKnown"] = (namespace) => this.#now.areKnown(namespace);
  readonly findPod: WatchedPods["findPod"] = (uid) => this.#now.findPod(uid);
  readonly freshness = (): Freshness | undefined => this.#now.freshness();
  readonly pods = (): Iterable<PodRecord> => this.#now.pods();

  get onDidChange(): WatchedPods["onDidChange"] {
    return this.#changes.event;
  }

  /** Of the driver alone: what is known of it, from the version on that the request names. */
  async *watchPods(
    { resourceVersion = "" }: Pick<PodWatchRequest, "resourceVersion">,
    signal: AbortSignal,
  ): AsyncGenerator<PodWatchItem> {
    let version = resourceVersion;
    let wasSeen = false;
    const time = steadyTime(this.#clock);
    const unseenUntil = time() + unseenMs;
    for (;;) {
      signal.throwIfAborted();
      const freshness = this.freshness();
      if (freshness?.kind === "failed" || freshness?.kind === "stale") {
        yield { kind: "failed", error: freshness.error };
        return;
      }
      const pod = this.findPod(this.#driverUid);
      if (pod !== undefined && isNews(pod.resourceVersion, version)) {
        ({ resourceVersion: version } = pod);
        wasSeen = true;
        yield { kind: "events", events: [{ kind: "modified", pod }] };
        continue;
      }
      const isGone = wasSeen && freshness?.kind === "live";
      if (pod === undefined && (isGone || time() >= unseenUntil)) return;
      wasSeen ||= pod !== undefined;
      await this.#change(pod === undefined ? unseenMs : lookAgainMs, signal);
    }
  }

  dispose(): void {
    this.#owned.dispose();
    this.#own?.life.dispose();
  }

  get #now(): WatchedPods {
    return this.#own?.pods ?? this.#shared;
  }

  #choose(): void {
    // Who heard of the same change before may have let go of it.
    if (this.#owned.isDisposed) return;
    const freshness = this.#shared.freshness();
    if (freshness?.kind === "live") {
      this.#own?.life.dispose();
      this.#own = undefined;
    } else if (this.#own === undefined && !mayComeBack(freshness)) {
      const life = new DisposableStore();
      const pods = podsOfStore(life.add(this.#begin()).store);
      life.add(pods.onDidChange(this.#tell));
      this.#own = { pods, life };
    }
  }

  readonly #tell = (): void => {
    this.#changes.fire(undefined);
  };

  /** The next change, or the end of a wait. */
  async #change(mostMs: number, signal: AbortSignal): Promise<void> {
    const told = new AbortController();
    const listening = this.onDidChange(() => {
      told.abort();
    });
    try {
      await this.#clock.sleep(mostMs, AbortSignal.any([signal, told.signal]));
    } catch (error) {
      if (!isAbort(error)) throw error;
    } finally {
      listening.dispose();
    }
  }
}

/** Not where it is the window that is refused: the run may have credentials of its own. */
const mayComeBack = (freshness: Freshness | undefined): boolean =>
  freshness?.kind === "connecting" || (freshness?.kind === "stale" && isOutage(freshness.error));

const isNews = (version: string, known: string): boolean =>
  version !== known && !isOlder(version, known);
