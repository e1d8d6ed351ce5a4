import { assertNever } from "../base/assertNever.ts";
import { steadyTime } from "../base/steadyTime.ts";
import { Backoff, jittered } from "./backoff.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Log } from "./log.ts";
import type { IncomingList, PodStore } from "./podStore.ts";
import type {
  Clock,
  PodSelection,
  PodSource,
  PodWatchEvent,
  PodWatchItem,
  Random,
} from "./ports.ts";
import { isOutage, retryOf } from "./retry.ts";
import { startRounds, type Rounds } from "./rounds.ts";
import { silence, SilenceWatch } from "./silenceWatch.ts";

export type Reflector = Rounds;

export interface ReflectorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Keeps the store equal to what the server holds of a selection, until disposed. It lists once and watches
 * from there; what cuts the watch is repaired by going on from the last resource version, and by a new
 * list only where the server has forgotten that version, or the list has become old. While it cannot, the store keeps its pods, and
 * `freshness` says since when and why. Who looks may `hurry` it, which ends a wait for a server that was not
 * there, and none that the server or what failed has made necessary.
 */
export function startReflector(
  source: PodSource,
  selection: PodSelection,
  store: PodStore,
  options: ReflectorOptions,
): Reflector {
  const reflector = new PodReflector(source, selection, store, options);
  return startRounds({
    clock: options.clock,
    random: options.random,
    round: (cut) => reflector.round(cut),
    woken: () => {
      reflector.woken();
    },
    mayHurry: () => reflector.isAwaitingServer,
  });
}

type RoundEnd =
  | { readonly kind: "listed" }
  | { readonly kind: "closed"; readonly isShort: boolean }
  /** `wasOpen`: the server had accepted the request. */
  | { readonly kind: "failed"; readonly error: ClusterError; readonly wasOpen: boolean }
  /** The server does not give lists as streams. */
  | { readonly kind: "refused"; readonly why: string };

// A server that ignores the wish for a streamed list never sends the bookmark that ends it. Before its first
// word there may be credentials to fetch.
const listSilenceMs = 10_000;
const firstWordMs = 20_000;
const longBusyMs = 30_000;
const shortWatchMs = 1_000;
// Some servers end a watch from a forgotten version without saying so.
const shortWatchesBeforeRelist = 3;
const pageSize = 250;
// What a server, or what stands before it, has lost without a word is found by a list in place of the next watch: one
// request either way. Of more pods than this it comes less often, as it costs more.
const listAgeMs = 600_000;
const podsOfListAge = 1_000;
// A replica may be behind for a while, and a server whose backup was restored for ever.
const oldListsBeforeExact = 3;
// As often as Spark's driver looks by itself.
const pollMs = 30_000;

type Failed = Extract<RoundEnd, { readonly kind: "failed" }>;

class PodReflector {
  readonly #source: PodSource;
  readonly #selection: PodSelection;
  readonly #store: PodStore;
  readonly #options: ReflectorOptions;
  readonly #backoff: Backoff;
  readonly #time: () => number;
  /** Where to go on from; undefined: a list is needed. */
  #resourceVersion: string | undefined;
  #streamsLists = true;
  #pageSize = pageSize;
  /** How many were read to their end. */
  #lists = 0;
  /** When a list was last begun. */
  #listBegunAt = 0;
  /** Lists in a row that were older than one before. */
  #oldLists = 0;
  #brokenSince: number | undefined;
  #isAwaitingServer = false;
  #shortWatches = 0;
  /** Lists are all that we may have; from `until` on it is worth to ask for a watch again. */
  #polls: { readonly error: ClusterError; readonly until: number } | undefined;

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
    this.#time = steadyTime(options.clock);
  }

  woken(): void {
    this.#backoff.reset();
  }

  /** Between two attempts, the server was not there at the first of them. */
  get isAwaitingServer(): boolean {
    return this.#isAwaitingServer;
  }

  async round(cut: AbortSignal): Promise<number> {
    this.#isAwaitingServer = false;
    return this.#learnFrom(await this.#attempt(cut));
  }

  #attempt(signal: AbortSignal): Promise<RoundEnd> {
    const polls = this.#polls !== undefined && this.#options.clock.now() < this.#polls.until;
    if (polls) return this.#listPages(signal);
    if (this.#resourceVersion === undefined) return this.#list(signal);
    return this.#isListOld ? this.#listAnew(signal) : this.#stream(false, signal);
  }

  /** Where no list is to be had, the watch goes on as if none had been asked for. */
  async #listAnew(signal: AbortSignal): Promise<RoundEnd> {
    const lists = this.#lists;
    const end = await this.#list(signal);
    return this.#lists > lists || end.kind === "refused" ? end : { kind: "listed" };
  }

  #list(signal: AbortSignal): Promise<RoundEnd> {
    return this.#streamsLists ? this.#stream(true, signal) : this.#listPages(signal);
  }

  get #isListOld(): boolean {
    const { size } = this.#store.snapshot;
    return this.#time() - this.#listBegunAt >= listAgeMs * Math.max(1, size / podsOfListAge);
  }

  async #listPages(signal: AbortSignal): Promise<RoundEnd> {
    // Who asks again and again is content with what the server has at hand.
    const isPoll = this.#polls !== undefined && this.#lists > 0;
    const mayLag = isPoll && this.#oldLists < oldListsBeforeExact;
    const list = this.#beginList(mayLag);
    let continueToken: string | undefined;
    for (;;) {
      const page = await this.#source.listPods(
        {
          ...this.#selection,
          resourceVersion: mayLag ? "0" : undefined,
          limit: this.#pageSize,
          continueToken,
        },
        signal,
      );
      signal.throwIfAborted();
      if (!page.ok) {
        // The list grew old before its last page was read: next time with fewer pages.
        if (page.error.kind === "expired") this.#pageSize *= 4;
        return { kind: "failed", error: page.error, wasOpen: false };
      }
      for (const pod of page.value.pods) list.take(pod);
      continueToken = page.value.continueToken;
      if (continueToken) continue;
      this.#acceptList(list, page.value.resourceVersion);
      return { kind: "listed" };
    }
  }

  /** Watches until the stream ends; `isList`: the stream begins with a list. */
  async #stream(isList: boolean, signal: AbortSignal): Promise<RoundEnd> {
    const { clock } = this.#options;
    const startedAt = clock.now();
    const stop = new AbortController();
    const items = this.#openStream(isList, AbortSignal.any([signal, stop.signal]));
    let list = isList ? this.#beginList(false) : undefined;
    let patience = isList ? new SilenceWatch(() => firstWordMs, clock) : undefined;
    let wasOpen = false;
    let hadEvents = false;
    try {
      for (;;) {
        const item = await this.#nextItem(items.next(), patience);
        if (item === silence) return { kind: "refused", why: "the end of the list did not come" };
        if (item === undefined) {
          const isShort = !hadEvents && clock.now() - startedAt < shortWatchMs;
          return { kind: "closed", isShort: isShort || list !== undefined };
        }
        if (item.kind === "failed") {
          return list !== undefined && isRefusal(item.error)
            ? { kind: "refused", why: item.error.detail }
            : { kind: "failed", error: item.error, wasOpen };
        }
        if (!wasOpen && patience !== undefined) {
          patience.dispose();
          patience = new SilenceWatch(() => listSilenceMs, clock);
        }
        wasOpen = true;
        hadEvents ||= item.events.some((event) => event.kind !== "bookmark");
        let events = item.events;
        if (list !== undefined) {
          const end = collect(list, events);
          if (end === undefined) continue;
          if (!end.isEnd) return { kind: "refused", why: "no list came before the first bookmark" };
          this.#polls = undefined;
          this.#acceptList(list, end.resourceVersion);
          list = undefined;
          patience?.dispose();
          patience = undefined;
          events = events.slice(end.at + 1);
        }
        this.#applyEvents(events);
      }
    } finally {
      patience?.dispose();
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

  /** Undefined at the end of the stream; silence only while a list is awaited, as long as `patience` lasts. */
  async #nextItem(
    next: Promise<IteratorResult<PodWatchItem, unknown>>,
    patience: SilenceWatch | undefined,
  ): Promise<PodWatchItem | typeof silence | undefined> {
    if (patience !== undefined) {
      const result = await patience.next(next);
      if (result === silence) return silence;
      return result.done === true ? undefined : result.value;
    }
    const result = await next;
    if (result.done === true) return undefined;
    // The first item says that the server has accepted. Until it comes nothing is known, however long it takes.
    if (result.value.kind === "events" && this.#isBehind) this.#tellWatching();
    return result.value;
  }

  get #isBehind(): boolean {
    return this.#brokenSince !== undefined || this.#polls !== undefined;
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
        return this.#polls === undefined ? 0 : jittered(pollMs, this.#options.random);
      case "refused":
        this.#options.log.debug(`pods are listed in pages: ${end.why}`);
        this.#streamsLists = false;
        return 0;
      case "closed":
        if (end.isShort) return this.#learnFromShortWatch(now);
        this.#shortWatches = 0;
        return 0;
      case "failed":
        return this.#learnFromFailure(end, now);
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

  #learnFromFailure({ error, wasOpen }: Failed, now: number): number {
    const { log, random } = this.#options;
    log.debug(`watch of pods: ${error.kind}: ${error.detail}`);
    const retry = retryOf(error);
    this.#isAwaitingServer = isOutage(error);
    if (error.kind === "forbidden" && error.verb === "watch" && retry.kind === "slow") {
      this.#polls = { error, until: now + jittered(retry.delayMs, random) };
      return 0;
    }
    // Credentials that end while they are in use are got anew with the next request.
    if (error.kind === "unauthorized" && wasOpen) return this.#backoff.next(now);
    const isSoon = retry.kind === "soon" && retry.leastDelayMs < longBusyMs;
    this.#tellBroken(error, now, !isSoon && retry.kind !== "relist");
    switch (retry.kind) {
      case "relist":
        this.#resourceVersion = undefined;
        return this.#backoff.next(now);
      case "slow":
        return jittered(retry.delayMs, random);
      case "soon":
        return Math.max(this.#backoff.next(now), retry.leastDelayMs);
      default:
        return assertNever(retry);
    }
  }

  // A stream that breaks and goes on at once is nobody's concern: people hear of it when that fails, or
  // cannot be mended soon. So is a server that asks to wait, until it has done so for long.
  #tellBroken(error: ClusterError, now: number, isLasting: boolean): void {
    const isFirst = this.#brokenSince === undefined;
    const since = (this.#brokenSince ??= now);
    const isTold = ["stale", "failed"].includes(this.#store.freshness.kind);
    const isBusy = error.kind === "throttled" && now - since < longBusyMs;
    if (isBusy && !isTold && !isLasting) return;
    if (this.#lists === 0) this.#store.setFreshness({ kind: "failed", error });
    else if (isLasting || !isFirst) this.#store.setFreshness({ kind: "stale", since, error });
  }

  #tellWatching(): void {
    this.#polls = undefined;
    this.#tellLive();
  }

  #tellLive(): void {
    this.#brokenSince = undefined;
    this.#store.setFreshness({ kind: "live", polled: this.#polls?.error });
  }

  #beginList(mayLag: boolean): IncomingList {
    this.#listBegunAt = this.#time();
    return this.#store.beginList(mayLag);
  }

  #acceptList(list: IncomingList, resourceVersion: string): void {
    // A list that is older than one before is not taken; there is nothing to be done about it but to ask again.
    if (list.end(resourceVersion)) {
      this.#resourceVersion = resourceVersion;
      this.#oldLists = 0;
    } else this.#oldLists += 1;
    this.#lists += 1;
    this.#tellLive();
  }
}

interface ListEnd {
  /** Index of the bookmark. */
  readonly at: number;
  /** False for an ordinary bookmark, which never comes before the one that ends the list. */
  readonly isEnd: boolean;
  readonly resourceVersion: string;
}

/** What happens while the list comes in may be among it; versions are in no order until its end. */
function collect(list: IncomingList, events: readonly PodWatchEvent[]): ListEnd | undefined {
  for (const [at, event] of events.entries()) {
    if (event.kind === "bookmark") {
      return { at, isEnd: event.initialEventsEnd, resourceVersion: event.resourceVersion };
    }
    if (event.kind === "deleted") list.drop(event.pod);
    else list.take(event.pod);
  }
  return undefined;
}

// A server that does not know the parameters of a streamed list, or has them switched off.
const isRefusal = (error: ClusterError): boolean =>
  error.kind === "invalid" ||
  (error.kind === "badResponse" && (error.status === undefined || error.status < 500));
