import { assertNever } from "../base/assertNever.ts";
import type { LogLine } from "../spark/logs/logLine.ts";
import { ResumeCursor } from "../spark/logs/resumeCursor.ts";
import { Backoff, jittered } from "./backoff.ts";
import type { ClusterError } from "./clusterError.ts";
import { orSilence, silence } from "./orSilence.ts";
import type { Clock, LogRequest, LogSource, Random } from "./ports.ts";
import { startRounds, type Rounds } from "./rounds.ts";

export interface TailTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string | undefined;
}

export interface TailOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How many of the lines that there are to begin with; undefined: all. */
  readonly tailLines: number | undefined;
  /**
   * Whether the container will write no more, as far as is known: undefined where nobody knows. It may lag
   * behind; a tail that is told false goes on asking.
   */
  readonly hasEnded: () => boolean | undefined;
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
  /** The log no longer holds what was read last: lines after this time may be missing. */
  | { readonly kind: "gap"; readonly after: string };

export type TailEnd =
  /** The container has ended, and all that it wrote was read. */
  | { readonly kind: "finished" }
  /** The pod is gone, and the rest of its log with it. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly error: ClusterError };

export type Tail = Rounds;

/**
 * Follows the log of one container until it ends: every line once, in order, over any number of cuts.
 * Lines that the node has thrown away meanwhile are told as a gap.
 */
export function startTail(
  logs: LogSource,
  target: TailTarget,
  sink: TailSink,
  options: TailOptions,
): Tail {
  const tail = new LogTail(logs, target, sink, options);
  return startRounds({
    clock: options.clock,
    round: (cut) => tail.round(cut),
    woken: () => {
      tail.woken();
    },
  });
}

/** How one request for the log ended. */
type ReadEnd =
  Closed | { readonly kind: "silent" } | { readonly kind: "failed"; readonly error: ClusterError };

interface Closed {
  readonly kind: "closed";
  readonly hadLines: boolean;
  readonly isShort: boolean;
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
const slowRetryMs = 60_000;
const longestRetryAfterMs = 300_000;
// When a container has ended but its last lines cannot be had.
const lastAttempts = 5;

class LogTail {
  readonly #logs: LogSource;
  readonly #target: TailTarget;
  readonly #sink: TailSink;
  readonly #options: TailOptions;
  readonly #backoff: Backoff;
  readonly #cursor = new ResumeCursor();
  #silenceMs = shortestSilenceMs;
  /** Whether the stream before this one ended in good order. */
  #hasClosed = false;
  #waits = 0;
  #failuresAfterEnd = 0;
  #told: "waiting" | "reconnecting" | undefined;

  constructor(logs: LogSource, target: TailTarget, sink: TailSink, options: TailOptions) {
    this.#logs = logs;
    this.#target = target;
    this.#sink = sink;
    this.#options = options;
    this.#backoff = new Backoff(options.random);
  }

  woken(): void {
    this.#backoff.reset();
  }

  async round(cut: AbortSignal): Promise<number | "over"> {
    // Asked before reading: what is read after the end is all that there is.
    const wasOver = this.#options.hasEnded() === true;
    const next = this.#learnFrom(await this.#read(!wasOver, cut), wasOver);
    if (next.kind === "again") return next.afterMs;
    this.#sink.ended(next.end);
    return "over";
  }

  /** Reads until the stream ends, fails or falls silent. */
  async #read(follow: boolean, signal: AbortSignal): Promise<ReadEnd> {
    const { clock } = this.#options;
    const stop = new AbortController();
    const request = this.#request(follow);
    const items = this.#logs
      .readLog(request, AbortSignal.any([signal, stop.signal]))
      [Symbol.asyncIterator]();
    const startedAt = clock.now();
    let hadLines = false;
    try {
      for (;;) {
        const result = await orSilence(items.next(), this.#silenceMs, clock, signal);
        if (result === silence) {
          this.#silenceMs = Math.min(this.#silenceMs * 2, longestSilenceMs);
          return { kind: "silent" };
        }
        if (result.done === true) {
          return { kind: "closed", hadLines, isShort: clock.now() - startedAt < shortReadMs };
        }
        if (result.value.kind === "failed") return result.value;
        if (await this.#print(result.value.lines)) hadLines = true;
        signal.throwIfAborted();
      }
    } finally {
      stop.abort();
      await items.return?.();
    }
  }

  #request(follow: boolean): LogRequest {
    const { sinceTime } = this.#cursor;
    this.#cursor.beginReplay();
    return {
      namespace: this.#target.namespace,
      pod: this.#target.pod,
      container: this.#target.container,
      follow,
      previous: false,
      tailLines: sinceTime === undefined ? this.#options.tailLines : undefined,
      sinceTime,
    };
  }

  /** True if there was a new line. */
  async #print(lines: readonly LogLine[]): Promise<boolean> {
    const accepted = this.#cursor.accept(lines);
    this.#tellResumed();
    this.#waits = 0;
    if (accepted.gapAfter !== undefined) {
      this.#sink.notice({ kind: "gap", after: accepted.gapAfter });
    }
    if (accepted.lines.length === 0) return false;
    this.#silenceMs = shortestSilenceMs;
    await this.#sink.lines(accepted.lines);
    return true;
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
  #learnFromClose({ hadLines, isShort }: Closed, wasOver: boolean): Next {
    if (wasOver) return endWith({ kind: "finished" });
    const hasEnded = this.#options.hasEnded();
    if (hasEnded === true) return again(0);
    // A second look that is over at once and shows nothing new is the best that can be known then.
    const isSecondLook = this.#hasClosed && isShort && !hadLines;
    if (hasEnded === undefined && isSecondLook) return endWith({ kind: "finished" });
    this.#hasClosed = true;
    return again(isShort ? this.#backoff.next(this.#options.clock.now()) : 0);
  }

  #learnFromFailure(error: ClusterError, wasOver: boolean): Next {
    this.#hasClosed = false;
    if (isNotStarted(error)) {
      if (wasOver) return endWith({ kind: "finished" });
      return again(this.#waitForStart(error.detail));
    }
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

  #waitForStart(detail: string): number {
    if (this.#told !== "waiting") this.#sink.notice({ kind: "waiting", detail });
    this.#told = "waiting";
    const full = Math.min(longestWaitMs, firstWaitMs * 1.5 ** this.#waits);
    this.#waits += 1;
    return jittered(full, this.#options.random);
  }

  #reconnect(error: ClusterError, leastDelayMs: number, wasOver: boolean): Next {
    if (wasOver) this.#failuresAfterEnd += 1;
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

// The API has no reason of its own for these two, only the sentence.
const isNotStarted = (error: ClusterError): boolean =>
  error.kind === "badResponse" &&
  error.status === 400 &&
  /is waiting to start|does not have a host assigned/.test(error.detail);
