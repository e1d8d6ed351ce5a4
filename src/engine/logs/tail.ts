import { assertNever } from "../../base/assertNever.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { isNotStarted, isUnknownToNode } from "../../spark/logs/nodeWords.ts";
import { ResumeCursor, type LogGap } from "../../spark/logs/resumeCursor.ts";
import { Backoff, jittered } from "../watch/backoff.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { LogItem, LogRequest, LogSource } from "../ports/logs.ts";
import { briefDenialMs, isFinal, isOutage, retryOf } from "../watch/retryPolicy.ts";
import { startRetryLoop, type RetryLoop } from "../watch/retryLoop.ts";
import { idleTimedOut, IdleDetector } from "../watch/idleDetector.ts";

export interface TailTarget {
  readonly namespace: string;
  readonly pod: string;
  /** If undefined, any pod with that name matches. */
  readonly uid?: string;
  readonly container: string | undefined;
}

/** A container's state according to the watch. */
export interface ContainerUpdates {
  /**
   * True if the container has ended; undefined if unknown. The value may lag; while it is false,
   * the tail keeps reading.
   */
  readonly hasEnded: () => boolean | undefined;
  /** True if the pod was deleted; another pod may have its name. */
  readonly isGone?: () => boolean;
  /** Returns the container's restarts, if known; may lag. */
  readonly restarts?: () => Restarts | undefined;
  /** Registers a listener for changes of the container's state. A waiting tail then reads at once. */
  readonly onDidChange?: (look: () => void) => Disposable;
}

export interface TailOptions extends ContainerUpdates {
  readonly clock: Clock;
  readonly random: Random;
  /** Number of existing lines to start with. Undefined means all. */
  readonly tailLines: number | undefined;
  /** The position at which an earlier tail stopped. This tail resumes there and advances the cursor. */
  readonly cursor?: ResumeCursor;
  /**
   * `runBefore` starts with the previous run, or with the part of it that an earlier tail did not read. The default is
   * the current run.
   */
  readonly beginAt?: "runBefore";
}

interface Restarts {
  readonly count: number;
  /** The end of the previous run; undefined if unknown. */
  readonly lastEnd: RunEnd | undefined;
}

export interface RunEnd {
  readonly exitCode: number | undefined;
  readonly reason: string | undefined;
}

export interface TailSink {
  /** Receives lines. The tail reads more only after the promise settles, which applies back-pressure. */
  lines(lines: readonly LogLine[]): void | Promise<void>;
  notice(notice: TailNotice): void;
  /** Called last, when the log has ended. Not called after `dispose`. */
  ended(end: TailEnd): void;
}

export type TailNotice =
  /** The container has not started; the tail waits for it. */
  | { readonly kind: "waiting"; readonly detail: string }
  /** The stream was cut; the tail reconnects. Sent once, until `resumed`. */
  | { readonly kind: "reconnecting"; readonly error: ClusterError }
  | { readonly kind: "resumed" }
  /** The log no longer has the last line that was read: lines between `after` and `before` may be missing. */
  | ({ readonly kind: "gap" } & LogGap)
  /** The previous run was read to its end; the next lines belong to the new run. */
  | { readonly kind: "restarted"; readonly lastEnd: RunEnd | undefined };

export type TailEnd =
  /** The container has ended, and its whole log was read. */
  | { readonly kind: "finished" }
  /** The pod was deleted, and the rest of its log with it. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly error: ClusterError };

export interface Tail extends RetryLoop {
  readonly isAwaitingServer: () => boolean;
  /** Ends the wait for an unreachable server, so that the tail reconnects at once. Has no effect during other waits. */
  readonly reconnect: () => void;
}

/**
 * Follows the log of one container until it ends: every line once, in order, across cut connections
 * and restarts of the container. Lines that the node dropped are reported as a gap.
 */
export function startTail(
  logs: LogSource,
  target: TailTarget,
  sink: TailSink,
  options: TailOptions,
): Tail {
  const tail = new LogTail(logs, target, sink, options);
  const retryLoop = startRetryLoop({
    clock: options.clock,
    random: options.random,
    attempt: (cut) => tail.attempt(cut),
    woken: () => {
      tail.woken();
    },
  });
  const looking = options.onDidChange?.(retryLoop.hurry);
  const letGo = (): void => {
    looking?.dispose();
  };
  return {
    ...retryLoop,
    isAwaitingServer: () => tail.isAwaitingServer,
    reconnect: () => {
      if (tail.isAwaitingServer) retryLoop.hurry();
    },
    done: retryLoop.done.finally(letGo),
    dispose: () => {
      letGo();
      retryLoop.dispose();
    },
  };
}

/** The end of one log request. */
type ReadEnd = Closed | { readonly kind: "silent" } | Restarted | Failed;

/** The rest of the previous run was printed. The next request reads the current run from its beginning. */
interface Restarted {
  readonly kind: "restarted";
}

interface Failed {
  readonly kind: "failed";
  readonly error: ClusterError;
}

interface Closed {
  readonly kind: "closed";
  /**
   * The last line, if it has no line feed. It is final if the container has ended; otherwise the next request returns
   * the complete line.
   */
  readonly unfinished: LogLine | undefined;
  readonly hadLines: boolean;
  readonly byName: boolean;
  readonly isShort: boolean;
}

/** The log request in progress. */
interface Reading {
  readonly startedAt: number;
  /** True if the request had no uid, because the pod was known to be running. */
  readonly byName: boolean;
  hadLines: boolean;
  unfinished: LogLine | undefined;
}

type RunBefore = "begun" | "perhaps" | { readonly unread: number };

type Next =
  | { readonly kind: "again"; readonly afterMs: number }
  | { readonly kind: "end"; readonly end: TailEnd };

// A kubelet can stop following a log that it rotated: reopen quiet streams, at growing intervals.
const minSilenceMs = 60_000;
const maxSilenceMs = 300_000;
const shortReadMs = 1_000;
const firstWaitMs = 1_000;
const maxWaitMs = 10_000;
// A failed stream with new lines resets the back-off if it lasted this long. Shorter streams may come from a server
// that fails after each response.
const goodStreamMs = 1_000;
// The log of the previous run may be unavailable briefly: the kubelet has just deleted it, or is still starting.
// Retry a few times; the stream of the new run stays open meanwhile.
const looksBack = 3;
const lookBackMs = 300;
// Failed reads after which the tail gives up on the last lines of an ended container. With the back-off they take more
// than a minute.
const lastAttempts = 8;
const maxQuietKubeletErrors = 4;

class LogTail {
  readonly #logs: LogSource;
  readonly #target: TailTarget;
  readonly #sink: TailSink;
  readonly #options: TailOptions;
  readonly #backoff: Backoff;
  /** Number of existing lines to start with. Undefined after the first run. */
  #tailLines: number | undefined;
  #cursor: ResumeCursor;
  /** Copy of the cursor from before the current request; undefined if no line was read before. */
  #thread: ResumeCursor | undefined;
  /** The cursor at the end of the previous run. */
  #ended: ResumeCursor;
  #restartCount: number | undefined;
  #silenceMs = minSilenceMs;
  /** True if the previous stream closed without an error. */
  #hasClosed = false;
  #waits = 0;
  #failuresAfterEnd = 0;
  /**
   * Number of consecutive failures in which the kubelet sent an error message in place of the log, or did not know the
   * pod.
   */
  #kubeletErrors = 0;
  #isAwaitingServer = false;
  /** True once the server has sent a log. */
  #wasGranted = false;
  /** Time of the first denial since the last successful response, in ms; undefined if none. */
  #deniedSince: number | undefined;
  /** True if a gap was reported while looking for the previous run, so the restart needs no second notice. */
  #hasToldGap = false;
  #told: "waiting" | "reconnecting" | undefined;

  constructor(logs: LogSource, target: TailTarget, sink: TailSink, options: TailOptions) {
    this.#logs = logs;
    this.#target = target;
    this.#sink = sink;
    this.#options = options;
    this.#tailLines = options.tailLines;
    this.#cursor = options.cursor ?? new ResumeCursor();
    this.#ended = this.#cursor.fresh();
    this.#backoff = new Backoff(options.random);
  }

  woken(): void {
    this.#backoff.reset();
  }

  /** True while the tail waits to reconnect to an unreachable server. */
  get isAwaitingServer(): boolean {
    return this.#isAwaitingServer;
  }

  async attempt(cut: AbortSignal): Promise<number | "over"> {
    this.#isAwaitingServer = false;
    if (this.#options.isGone?.() === true) {
      this.#sink.ended({ kind: "gone" });
      return "over";
    }
    // Checked before reading: a stream opened after the end contains the whole log.
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

  /** Reads until the stream ends, fails or exceeds the silence limit. */
  async #read(follow: boolean, signal: AbortSignal): Promise<ReadEnd> {
    const { clock } = this.#options;
    const stop = new AbortController();
    const request = this.#request(follow);
    const items = this.#logs
      .readLog(request, AbortSignal.any([signal, stop.signal]))
      [Symbol.asyncIterator]();
    const watch = new IdleDetector(() => this.#silenceMs, clock);
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

  /**
   * Handles one result of the stream. Returns undefined if the stream continues. Extracted so the awaiting loop does
   * not keep the batch alive.
   */
  async #hear(
    result: IteratorResult<LogItem, unknown> | typeof idleTimedOut,
    reading: Reading,
    signal: AbortSignal,
  ): Promise<ReadEnd | undefined> {
    const { clock } = this.#options;
    if (result === idleTimedOut) {
      this.#silenceMs = Math.min(this.#silenceMs * 2, maxSilenceMs);
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
    this.#wasGranted = true;
    this.#deniedSince = undefined;
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
      // Checking the uid costs an extra request; skip it while the pod is known to be running.
      uid: this.#options.hasEnded() === false ? undefined : uid,
      container,
      follow,
      previous: false,
      tailLines: sinceTime === undefined ? this.#tailLines : undefined,
      sinceTime,
    };
  }

  /**
   * Prints the new lines. Returns true if at least one line was new. If it returns an object, the read ends and `lines`
   * were not printed.
   */
  async #print(
    lines: readonly LogLine[],
    signal: AbortSignal,
  ): Promise<boolean | Restarted | Failed> {
    const accepted = this.#cursor.accept(lines);
    this.#tellResumed();
    this.#waits = 0;
    this.#kubeletErrors = 0;
    if (accepted.gap !== undefined) {
      const end = await this.#closeGap(accepted.gap, signal);
      if (end) return end;
    }
    if (accepted.lines.length === 0) return false;
    this.#silenceMs = minSilenceMs;
    await this.#sink.lines(accepted.lines);
    return true;
  }

  /**
   * Handles a gap: the log lacks the last line that was read. Either a new run has started and the rest of the previous
   * one is available, or the node dropped lines. If the container restarted meanwhile, the lines after the gap may also
   * belong to the previous run, so they are read again.
   */
  async #closeGap(gap: LogGap, signal: AbortSignal): Promise<Restarted | Failed | undefined> {
    const thread = this.#thread;
    if (thread === undefined) return undefined;
    const reached = this.#cursor;
    // Print the lines after the gap only when its cause is known. If the stream is cut before, they are read again.
    this.#cursor = thread;
    const isThere = await this.#readRunBefore(thread, "begun", signal);
    if (typeof isThere === "object") return isThere;
    if (isThere) {
      this.#beginRun();
      if (this.#restartCount !== undefined) this.#restartCount += 1;
      return { kind: "restarted" };
    }
    this.#cursor = reached;
    this.#sink.notice({ kind: "gap", ...gap });
    this.#hasToldGap = true;
    return undefined;
  }

  // Starts a new run with a fresh cursor, because the timestamps of two runs are independent.
  #beginRun(): void {
    this.#cursor = this.#cursor.fresh();
    this.#tailLines = undefined;
  }

  /** Reads the rest of the previous run if the container restarted, because the new run may be silent. */
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
      : await this.#readRunBefore(this.#ended, { unread: count }, signal);
    if (typeof isThere === "object") return isThere;
    this.#restartCount = count;
    if (isThere) this.#beginRun();
    // The previous run is unavailable, or it does not continue from the cursor, so lines may be missing.
    else if (!this.#hasToldGap) {
      this.#sink.notice({ kind: "gap", after: undefined, before: undefined });
    }
    this.#hasToldGap = false;
    return undefined;
  }

  /** Reads the rest of the previous run, because the container may have restarted since the earlier tail stopped. */
  async #lookForRest(count: number, signal: AbortSignal): Promise<Failed | undefined> {
    const isThere = count > 0 && (await this.#readRunBefore(this.#cursor, "perhaps", signal));
    if (typeof isThere === "object") return isThere;
    this.#restartCount = count;
    if (isThere) this.#beginRun();
    return undefined;
  }

  /**
   * Prints the rest of the container's previous run. Returns true if that run was found.
   * - `begun`: the cursor is in the previous run. Returns false if that run does not continue from the cursor.
   * - `perhaps`: the cursor may be in the current run. Returns false if there are no new lines.
   * - `unread`: no line of the previous run was read yet. The number is the restart count at which that run is the
   *   previous one.
   */
  async #readRunBefore(
    thread: ResumeCursor,
    run: RunBefore,
    signal: AbortSignal,
  ): Promise<boolean | Failed> {
    for (let look = 1; ; look += 1) {
      const isIt = await this.#lookBack(thread, run, signal);
      if (typeof isIt === "object") {
        if (hasNoRunBefore(isIt.error)) return false;
        if (!isKubeletError(isIt.error)) return isIt;
        if (look === looksBack) return false;
        await this.#options.clock.sleep(look * lookBackMs, signal);
        continue;
      }
      if (!isIt) return false;
      const wasToldBefore = typeof run === "object" && thread.hasMatched;
      if (!wasToldBefore) this.#tellRestart();
      this.#ended = thread;
      return true;
    }
  }

  async #lookBack(
    thread: ResumeCursor,
    run: RunBefore,
    signal: AbortSignal,
  ): Promise<boolean | Failed> {
    const { sinceTime } = thread;
    const request = { ...this.#target, sinceTime, tailLines: undefined };
    thread.beginReplay();
    let isIt = typeof run === "object";
    let hasLines = false;
    for await (const item of this.#logs.readLog(
      { ...request, follow: false, previous: true },
      signal,
    )) {
      if (item.kind === "failed") return item;
      const { lines, gap } = thread.accept(item.take());
      isIt ||= lines.length > 0 || (run === "begun" && thread.hasMatched);
      if (gap && typeof run !== "object") this.#sink.notice({ kind: "gap", ...gap });
      if (lines.length === 0) continue;
      if (!hasLines) this.#tellSkippedRun(run);
      hasLines = true;
      await this.#sink.lines(lines);
    }
    if (!hasLines) this.#tellSkippedRun(run);
    return isIt;
  }

  /** Reports a gap if the container restarted again during the request: the previous run may be a later one. */
  #tellSkippedRun(run: RunBefore): void {
    const count = this.#options.restarts?.()?.count ?? 0;
    if (typeof run !== "object" || count <= run.unread) return;
    this.#sink.notice({ kind: "gap", after: undefined, before: undefined });
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
      case "restarted":
        this.#hasClosed = false;
        return again(0);
      case "closed":
        return this.#learnFromClose(read, wasOver);
      case "failed":
        return this.#learnFromFailure(read.error, wasOver);
      default:
        return assertNever(read);
    }
  }

  // A closed stream does not prove that the container has ended: the kubelet may have restarted.
  #learnFromClose({ hadLines, byName, isShort }: Closed, wasOver: boolean): Next {
    if (wasOver) return endWith({ kind: "finished" });
    const hasEnded = this.#options.hasEnded();
    if (hasEnded === true) return again(0);
    // If a second read closes immediately with no new lines, assume the container has finished.
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
    if (error.kind === "notFound") return endWith({ kind: "gone" });
    if (error.kind === "forbidden" && this.#isBriefDenial())
      return this.#reconnect(error, 0, wasOver);
    if (isFinal(error)) return endWith({ kind: "failed", error });
    const retry = retryOf(error);
    switch (retry.kind) {
      case "slow":
        return this.#reconnect(error, retry.delayMs, wasOver);
      case "soon":
        return this.#reconnect(error, retry.minDelayMs, wasOver);
      case "relist":
        return this.#reconnect(error, 0, wasOver);
      default:
        return assertNever(retry);
    }
  }

  #isBriefDenial(): boolean {
    if (!this.#wasGranted) return false;
    const now = this.#options.clock.now();
    return now - (this.#deniedSince ??= now) < briefDenialMs;
  }

  // The pod was just scheduled, or the kubelet is starting and does not know its pods yet.
  #learnFromNewNode(error: ClusterError, wasOver: boolean): Next {
    if (this.#cursor.newest !== undefined) return this.#reconnect(error, 0, wasOver);
    if (wasOver) this.#failuresAfterEnd += 1;
    if (this.#failuresAfterEnd >= looksBack) return endWith({ kind: "finished" });
    return again(this.#waitForStart(error.detail));
  }

  #waitForStart(detail: string): number {
    if (this.#told !== "waiting") this.#sink.notice({ kind: "waiting", detail });
    this.#told = "waiting";
    const full = Math.min(maxWaitMs, firstWaitMs * 1.5 ** this.#waits);
    this.#waits += 1;
    return jittered(full, this.#options.random);
  }

  #reconnect(error: ClusterError, minDelayMs: number, wasOver: boolean): Next {
    // While the server is unreachable, do not conclude that the remaining log is lost.
    if (wasOver && error.kind !== "unreachable") this.#failuresAfterEnd += 1;
    if (this.#failuresAfterEnd >= lastAttempts) return endWith({ kind: "failed", error });
    // While a pod terminates, the kubelet may send errors before the watch shows the end. Report only repeated errors.
    this.#kubeletErrors = isKubeletError(error) || isUnknown(error) ? this.#kubeletErrors + 1 : 0;
    const isTold =
      this.#kubeletErrors === 0 || (!wasOver && this.#kubeletErrors >= maxQuietKubeletErrors);
    if (isTold && this.#told !== "reconnecting") {
      this.#sink.notice({ kind: "reconnecting", error });
      this.#told = "reconnecting";
    }
    this.#isAwaitingServer = isOutage(error);
    return again(Math.max(minDelayMs, this.#backoff.next(this.#options.clock.now())));
  }
}

const again = (afterMs: number): Next => ({ kind: "again", afterMs });

const endWith = (end: TailEnd): Next => ({ kind: "end", end });

const hasNoRunBefore = (error: ClusterError): boolean =>
  error.kind === "invalid" || hasNotStarted(error);

/** True if the kubelet sent an error message in place of the log. */
const isKubeletError = (error: ClusterError): boolean =>
  error.kind === "badResponse" && error.status === undefined;

/** True if the container has not started, and therefore has no log yet. */
export const hasNotStarted = (error: ClusterError): boolean =>
  error.kind === "badResponse" && error.status === 400 && isNotStarted(error.detail);

const isUnknown = (error: ClusterError): boolean =>
  error.kind === "badResponse" && isUnknownToNode(error.detail);
