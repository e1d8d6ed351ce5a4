import { assertNever } from "../../base/assertNever.ts";
import { PagedList } from "../../base/pagedList.ts";
import type { Result } from "../../base/result.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Log } from "../log.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { WatchBookmark, WatchItem } from "../ports/watch.ts";
import { Backoff, jittered } from "./backoff.ts";
import type { Freshness } from "./podSubscription.ts";
import { startRetryLoop, type RetryLoop } from "./retryLoop.ts";
import { briefDenialMs, isOutage, retryOf } from "./retryPolicy.ts";
import { idleTimedOut, IdleDetector } from "./idleDetector.ts";

export interface ListWatchOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The version of the whole list, equal on all its pages. */
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
}

interface ItemEvent {
  readonly kind: string;
}

/** Lists and watches one kind of object. */
interface ListWatchSource<Item, Event extends ItemEvent> {
  /** The name of the objects in log lines, such as `pods`. */
  readonly name: string;
  /** A `resourceVersion` of "0" reads from the server's watch cache. */
  list(
    page: {
      readonly resourceVersion: "0" | undefined;
      readonly limit: number;
      readonly continueToken: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<Result<ListPage<Item>, ClusterError>>;
  /** Starts a watch. An undefined `from` requests a streamed list before the watch. */
  watch(
    from: string | undefined,
    timeoutSeconds: number,
    signal: AbortSignal,
  ): AsyncIterable<WatchItem<Event>>;
  itemOf(event: Event): Item;
  versionOf(event: Event): string;
}

/** A list that is being received. It becomes visible when `end` returns true; an abandoned list has no effect. */
export interface IncomingList<Item> {
  take(item: Item): void;
  /** Removes an item that was deleted while the list was received. */
  drop(item: Item): void;
  /**
   * Commits the list. Returns false, and changes nothing, if a list that may lag is older than one already in the
   * store.
   */
  end(resourceVersion: string): boolean;
}

/** Stores the listed and watched objects. */
export interface ListWatchSink<Item, Event extends ItemEvent> {
  readonly size: number;
  readonly freshness: Freshness;
  setFreshness(freshness: Freshness): void;
  /** Begins to receive a list. If `mayLag` is true, the list may be older than an earlier one. */
  beginList(mayLag: boolean): IncomingList<Item>;
  apply(events: readonly Event[]): void;
}

/** The intervals between lists and watches. */
export interface ListWatchPace {
  /** True if lists are requested as streams (`sendInitialEvents`), until the server turns out not to support them. */
  readonly streamsLists: boolean;
  /**
   * Milliseconds after which a list replaces the next watch; longer for large lists. Infinity disables periodic lists.
   */
  readonly listAgeMs: number;
  /** Milliseconds between lists if watching is forbidden: `pollMs` if `hurry` is called, otherwise `idlePollMs`. */
  readonly pollMs: number;
  readonly idlePollMs: number;
  /** Milliseconds after which a forbidden watch is tried again. */
  readonly retryWatchMs: number;
  /**
   * Retry intervals in ms for kinds that a cluster may lack or forbid: `retryMs` if `hurry` is called, otherwise
   * `idleRetryMs`.
   */
  readonly absent: { readonly retryMs: number; readonly idleRetryMs: number } | undefined;
}

/**
 * Keeps the sink equal to the server's objects until disposed. It lists once and watches from there. After a cut it
 * resumes from the last resource version; it relists if the server has expired that version, or the list is old. During
 * an outage the sink keeps its content, and `freshness` reports since when and why. `hurry` ends the wait for an
 * unreachable server, and waits that are long only while the view is hidden.
 */
export function startListWatch<Item, Event extends ItemEvent>(
  source: ListWatchSource<Item, Event>,
  sink: ListWatchSink<Item, Event>,
  pace: ListWatchPace,
  options: ListWatchOptions,
): RetryLoop {
  const listWatch = new ListWatch(source, sink, pace, options);
  return startRetryLoop({
    clock: options.clock,
    random: options.random,
    attempt: (cut) => listWatch.attempt(cut),
    woken: () => {
      listWatch.woken();
    },
    mayHurry: () => listWatch.mayHurry,
  });
}

type AttemptEnd =
  | { readonly kind: "listed" }
  | { readonly kind: "closed"; readonly isShort: boolean }
  /** `wasOpen`: the server had accepted the request. */
  | { readonly kind: "failed"; readonly error: ClusterError; readonly wasOpen: boolean }
  /** The server does not support streamed lists. */
  | { readonly kind: "refused"; readonly why: string };

// A server that ignores `sendInitialEvents` never sends the bookmark that ends the list. The first item may have to
// wait for credentials.
const listSilenceMs = 10_000;
const firstItemMs = 20_000;
const longBusyMs = 30_000;
const shortWatchMs = 1_000;
// Some servers close a watch from an expired version without an error.
const shortWatchesBeforeRelist = 3;
const defaultPageSize = 250;
// Periodic relist: catches events silently dropped by the API server or a proxy. Larger namespaces relist less often
// because a list costs more.
const itemsOfListAge = 1_000;
// After this many outdated lists, a poll bypasses the watch cache. A lagging replica catches up, but a server restored
// from a backup keeps returning older versions.
const oldListsBeforeExact = 3;

type Failed = Extract<AttemptEnd, { readonly kind: "failed" }>;

class ListWatch<Item, Event extends ItemEvent> {
  readonly #source: ListWatchSource<Item, Event>;
  readonly #sink: ListWatchSink<Item, Event>;
  readonly #pace: ListWatchPace;
  readonly #options: ListWatchOptions;
  readonly #backoff: Backoff;
  readonly #time: () => number;
  /** The version to resume from. Undefined if a list is needed. */
  #resourceVersion: string | undefined;
  #streamsLists: boolean;
  #pageSize = defaultPageSize;
  /** Number of complete lists. */
  #lists = 0;
  /** Start of the last list, in ms of the steady clock. */
  #listBegunAt = 0;
  /** Consecutive lists that were older than an earlier one. */
  #oldLists = 0;
  #brokenSince: number | undefined;
  /** Time in ms of the first denial of a permission that was granted before; undefined if none. */
  #deniedSince: number | undefined;
  #hasWatched = false;
  #isAwaitingServer = false;
  /** Time of the steady clock, in ms, from which `hurry` may end the current wait. */
  #hurryAt = Infinity;
  #shortWatches = 0;
  /** Set while watching is forbidden. Until the watch is tried again, only lists are requested. */
  #polls: { readonly error: ClusterError; readonly until: number } | undefined;

  constructor(
    source: ListWatchSource<Item, Event>,
    sink: ListWatchSink<Item, Event>,
    pace: ListWatchPace,
    options: ListWatchOptions,
  ) {
    this.#source = source;
    this.#sink = sink;
    this.#pace = pace;
    this.#streamsLists = pace.streamsLists;
    this.#options = options;
    this.#backoff = new Backoff(options.random);
    this.#time = steadyTime(options.clock);
  }

  woken(): void {
    this.#backoff.reset();
    // Try the watch again, because the permission may have been granted.
    if (this.#polls !== undefined) this.#polls = { ...this.#polls, until: -Infinity };
  }

  get mayHurry(): boolean {
    return this.#isAwaitingServer || this.#time() >= this.#hurryAt;
  }

  async attempt(cut: AbortSignal): Promise<number> {
    this.#isAwaitingServer = false;
    this.#hurryAt = Infinity;
    return this.#learnFrom(await this.#listOrWatch(cut));
  }

  #listOrWatch(signal: AbortSignal): Promise<AttemptEnd> {
    if (this.#polls !== undefined && this.#time() < this.#polls.until) {
      return this.#listPages(signal);
    }
    if (this.#resourceVersion === undefined) return this.#list(signal);
    return this.#isListOld ? this.#relist(signal) : this.#stream(this.#resourceVersion, signal);
  }

  /**
   * Relists periodically. If the list fails, the next attempt resumes the watch, and the next list follows after the
   * usual interval.
   */
  async #relist(signal: AbortSignal): Promise<AttemptEnd> {
    const lists = this.#lists;
    const end = await this.#list(signal);
    return this.#lists > lists || end.kind === "refused" ? end : { kind: "listed" };
  }

  #list(signal: AbortSignal): Promise<AttemptEnd> {
    return this.#streamsLists ? this.#stream(undefined, signal) : this.#listPages(signal);
  }

  get #isListOld(): boolean {
    const maxAgeMs = this.#pace.listAgeMs * Math.max(1, this.#sink.size / itemsOfListAge);
    return this.#time() - this.#listBegunAt >= maxAgeMs;
  }

  async #listPages(signal: AbortSignal): Promise<AttemptEnd> {
    // Polling may read from the watch cache (resourceVersion=0).
    const isPoll = this.#polls !== undefined && this.#lists > 0;
    const mayLag = isPoll && this.#oldLists < oldListsBeforeExact;
    const list = this.#beginList(mayLag);
    const pages = new PagedList();
    const resourceVersion = mayLag ? "0" : undefined;
    let continueToken: string | undefined;
    for (;;) {
      const request = { resourceVersion, limit: this.#pageSize, continueToken } as const;
      const page = await this.#source.list(request, signal);
      signal.throwIfAborted();
      if (!page.ok) {
        // The list expired before its last page was read: use larger pages.
        if (page.error.kind === "expired") this.#pageSize *= 4;
        return { kind: "failed", error: page.error, wasOpen: false };
      }
      const { items } = page.value;
      continueToken = page.value.continueToken;
      const refusal = pages.take(items.length) ?? (continueToken && pages.follow(continueToken));
      if (refusal !== undefined && refusal !== "") return tooLong(refusal);
      for (const item of items) list.take(item);
      if (continueToken) continue;
      this.#acceptList(list, page.value.resourceVersion);
      return { kind: "listed" };
    }
  }

  /** Watches until the stream ends. If `from` is undefined, the stream begins with a list. */
  async #stream(from: string | undefined, signal: AbortSignal): Promise<AttemptEnd> {
    const { clock, random } = this.#options;
    const startedAt = clock.now();
    const stop = new AbortController();
    // A random timeout, so that many watches do not end at the same time.
    const timeoutSeconds = 300 + Math.floor(random() * 300);
    const items = this.#source
      .watch(from, timeoutSeconds, AbortSignal.any([signal, stop.signal]))
      [Symbol.asyncIterator]();
    let list = from === undefined ? this.#beginList(false) : undefined;
    let patience = list && new IdleDetector(() => firstItemMs, clock);
    const size = new PagedList();
    let wasOpen = false;
    let hadEvents = false;
    try {
      for (;;) {
        const item = await this.#nextItem(items.next(), patience);
        if (item === idleTimedOut)
          return { kind: "refused", why: "the server did not complete the list in time" };
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
          patience = new IdleDetector(() => listSilenceMs, clock);
        }
        wasOpen = true;
        this.#hasWatched = true;
        hadEvents ||= item.events.some((event) => !isBookmark(event));
        let events = item.events;
        if (list !== undefined) {
          const refusal = size.take(events.length);
          if (refusal !== undefined) return tooLong(refusal);
          const end = this.#collect(list, events);
          if (end === undefined) continue;
          if (!end.isEnd)
            return {
              kind: "refused",
              why: "the first bookmark does not mark the end of the initial list",
            };
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

  /**
   * Returns the next item; undefined at the end of the stream. Returns `idleTimedOut` only during a list, after the
   * limit of `patience`.
   */
  async #nextItem(
    next: Promise<IteratorResult<WatchItem<Event>, unknown>>,
    patience: IdleDetector | undefined,
  ): Promise<WatchItem<Event> | typeof idleTimedOut | undefined> {
    if (patience !== undefined) {
      const result = await patience.next(next);
      if (result === idleTimedOut) return idleTimedOut;
      return result.done === true ? undefined : result.value;
    }
    const result = await next;
    if (result.done === true) return undefined;
    // The first item shows that the server accepted the watch; the freshness does not change
    // before.
    if (result.value.kind === "events" && this.#isBehind) this.#tellWatching();
    return result.value;
  }

  get #isBehind(): boolean {
    const since = this.#brokenSince ?? this.#deniedSince;
    return since !== undefined || this.#polls !== undefined;
  }

  /**
   * Adds the events before the first bookmark to the list, and returns that bookmark, if any. The list contains the
   * events that happen while it is received; versions are unordered until its end.
   */
  #collect(
    list: IncomingList<Item>,
    events: readonly (Event | WatchBookmark)[],
  ): ListEnd | undefined {
    for (const [at, event] of events.entries()) {
      if (isBookmark(event)) {
        return { at, isEnd: event.initialEventsEnd, resourceVersion: event.resourceVersion };
      }
      const item = this.#source.itemOf(event);
      if (event.kind === "deleted") list.drop(item);
      else list.take(item);
    }
    return undefined;
  }

  #applyEvents(events: readonly (Event | WatchBookmark)[]): void {
    this.#sink.apply(events.filter((event): event is Event => !isBookmark(event)));
    for (const event of events) {
      const version = isBookmark(event) ? event.resourceVersion : this.#source.versionOf(event);
      if (version !== "") this.#resourceVersion = version;
    }
  }

  /** Updates the state after an attempt; returns the milliseconds to wait before the next. */
  #learnFrom(end: AttemptEnd): number {
    const now = this.#options.clock.now();
    switch (end.kind) {
      case "listed":
        return this.#polls === undefined ? 0 : this.#pollDelay();
      case "refused":
        this.#options.log.debug(`${this.#source.name} are listed in pages: ${end.why}`);
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

  #pollDelay(): number {
    const { random } = this.#options;
    this.#hurryAt = this.#time() + jittered(this.#pace.pollMs, random);
    return jittered(this.#pace.idlePollMs, random);
  }

  #learnFromShortWatch(now: number): number {
    this.#shortWatches += 1;
    if (this.#shortWatches >= shortWatchesBeforeRelist) {
      this.#shortWatches = 0;
      if (this.#resourceVersion === undefined) this.#streamsLists = false;
      this.#resourceVersion = undefined;
    }
    const detail = "the server closed the watch immediately after it started";
    this.#tellBroken({ kind: "badResponse", status: undefined, detail }, now, false);
    return this.#backoff.next(now);
  }

  #learnFromFailure({ error, wasOpen }: Failed, now: number): number {
    const { log, random } = this.#options;
    log.debug(`${this.#source.name}: ${error.kind}: ${error.detail}`);
    this.#isAwaitingServer = isOutage(error);
    if (error.kind === "forbidden" && this.#isBriefDenial(error.verb, now)) {
      return this.#backoff.next(now);
    }
    if (error.kind === "forbidden" && error.verb === "watch") {
      const isPolling = this.#polls !== undefined;
      this.#polls = { error, until: this.#time() + jittered(this.#pace.retryWatchMs, random) };
      return isPolling ? this.#pollDelay() : 0;
    }
    const { absent } = this.#pace;
    if (absent !== undefined && (error.kind === "notFound" || error.kind === "forbidden")) {
      this.#resourceVersion = undefined;
      this.#tellBroken(error, now, true);
      this.#hurryAt = this.#time() + jittered(absent.retryMs, random);
      return jittered(absent.idleRetryMs, random);
    }
    // Credentials that expire during a watch are renewed with the next request.
    if (error.kind === "unauthorized" && wasOpen) return this.#backoff.next(now);
    const retry = retryOf(error);
    const isSoon = retry.kind === "soon" && retry.minDelayMs < longBusyMs;
    this.#tellBroken(error, now, !isSoon && retry.kind !== "relist");
    switch (retry.kind) {
      case "relist":
        this.#resourceVersion = undefined;
        return this.#backoff.next(now);
      case "slow":
        return jittered(retry.delayMs, random);
      case "soon":
        return Math.max(this.#backoff.next(now), retry.minDelayMs);
      default:
        return assertNever(retry);
    }
  }

  #isBriefDenial(verb: string, now: number): boolean {
    const wasGranted = verb === "watch" ? this.#hasWatched : this.#lists > 0;
    if (!wasGranted || this.#polls !== undefined) return false;
    return now - (this.#deniedSince ??= now) < briefDenialMs;
  }

  // Does not report a stream that breaks once and resumes at once. Reports a second or a lasting failure, and
  // throttling after 30 s.
  #tellBroken(error: ClusterError, now: number, isLasting: boolean): void {
    const isFirst = this.#brokenSince === undefined;
    const since = (this.#brokenSince ??= now);
    const isKnown = ["stale", "failed"].includes(this.#sink.freshness.kind);
    const isBusy = error.kind === "throttled" && now - since < longBusyMs;
    if (isBusy && !isKnown && !isLasting) return;
    if (this.#lists === 0) this.#sink.setFreshness({ kind: "failed", error });
    else if (isLasting || !isFirst) this.#sink.setFreshness({ kind: "stale", since, error });
  }

  #tellWatching(): void {
    this.#polls = undefined;
    this.#tellLive();
  }

  #tellLive(): void {
    this.#brokenSince = undefined;
    this.#deniedSince = undefined;
    this.#sink.setFreshness({ kind: "live", polled: this.#polls?.error });
  }

  #beginList(mayLag: boolean): IncomingList<Item> {
    this.#listBegunAt = this.#time();
    return this.#sink.beginList(mayLag);
  }

  #acceptList(list: IncomingList<Item>, resourceVersion: string): void {
    // `end` rejects a list that is older than a previous one. The next attempt lists again.
    if (list.end(resourceVersion)) {
      this.#resourceVersion = resourceVersion;
      this.#oldLists = 0;
    } else this.#oldLists += 1;
    this.#lists += 1;
    this.#tellLive();
  }
}

const isBookmark = (event: ItemEvent): event is WatchBookmark => event.kind === "bookmark";

const tooLong = (detail: string): Failed => ({
  kind: "failed",
  error: { kind: "badResponse", status: undefined, detail },
  wasOpen: false,
});

interface ListEnd {
  /** Index of the bookmark. */
  readonly at: number;
  /** False for an ordinary bookmark: the server ignored `sendInitialEvents`. */
  readonly isEnd: boolean;
  readonly resourceVersion: string;
}

// True if the server does not know the parameters of a streamed list, or has the feature switched off.
const isRefusal = (error: ClusterError): boolean =>
  error.kind === "invalid" ||
  (error.kind === "badResponse" && (error.status === undefined || error.status < 500));
