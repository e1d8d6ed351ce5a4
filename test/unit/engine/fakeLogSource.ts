import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { LogItem, LogRequest, LogSource } from "../../../src/engine/ports/logs.ts";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import { unreachable } from "./fakePodServer.ts";

const notFound: ClusterError = {
  kind: "notFound",
  resource: "pods",
  name: "p",
  detail: "another pod",
};
const noRunBefore: ClusterError = {
  kind: "invalid",
  detail: 'previous terminated container "c" in pod "p" not found',
  causes: [],
};

/**
 * The log of one container as the API serves it: from a whole second on, followed until the container ends. The test
 * cuts streams.
 */
export class FakeLogSource implements LogSource {
  readonly requests: LogRequest[] = [];
  /** True if the container has ended. */
  isOver = false;
  readonly #clock: Clock;
  readonly #file: LogLine[] = [];
  readonly #refusals: (ClusterError | "closed")[] = [];
  readonly #streams = new Set<LogStream>();
  /** The response to requests for the previous run. */
  runBefore: ClusterError | readonly LogLine[] = noRunBefore;
  /** Called before the response to a request for the previous run. */
  onPrevious: () => void = () => undefined;
  /** Uid of the pod that has the name now. */
  #uid = "1";
  /** Number of lines at the start of the log that the node has deleted. */
  #rotated = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  write(line: LogLine): void {
    this.#file.push(line);
    this.#ring();
  }

  end(): void {
    this.isOver = true;
    this.#ring();
  }

  /**
   * Ends open streams after this many more lines, with an error or normally. Only followed streams can end normally: a
   * truncated response without `follow` is an HTTP error.
   */
  cutAfter(lines: number, how: ClusterError | "closed"): void {
    for (const stream of this.#streams) {
      if (how === "closed" && !stream.isFollowed) continue;
      stream.linesLeft = lines;
      stream.cut = how;
    }
    this.#ring();
  }

  /** Open streams deliver nothing more, as if the node still followed the old file of a rotated log. */
  mute(): void {
    for (const stream of this.#streams) stream.isMuted = true;
  }

  /** Deletes all lines except the last `kept` ones. */
  rotate(kept: number): void {
    this.#rotated = Math.max(this.#rotated, this.#file.length - kept);
  }

  /** Restarts the container: open streams end, and the current log becomes the previous run. */
  restart(): void {
    this.cutAfter(0, "closed");
    this.#streams.clear();
    this.runBefore = this.#file.splice(0).slice(this.#rotated);
    this.#rotated = 0;
  }

  /** Replaces the pod with another one of the same name, which has its own log. Open streams break. */
  replacePod(uid: string): void {
    this.cutAfter(0, unreachable);
    this.#streams.clear();
    this.#uid = uid;
    this.#file.length = 0;
    this.#rotated = 0;
  }

  /** Makes the next request fail with this error, or ends its stream at once. */
  refuse(how: ClusterError | "closed"): void {
    this.#refusals.push(how);
  }

  async *readLog(
    request: LogRequest,
    signal: AbortSignal,
  ): AsyncGenerator<LogItem, void, undefined> {
    this.requests.push(request);
    await this.#clock.sleep(1, signal);
    if (request.uid !== undefined && request.uid !== this.#uid) {
      yield { kind: "failed", error: notFound };
      return;
    }
    if (request.previous) {
      this.onPrevious();
      const found = this.runBefore;
      if ("kind" in found) yield { kind: "failed", error: found };
      else yield { kind: "lines", take: () => found };
      return;
    }
    const refusal = this.#refusals.shift();
    if (refusal === "closed" && request.follow) return;
    if (refusal !== undefined && refusal !== "closed") {
      yield { kind: "failed", error: refusal };
      return;
    }
    const stream = new LogStream(this.#firstLine(request), request.follow);
    this.#streams.add(stream);
    try {
      yield* this.#items(stream, request, signal);
    } finally {
      this.#streams.delete(stream);
    }
  }

  async *#items(
    stream: LogStream,
    { follow, sinceTime }: LogRequest,
    signal: AbortSignal,
  ): AsyncGenerator<LogItem, void, undefined> {
    const since = sinceTime === undefined ? -Infinity : Math.floor(Date.parse(sinceTime) / 1000);
    for (;;) {
      const waiting = stream.isMuted ? [] : this.#file.slice(stream.position);
      stream.position += waiting.length;
      const wanted = waiting.filter(
        ({ timestamp }) => Math.floor(Date.parse(timestamp) / 1000) >= since,
      );
      const lines = wanted.slice(0, stream.linesLeft);
      stream.linesLeft -= lines.length;
      if (lines.length > 0) yield { kind: "lines", take: () => lines };
      if (stream.cut !== undefined && stream.linesLeft === 0) {
        if (stream.cut !== "closed") yield { kind: "failed", error: stream.cut };
        return;
      }
      if (stream.position < this.#file.length && !stream.isMuted) continue;
      if (!follow || (this.isOver && !stream.isMuted)) return;
      await stream.nextRing(this.#clock, signal);
    }
  }

  #firstLine({ tailLines }: LogRequest): number {
    return Math.max(this.#rotated, tailLines === undefined ? 0 : this.#file.length - tailLines);
  }

  #ring(): void {
    for (const stream of this.#streams) stream.ring();
  }
}

class LogStream {
  readonly isFollowed: boolean;
  position: number;
  linesLeft = Infinity;
  cut: ClusterError | "closed" | undefined;
  isMuted = false;
  ring: () => void = () => undefined;

  constructor(position: number, isFollowed: boolean) {
    this.position = position;
    this.isFollowed = isFollowed;
  }

  async nextRing(clock: Clock, signal: AbortSignal): Promise<void> {
    const rung = new AbortController();
    this.ring = () => {
      rung.abort();
    };
    try {
      await clock.sleep(24 * 3_600_000, AbortSignal.any([signal, rung.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!rung.signal.aborted) throw error;
    } finally {
      this.ring = () => undefined;
    }
  }
}
