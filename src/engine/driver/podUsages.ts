import type { Disposable } from "../../base/disposable.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { PodUsage } from "../../spark/diagnosis/executorUsage.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../ports/clock.ts";
import type { PodMetrics, PodName } from "../ports/reports.ts";
import { start } from "../running.ts";
import { withinTime } from "../withinTime.ts";

export interface PodUsagesOptions {
  readonly clock: Clock;
  readonly log: Log;
}

// Cache lifetime of a value. metrics-server measures every 15 s.
const freshMs = 15_000;
const maxKnown = 100;
/** Time limit of a request. Short, because a tooltip waits for the response. */
const patienceMs = 1_500;
const refusedMs = 600_000;
const failedMs = 60_000;

/**
 * Reads the current CPU and memory usage of pods from metrics-server. Sends requests only in `usageOf`. Without
 * metrics-server, it sends no further request until `wake`. It retries a forbidden namespace after 10 min, and other
 * failures after 1 min.
 */
export class PodUsages implements Disposable {
  readonly #metrics: PodMetrics;
  readonly #options: PodUsagesOptions;
  readonly #owned = new DisposableStore();
  readonly #time: () => number;
  readonly #known = new Map<
    string,
    { readonly usage: PodUsage | undefined; readonly until: number }
  >();
  /** End of the back-off by namespace, in ms of the steady clock. The key "" applies to all namespaces. */
  readonly #restsUntil = new Map<string, number>();

  constructor(metrics: PodMetrics, options: PodUsagesOptions) {
    this.#metrics = metrics;
    this.#options = options;
    this.#time = steadyTime(options.clock);
  }

  /** Returns the current usage of a pod. Undefined if it is unknown, also after 1.5 s without a response. */
  async usageOf(pod: PodName): Promise<PodUsage | undefined> {
    const now = this.#time();
    const known = this.#known.get(pod.uid);
    if (known !== undefined && now < known.until) return known.usage;
    const rests = ["", pod.namespace].some((name) => now < (this.#restsUntil.get(name) ?? 0));
    if (rests || this.#owned.isDisposed) return undefined;
    let usage: PodUsage | undefined;
    const reading = this.#owned.add(
      start(async (signal) => {
        usage = await this.#read(pod, signal);
      }),
    );
    await reading.done;
    this.#owned.remove(reading);
    return usage;
  }

  /** Ends all back-offs, also those after refusals. Cached values stay valid. */
  wake(): void {
    this.#restsUntil.clear();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #read(pod: PodName, signal: AbortSignal): Promise<PodUsage | undefined> {
    const read = await withinTime(
      (inTime) => this.#metrics.usageOf(pod, inTime),
      { clock: this.#options.clock, ms: patienceMs },
      signal,
    );
    if (read?.ok === true) this.#keep(pod.uid, read.value);
    else this.#rest(pod, read?.error);
    return read?.ok === true ? read.value : undefined;
  }

  #keep(uid: string, usage: PodUsage | undefined): void {
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(uid, { usage, until: this.#time() + freshMs });
  }

  /** Delays further requests after a failure. An undefined `error` means a timeout. */
  #rest({ uid, namespace }: PodName, error: ClusterError | undefined): void {
    const now = this.#time();
    if (error === undefined) {
      this.#restsUntil.set("", now + failedMs);
      return;
    }
    this.#options.log.debug(`metrics of pods: ${error.detail}`);
    // A young pod has no metrics yet. Any other 404 means that the API is not served.
    if (error.kind === "notFound" && error.detail.includes("podmetrics"))
      this.#keep(uid, undefined);
    else if (error.kind === "notFound") this.#restsUntil.set("", Infinity);
    else if (error.kind === "forbidden") this.#restsUntil.set(namespace, now + refusedMs);
    else this.#restsUntil.set("", now + failedMs);
  }
}
