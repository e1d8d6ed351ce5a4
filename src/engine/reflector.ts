import { assertNever } from "../base/assertNever.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { Backoff, jittered } from "./backoff.ts";
import type { ClusterError } from "./clusterError.ts";
import { Interruption } from "./interruption.ts";
import { listPods } from "./listPods.ts";
import type { Log } from "./log.ts";
import { orSilence, silence } from "./orSilence.ts";
import { collectListing, type Listing } from "./podListing.ts";
import type { PodStore } from "./podStore.ts";
import type {
  Clock,
  PodSelection,
  PodSource,
  PodWatchEvent,
  PodWatchItem,
  Random,
} from "./ports.ts";
import { retryOf } from "./retry.ts";
import { start, type Running } from "./running.ts";

export interface Reflector extends Running {
  /** Tries at once instead of waiting on: the user asked, or the machine woke up. */
  wake(): void;
}

export interface ReflectorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Keeps the store equal to what the server holds of a selection, until disposed. It lists once and watches
 * from there; what cuts the watch is repaired by going on from the last resource version, and by a new
 * list only where the server has forgotten that version. While it cannot, the store keeps its pods, and
 * `freshness` says since when and why.
 */
export function startReflector(
  source: PodSource,
  selection: PodSelection,
  store: PodStore,
  options: ReflectorOptions,
): Reflector {
  const reflector = new PodReflector(source, selection, store, options);
  const running = start((signal) => reflector.run(signal));
  return {
    ...running,
    wake: () => {
      reflector.wake();
    },
  };
}

type RoundEnd =
  | { readonly kind: "listed" }
  | { readonly kind: "closed"; readonly isShort: boolean }
  | { readonly kind: "failed"; readonly error: ClusterError }
  /** The server does not give lists as streams. */
  | { readonly kind: "refused"; readonly why: string };

// A server that ignores the wish for a streamed list never sends the bookmark that ends it. Before its first
// word there may be credentials to fetch.
const listSilenceMs = 10_000;
const firstWordMs = 20_000;
// Longer than a server that does not answer at all would take to be found out.
const goodSilenceMs = 35_000;
const shortWatchMs = 1_000;
// Some servers end a watch from a forgotten version without saying so.
const shortWatchesBeforeRelist = 3;
const pageSize = 250;

class PodReflector {
  readonly #source: PodSource;
  readonly #selection: PodSelection;
  readonly #store: PodStore;
  readonly #options: ReflectorOptions;
  readonly #backoff: Backoff;
  readonly #attention = new Interruption();
  /** Where to go on from; undefined: a list is needed. */
  #resourceVersion: string | undefined;
  #streamsLists = true;
  #pageSize = pageSize;
  #hasListed = false;
  #brokenSince: number | undefined;
  #shortWatches = 0;

  constructor(
    source: PodSource,
    selection: PodSelection,
    store: PodStore,
    options: ReflectorOptions,
  ) {
    this.#source = source;
    this.#selection = selection;
    this.#store = store;
    this.#options = options;
    this.#backoff = new Backoff(options.random);
  }

  wake(): void {
    this.#backoff.reset();
    this.#attention.interrupt();
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const end = await this.#attention.run((cut) => this.#round(cut), signal);
      const delayMs = end === undefined ? 0 : this.#learnFrom(end);
      if (delayMs > 0) {
        await this.#attention.run((cut) => this.#options.clock.sleep(delayMs, cut), signal);
      }
    }
  }

  #round(signal: AbortSignal): Promise<RoundEnd> {
    if (this.#resourceVersion !== undefined) return this.#stream(false, signal);
    return this.#streamsLists ? this.#stream(true, signal) : this.#listPages(signal);
  }

  async #listPages(signal: AbortSignal): Promise<RoundEnd> {
    const list = await listPods(this.#source, this.#selection, this.#pageSize, signal);
    if (list.ok) {
      this.#acceptList(list.value.pods, list.value.resourceVersion);
      return { kind: "listed" };
    }
    // The list grew old before its last page was read: next time with fewer pages.
    if (list.error.kind === "expired") this.#pageSize *= 4;
    return { kind: "failed", error: list.error };
  }

  /** Watches until the stream ends; `isList`: the stream begins with a list. */
  async #stream(isList: boolean, signal: AbortSignal): Promise<RoundEnd> {
    const { clock } = this.#options;
    const startedAt = clock.now();
    const stop = new AbortController();
    const items = this.#openStream(isList, AbortSignal.any([signal, stop.signal]));
    let listing: Listing | undefined = isList ? new Map() : undefined;
    let listSilence = firstWordMs;
    let hadEvents = false;
    try {
      for (;;) {
        const wait = listing === undefined ? undefined : listSilence;
        const item = await this.#nextItem(items.next(), wait, signal);
        listSilence = listSilenceMs;
        if (item === silence) return { kind: "refused", why: "the end of the list did not come" };
        if (item === undefined) {
          const isShort = !hadEvents && clock.now() - startedAt < shortWatchMs;
          return { kind: "closed", isShort: isShort || listing !== undefined };
        }
        if (item.kind === "failed") {
          return listing !== undefined && isRefusal(item.error)
            ? { kind: "refused", why: item.error.detail }
            : { kind: "failed", error: item.error };
        }
        hadEvents ||= item.events.some((event) => event.kind !== "bookmark");
        let events = item.events;
        if (listing !== undefined) {
          const end = collectListing(listing, events);
          if (end === undefined) continue;
          if (!end.isEnd) return { kind: "refused", why: "no list came before the first bookmark" };
          this.#acceptList(listing.values(), end.resourceVersion);
          listing = undefined;
          events = events.slice(end.at + 1);
        }
        this.#applyEvents(events);
      }
    } finally {
      stop.abort();
      await items.return?.();
    }
  }

  #openStream(isList: boolean, signal: AbortSignal): AsyncIterator<PodWatchItem, unknown> {
    const request = {
      ...this.#selection,
      resourceVersion: isList ? undefined : this.#resourceVersion,
      sendInitialEvents: isList,
      // Spread, so that many watches do not end together.
      timeoutSeconds: 300 + Math.floor(this.#options.random() * 300),
    };
    return this.#source.watchPods(request, signal)[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the stream; silence for `listSilence` only while a list is awaited. */
  async #nextItem(
    next: Promise<IteratorResult<PodWatchItem, unknown>>,
    listSilence: number | undefined,
    signal: AbortSignal,
  ): Promise<PodWatchItem | typeof silence | undefined> {
    if (listSilence !== undefined || this.#brokenSince !== undefined) {
      const { clock } = this.#options;
      const first = await orSilence(next, listSilence ?? goodSilenceMs, clock, signal);
      if (listSilence === undefined && (first === silence || isGood(first))) this.#tellLive();
      else if (first === silence) return silence;
    }
    const result = await next;
    return result.done === true ? undefined : result.value;
  }

  #applyEvents(events: readonly PodWatchEvent[]): void {
    this.#store.apply(events.filter((event) => event.kind !== "bookmark"));
    for (const event of events) {
      const version = event.kind === "bookmark" ? event.resourceVersion : event.pod.resourceVersion;
      if (version !== "") this.#resourceVersion = version;
    }
  }

  /** Takes note of how a round ended; says how long to wait before the next. */
  #learnFrom(end: RoundEnd): number {
    const now = this.#options.clock.now();
    switch (end.kind) {
      case "listed":
        return 0;
      case "refused":
        this.#options.log.debug(`pods are listed in pages: ${end.why}`);
        this.#streamsLists = false;
        return 0;
      case "closed":
        if (end.isShort) return this.#learnFromShortWatch(now);
        this.#shortWatches = 0;
        return 0;
      case "failed":
        return this.#learnFromFailure(end.error, now);
      default:
        return assertNever(end);
    }
  }

  #learnFromShortWatch(now: number): number {
    this.#shortWatches += 1;
    if (this.#shortWatches >= shortWatchesBeforeRelist) {
      this.#shortWatches = 0;
      if (this.#resourceVersion === undefined) this.#streamsLists = false;
      this.#resourceVersion = undefined;
    }
    const detail = "the server ended the watch as soon as it had begun";
    this.#tellBroken({ kind: "badResponse", status: undefined, detail }, now, false);
    return this.#backoff.next(now);
  }

  #learnFromFailure(error: ClusterError, now: number): number {
    this.#options.log.debug(`watch of pods: ${error.kind}: ${error.detail}`);
    const retry = retryOf(error);
    this.#tellBroken(error, now, retry.kind === "slow");
    switch (retry.kind) {
      case "relist":
        this.#resourceVersion = undefined;
        return this.#backoff.next(now);
      case "slow":
        return jittered(retry.delayMs, this.#options.random);
      case "soon":
        return Math.max(this.#backoff.next(now), retry.leastDelayMs);
      default:
        return assertNever(retry);
    }
  }

  // A stream that breaks and goes on at once is nobody's concern: people hear of it when that fails.
  #tellBroken(error: ClusterError, now: number, isCertain: boolean): void {
    const since = this.#brokenSince ?? now;
    if (!this.#hasListed) this.#store.setFreshness({ kind: "failed", error });
    else if (isCertain || this.#brokenSince !== undefined) {
      this.#store.setFreshness({ kind: "stale", since, error });
    }
    this.#brokenSince = since;
  }

  #tellLive(): void {
    this.#brokenSince = undefined;
    this.#store.setFreshness({ kind: "live" });
  }

  #acceptList(pods: Iterable<PodRecord>, resourceVersion: string): void {
    this.#store.replace(pods);
    this.#resourceVersion = resourceVersion;
    this.#hasListed = true;
    this.#tellLive();
  }
}

const isGood = (result: IteratorResult<PodWatchItem, unknown>): boolean =>
  result.done !== true && result.value.kind === "events";

// A server that does not know the parameters of a streamed list, or has them switched off.
const isRefusal = (error: ClusterError): boolean =>
  error.kind === "invalid" ||
  (error.kind === "badResponse" && (error.status === undefined || error.status < 500));
