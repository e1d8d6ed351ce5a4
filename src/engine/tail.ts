import { assertNever } from "../base/assertNever.ts";
import type { Disposable } from "../base/disposable.ts";
import type { LogLine } from "../spark/logs/logLine.ts";
import { isNotStarted, isUnknownToNode } from "../spark/logs/nodeWords.ts";
import { ResumeCursor, type LogGap } from "../spark/logs/resumeCursor.ts";
import { Backoff, jittered } from "./backoff.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Clock, LogItem, LogRequest, LogSource, Random } from "./ports.ts";
import { startRounds, type Rounds } from "./rounds.ts";
import { silence, SilenceWatch } from "./silenceWatch.ts";

export interface TailTarget {
  readonly namespace: string;
  readonly pod: string;
  /** Undefined: whichever pod has that name. */
  readonly uid?: string;
  readonly container: string | undefined;
}

/** What is known of a container beside its log. */
export interface ContainerNews {
  /**
   * Whether the container will write no more, as far as is known: undefined where nobody knows. It may lag
   * behind; a tail that is told false goes on asking.
   */
  readonly hasEnded: () => boolean | undefined;
  /** Whether its pod is known to be gone: by the same name there may be another one. */
  readonly isGone?: () => boolean;
  /** The container's restarts, as far as is known; it may lag behind, too. */
  readonly restarts?: () => Restarts | undefined;
  /** Calls back when more is known of the container: a tail that waits looks at once. */
  readonly onDidChange?: (look: () => void) => Disposable;
}

export interface TailOptions extends ContainerNews {
  readonly clock: Clock;
  readonly random: Random;
  /** How many of the lines that there are to begin with; undefined: all. */
  readonly tailLines: number | undefined;
  /** Where an earlier tail has left off; it is moved on by this one. */
  readonly cursor?: ResumeCursor;
  /** `runBefore`: with what is left of the run before, if no earlier tail has read anything; else with this run. */
  readonly beginAt?: "runBefore";
}

export interface Restarts {
  readonly count: number;
  /** How the run before this one ended; undefined where that is not known. */
  readonly lastEnd: RunEnd | undefined;
}

export interface RunEnd {
  readonly exitCode: number | undefined;
  readonly reason: string | undefined;
}

export interface TailSink {
  /** The tail reads on when the promise is settled, so a slow reader is not run over. */
  lines(lines: readonly LogLine[]): void | Promise<void>;
  notice(notice: TailNotice): void;
  /** The last call. Not made when the tail was disposed. */
  ended(end: TailEnd): void;
}

export type TailNotice =
  /** The container has not started; the tail waits for it. */
  | { readonly kind: "waiting"; readonly detail: string }
  /** The stream was cut and will be taken up where it was. Told once, until `resumed`. */
  | { readonly kind: "reconnecting"; readonly error: ClusterError }
  | { readonly kind: "resumed" }
  /** The log no longer holds what was read last: lines between these times may be missing. */
  | ({ readonly kind: "gap" } & LogGap)
  /** All that is left of the run before was read; what follows is of the container's next run. */
  | { readonly kind: "restarted"; readonly lastEnd: RunEnd | undefined };

export type TailEnd =
  /** The container has ended, and all that it wrote was read. */
  | { readonly kind: "finished" }
  /** The pod is gone, and the rest of its log with it. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly error: ClusterError };

export type Tail = Rounds;

/**
 * Follows the log of one container until it ends: every line once, in order, over any number of cuts and over
 * restarts of the container. Lines that the node has thrown away meanwhile are told as a gap.
 */
export function startTail(
  logs: LogSource,
  target: TailTarget,
  sink: TailSink,
  options: TailOptions,
): Tail {
  const tail = new LogTail(logs, target, sink, options);
  const rounds = startRounds({
    clock: options.clock,
    random: options.random,
    round: (cut) => tail.round(cut),
    woken: () => {
      tail.woken();
    },
  });
  const looking = options.onDidChange?.(rounds.hurry);
  const letGo = (): void => {
    looking?.dispose();
  };
  return {
    ...rounds,
    done: rounds.done.finally(letGo),
    dispose: () => {
      letGo();
      rounds.dispose();
    },
  };
}

/** How one request for the log ended. */
type ReadEnd = Closed | { readonly kind: "silent" } | Failed;

interface Failed {
  readonly kind: "failed";
  readonly error: ClusterError;
}

interface Closed {
  readonly kind: "closed";
  /** A line without its end: the last one of a container that has ended, else to come again as a whole. */
  readonly unfinished: LogLine | undefined;
  readonly hadLines: boolean;
  readonly byName: boolean;
  readonly isShort: boolean;
}

/** A request for the log under way. */
interface Reading {
  readonly startedAt: number;
  /** Of whichever pod has the name: this one was known to run when it was asked. */
  readonly byName: boolean;
  hadLines: boolean;
  unfinished: LogLine | undefined;
}

type Next =
  | { readonly kind: "again"; readonly afterMs: number }
  | { readonly kind: "end"; readonly end: TailEnd };

// Nodes have stopped following a log when they rotated it: a quiet stream is opened anew, ever more rarely.
const shortestSilenceMs = 60_000;
const longestSilenceMs = 300_000;
const shortReadMs = 1_000;
const firstWaitMs = 1_000;
const longestWaitMs = 10_000;
const goodStreamMs = 5_000;
const slowRetryMs = 60_000;
const longestRetryAfterMs = 300_000;
// A node that has thrown the run before away goes on naming it, one that starts cannot find it for a moment;
// the stream of the next run is kept open meanwhile, so that nothing of that is lost.
const looksBack = 3;
const lookBackMs = 300;
// When a container has ended but its node does not give its last lines: more than a minute.
const lastAttempts = 8;

class LogTail {
  readonly #logs: LogSource;
  readonly #target: TailTarget;
  readonly #sink: TailSink;
  readonly #options: TailOptions;
  readonly #backoff: Backoff;
  #cursor: ResumeCursor;
  /** Where the cursor stood before the replay under way. */
  #thread: ResumeCursor | undefined;
  /** Where the run before this one was read to. */
  #ended: ResumeCursor;
  #restartCount: number | undefined;
  #silenceMs = shortestSilenceMs;
  /** Whether the stream before this one ended in good order. */
  #hasClosed = false;
  #waits = 0;
  #failuresAfterEnd = 0;
  /** A gap was told where the run before was looked for: that the container was started again is no news. */
  #hasToldGap = false;
  #told: "waiting" | "reconnecting" | undefined;

  constructor(logs: LogSource, target: TailTarget, sink: TailSink, options: TailOptions) {
    this.#logs = logs;
    this.#target = target;
    this.#sink = sink;
    this.#options = options;
    this.#cursor = options.cursor ?? new ResumeCursor();
    this.#ended = this.#cursor.fresh();
    this.#backoff = new Backoff(options.random);
  }

  woken(): void {
    this.#backoff.reset();
  }

  async round(cut: AbortSignal): Promise<number | "over"> {
    if (this.#options.isGone?.() === true) {
      this.#sink.ended({ kind: "gone" });
      return "over";
    }
    // Asked before reading: what is read after the end is all that there is.
    const wasOver = this.#options.hasEnded() === true;
    const read = (await this.#lookForRestart(cut)) ?? (await this.#read(!wasOver, cut));
    const next = this.#learnFrom(read, wasOver);
    if (next.kind === "again") return next.afterMs;
    if (next.end.kind === "finished" && read.kind === "closed") await this.#printRest(read);
    this.#sink.ended(next.end);
    return "over";
  }

  async #printRest({ unfinished }: Closed): Promise<void> {
    const gap = this.#cursor.endReplay();
    if (gap) this.#sink.notice({ kind: "gap", ...gap });
    if (unfinished) await this.#sink.lines([unfinished]);
  }

  /** Reads until the stream ends, fails or falls silent. */
  async #read(follow: boolean, signal: AbortSignal): Promise<ReadEnd> {
    const { clock } = this.#options;
    const stop = new AbortController();
    const request = this.#request(follow);
    const items = this.#logs
      .readLog(request, AbortSignal.any([signal, stop.signal]))
      [Symbol.asyncIterator]();
    const watch = new SilenceWatch(() => this.#silenceMs, clock);
    const byName = request.uid === undefined && this.#target.uid !== undefined;
    const startedAt = clock.now();
    const reading: Reading = { startedAt, byName, hadLines: false, unfinished: undefined };
    try {
      for (;;) {
        const end = await this.#hear(await watch.next(items.next()), reading, signal);
        if (end !== undefined) return end;
        signal.throwIfAborted();
      }
    } finally {
      watch.dispose();
      stop.abort();
      await items.return?.();
    }
  }

  /** Undefined as long as there may be more. A call of its own, as a variable in a loop that waits keeps the lines. */
  async #hear(
    result: IteratorResult<LogItem, unknown> | typeof silence,
    reading: Reading,
    signal: AbortSignal,
  ): Promise<ReadEnd | undefined> {
    const { clock } = this.#options;
    if (result === silence) {
      this.#silenceMs = Math.min(this.#silenceMs * 2, longestSilenceMs);
      return { kind: "silent" };
    }
    const { startedAt, byName, hadLines, unfinished } = reading;
    const tookMs = clock.now() - startedAt;
    if (result.done === true) {
      return { kind: "closed", unfinished, hadLines, byName, isShort: tookMs < shortReadMs };
    }
    if (result.value.kind === "failed") {
      if (hadLines && tookMs >= goodStreamMs) this.#backoff.reset();
      return result.value;
    }
    const lines = result.value.take();
    const last = lines.at(-1);
    reading.unfinished = last?.isUnfinished === true ? last : undefined;
    const printed = await this.#print(reading.unfinished ? lines.slice(0, -1) : lines, signal);
    if (typeof printed === "object") return printed;
    if (printed) reading.hadLines = true;
    return undefined;
  }

  #request(follow: boolean): LogRequest {
    const { sinceTime } = this.#cursor;
    this.#thread = sinceTime === undefined ? undefined : this.#cursor.copy();
    this.#cursor.beginReplay();
    const { namespace, pod, uid, container } = this.#target;
    return {
      namespace,
      pod,
      // It takes a question of its own, which is saved where the pod is known to run.
      uid: this.#options.hasEnded() === false ? undefined : uid,
      container,
      follow,
      previous: false,
      tailLines: sinceTime === undefined ? this.#options.tailLines : undefined,
      sinceTime,
    };
  }

  /** True if there was a new line; a failure if it could not be found out what came before them. */
  async #print(lines: readonly LogLine[], signal: AbortSignal): Promise<boolean | Failed> {
    const accepted = this.#cursor.accept(lines);
    this.#tellResumed();
    this.#waits = 0;
    if (accepted.gap !== undefined) {
      const failure = await this.#closeGap(accepted.gap, accepted.lines, signal);
      if (failure) return failure;
    }
    if (accepted.lines.length === 0) return false;
    this.#silenceMs = shortestSilenceMs;
    await this.#sink.lines(accepted.lines);
    return true;
  }

  /**
   * The log does not hold what was read last: either these lines are of the container's next run, and the
   * rest of the one before can be had, or the node has thrown lines away.
   */
  async #closeGap(
    gap: LogGap,
    fresh: readonly LogLine[],
    signal: AbortSignal,
  ): Promise<Failed | undefined> {
    const thread = this.#thread;
    if (thread === undefined) return undefined;
    const reached = this.#cursor;
    // Until this is settled the lines in hand are not printed; who is cut off here reads them again.
    this.#cursor = thread;
    const isThere = await this.#readRunBefore(thread, "begun", signal);
    if (typeof isThere === "object") return isThere;
    this.#cursor = reached;
    if (!isThere) {
      this.#sink.notice({ kind: "gap", ...gap });
      this.#hasToldGap = true;
      return undefined;
    }
    // The stamps of the two runs have nothing to do with each other.
    const cursor = thread.fresh();
    cursor.accept(fresh);
    this.#cursor = cursor;
    if (this.#restartCount !== undefined) this.#restartCount += 1;
    return undefined;
  }

  /** A container that was started again may be silent: what is left of its run before must not wait for that. */
  async #lookForRestart(signal: AbortSignal): Promise<Failed | undefined> {
    const count = this.#options.restarts?.()?.count;
    if (count === undefined) return undefined;
    const isRead = this.#cursor.newest !== undefined;
    const isFromBefore = this.#options.beginAt === "runBefore";
    if (isFromBefore && isRead && this.#restartCount === undefined) {
      return this.#lookForRest(count, signal);
    }
    const known = (this.#restartCount ??= isFromBefore ? 0 : count);
    if (count <= known) return undefined;
    if (!isRead && count - known > 1) {
      this.#sink.notice({ kind: "gap", after: undefined, before: undefined });
    }
    const isThere = isRead
      ? await this.#readRunBefore(this.#cursor, "begun", signal)
      : await this.#readRunBefore(this.#ended, "unread", signal);
    if (typeof isThere === "object") return isThere;
    this.#restartCount = count;
    // Restarted again meanwhile: what was read may be a later run.
    if (!isRead && isThere && (this.#options.restarts?.()?.count ?? 0) > count) {
      this.#sink.notice({ kind: "gap", after: undefined, before: undefined });
    }
    if (isThere) this.#cursor = this.#cursor.fresh();
    // What was read is of a newer run already, or else the next lines show it: a run in between was missed.
    else if (!this.#hasToldGap) {
      this.#sink.notice({ kind: "gap", after: undefined, before: undefined });
    }
    this.#hasToldGap = false;
    return undefined;
  }

  /** The container may have been started again since an earlier tail has left off. */
  async #lookForRest(count: number, signal: AbortSignal): Promise<Failed | undefined> {
    const isThere = count > 0 && (await this.#readRunBefore(this.#cursor, "perhaps", signal));
    if (typeof isThere === "object") return isThere;
    this.#restartCount = count;
    if (isThere) this.#cursor = this.#cursor.fresh();
    return undefined;
  }

  /**
   * Prints what is left of the container's run before. `begun`: of which the thread has read something; false
   * where it does not go on from there. `perhaps`: it may have read something of this run instead; false where there
   * is nothing new. `unread`: the thread is that of a run before it, if there was one.
   */
  async #readRunBefore(
    thread: ResumeCursor,
    run: "begun" | "perhaps" | "unread",
    signal: AbortSignal,
  ): Promise<boolean | Failed> {
    for (let look = 1; ; look += 1) {
      const isIt = await this.#lookBack(thread, run, signal);
      if (typeof isIt === "object") {
        if (hasNoRunBefore(isIt.error)) return false;
        if (!isExcuse(isIt.error)) return isIt;
        if (look === looksBack) return false;
        await this.#options.clock.sleep(look * lookBackMs, signal);
        continue;
      }
      if (!isIt) return false;
      const wasToldBefore = run === "unread" && thread.hasMatched;
      if (!wasToldBefore) this.#tellRestart();
      this.#ended = thread;
      return true;
    }
  }

  async #lookBack(
    thread: ResumeCursor,
    run: "begun" | "perhaps" | "unread",
    signal: AbortSignal,
  ): Promise<boolean | Failed> {
    const { sinceTime } = thread;
    const request = { ...this.#target, sinceTime, tailLines: undefined };
    thread.beginReplay();
    let isIt = run === "unread";
    for await (const item of this.#logs.readLog(
      { ...request, follow: false, previous: true },
      signal,
    )) {
      if (item.kind === "failed") return item;
      const { lines, gap } = thread.accept(item.take());
      isIt ||= lines.length > 0 || (run === "begun" && thread.hasMatched);
      if (gap && run !== "unread") this.#sink.notice({ kind: "gap", ...gap });
      if (lines.length > 0) await this.#sink.lines(lines);
    }
    return isIt;
  }

  #tellRestart(): void {
    this.#sink.notice({ kind: "restarted", lastEnd: this.#options.restarts?.()?.lastEnd });
  }

  #tellResumed(): void {
    if (this.#told === "reconnecting") this.#sink.notice({ kind: "resumed" });
    this.#told = undefined;
  }

  #learnFrom(read: ReadEnd, wasOver: boolean): Next {
    switch (read.kind) {
      case "silent":
        this.#tellResumed();
        return again(0);
      case "closed":
        return this.#learnFromClose(read, wasOver);
      case "failed":
        return this.#learnFromFailure(read.error, wasOver);
      default:
        return assertNever(read);
    }
  }

  // The end of a stream is not the end of the container: a node that restarts ends its streams as well.
  #learnFromClose({ hadLines, byName, isShort }: Closed, wasOver: boolean): Next {
    if (wasOver) return endWith({ kind: "finished" });
    const hasEnded = this.#options.hasEnded();
    if (hasEnded === true) return again(0);
    // A second look at this very pod that is over at once and shows nothing new is the best that can be known then.
    const isSecondLook = this.#hasClosed && isShort && !hadLines && !byName;
    if (hasEnded === undefined && isSecondLook) return endWith({ kind: "finished" });
    this.#hasClosed = true;
    if (hadLines) this.#backoff.reset();
    return again(isShort ? this.#backoff.next(this.#options.clock.now()) : 0);
  }

  #learnFromFailure(error: ClusterError, wasOver: boolean): Next {
    this.#hasClosed = false;
    if (hasNotStarted(error)) {
      if (wasOver) return endWith({ kind: "finished" });
      return again(this.#waitForStart(error.detail));
    }
    if (isUnknown(error)) return this.#learnFromNewNode(error, wasOver);
    switch (error.kind) {
      case "notFound":
        return endWith({ kind: "gone" });
      case "forbidden":
      case "invalid":
      case "configuration":
        return endWith({ kind: "failed", error });
      case "unauthorized":
        return this.#reconnect(error, slowRetryMs, wasOver);
      case "throttled":
        return this.#reconnect(
          error,
          Math.min(error.retryAfterMs ?? 0, longestRetryAfterMs),
          wasOver,
        );
      case "badResponse":
        return isRefusal(error.status)
          ? endWith({ kind: "failed", error })
          : this.#reconnect(error, 0, wasOver);
      case "unreachable":
      case "expired":
      case "conflict":
      case "protected":
        return this.#reconnect(error, 0, wasOver);
      default:
        return assertNever(error);
    }
  }

  // A pod has just come to its node, or the node has just started and goes through its pods.
  #learnFromNewNode(error: ClusterError, wasOver: boolean): Next {
    if (this.#cursor.newest !== undefined) return this.#reconnect(error, 0, wasOver);
    if (wasOver) this.#failuresAfterEnd += 1;
    if (this.#failuresAfterEnd >= looksBack) return endWith({ kind: "finished" });
    return again(this.#waitForStart(error.detail));
  }

  #waitForStart(detail: string): number {
    if (this.#told !== "waiting") this.#sink.notice({ kind: "waiting", detail });
    this.#told = "waiting";
    const full = Math.min(longestWaitMs, firstWaitMs * 1.5 ** this.#waits);
    this.#waits += 1;
    return jittered(full, this.#options.random);
  }

  #reconnect(error: ClusterError, leastDelayMs: number, wasOver: boolean): Next {
    // As long as the server is away, nobody can say that the rest of the log is.
    if (wasOver && error.kind !== "unreachable") this.#failuresAfterEnd += 1;
    if (this.#failuresAfterEnd >= lastAttempts) return endWith({ kind: "failed", error });
    if (this.#told !== "reconnecting") this.#sink.notice({ kind: "reconnecting", error });
    this.#told = "reconnecting";
    return again(Math.max(leastDelayMs, this.#backoff.next(this.#options.clock.now())));
  }
}

const again = (afterMs: number): Next => ({ kind: "again", afterMs });

const endWith = (end: TailEnd): Next => ({ kind: "end", end });

// What the server will say again to the same question.
const isRefusal = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && status !== 408;

const hasNoRunBefore = (error: ClusterError): boolean =>
  error.kind === "invalid" || hasNotStarted(error);

/** What a node has said in the place of a log. */
const isExcuse = (error: ClusterError): boolean =>
  error.kind === "badResponse" && error.status === undefined;

const hasNotStarted = (error: ClusterError): boolean =>
  error.kind === "badResponse" && error.status === 400 && isNotStarted(error.detail);

const isUnknown = (error: ClusterError): boolean =>
  error.kind === "badResponse" && isUnknownToNode(error.detail);
