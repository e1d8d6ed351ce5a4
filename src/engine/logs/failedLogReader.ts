import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import { deepLogLines, logEndLines, type LogCause } from "../../spark/diagnosis/logCause.ts";
import { endCauseInLog, rejectionInLog } from "../../spark/diagnosis/starving.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { logTargetOf, type LogTarget } from "../../spark/logs/targets.ts";
import type { SparkPod } from "../../spark/pods/application.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../ports/clock.ts";
import type { LogSource } from "../ports/logs.ts";
import { start } from "../running.ts";
import { failedLogLines } from "./keepFailed.ts";
import { withinTime } from "../withinTime.ts";

export interface FailedLogReaderOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the redacted logs of an application's pods. */
  readonly logsOf: (key: string) => LogSource;
  /** True while failed logs are kept: the lines of a read are held for `linesOf`. */
  readonly keepsLines: () => boolean;
  /** Called with the key of an application when the cause in one of its logs changed. */
  readonly changed: (keys: ReadonlySet<string>) => void;
}

const maxAtOnce = 2;
// Maximum number of logs that are read for one application. Its executors usually fail for the same few reasons.
const maxPerApplication = 20;
const maxWaiting = 100;
const maxKnown = 1_000;
// Max characters of a line that are searched for a cause.
const maxLine = 2_000;
// Maximum number of characters of one log, and of all held logs together. Beyond it, the oldest lines or logs are
// dropped.
const maxRead = 4 << 20;
const patienceMs = 10_000;
const failedAgainMs = 30_000;
const refusedAgainMs = 600_000;
// Pauses in ms before the log of a driver without executors is read again. While a job waits, such a driver logs the
// reason every 15 s. Without a job it logs nothing, so the pause increases.
const latestAgainMs = 30_000;
const maxLatestAgainMs = 300_000;

type LogPart = "end" | "latest";

interface KnownEnd {
  readonly key: string;
  readonly cause: LogCause | undefined;
  /** Pause in ms before the log is read again; Infinity for the end of a log, which is read once. */
  readonly pauseMs: number;
  readonly until: number;
}

interface Wanted {
  readonly key: string;
  readonly id: string;
  readonly target: LogTarget;
  readonly part: LogPart;
}

interface Reading extends Wanted {
  /** Undefined if the log could not be read. */
  readonly lines: Promise<readonly LogLine[] | undefined>;
}

/**
 * Reads the last log lines of failed containers. One read serves the cause on a row and the kept log. `causeOf` reads
 * only while the view is visible, `linesOf` and `readEnd` at once. The cause stays cached; the lines are held until
 * `linesOf` takes them.
 */
export class FailedLogReader implements Disposable {
  readonly #options: FailedLogReaderOptions;
  readonly #owned = new DisposableStore();
  readonly #time: () => number;
  /** By pod uid, restart count and log part; oldest first. */
  readonly #known = new Map<string, KnownEnd>();
  readonly #waiting = new Map<string, Wanted>();
  /** End of the back-off in ms of the steady clock, by the id of a failed read or by namespace. */
  readonly #restsUntil = new Map<string, number>();
  readonly #reading = new Map<string, Reading>();
  /** Lines that `linesOf` has not taken; oldest first. */
  readonly #held = new Map<string, readonly LogLine[]>();
  #isVisible = false;

  constructor(options: FailedLogReaderOptions) {
    this.#options = options;
    this.#time = steadyTime(options.clock);
  }

  /** Sets the visibility of the view. While it is hidden, reads that `causeOf` requested wait. */
  look(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#readNext();
  }

  /** Ends all back-offs, so that the next request reads a refused or failed log again. */
  wake(): void {
    this.#restsUntil.clear();
  }

  /**
   * Returns the error at the end of the log of a failed pod. For a driver without executors, returns the latest reason
   * in its log. That log is read again after 30 s, and after up to 5 min if it shows no reason. Undefined until the log
   * was read, or if it shows no cause.
   */
  causeOf(key: string, one: SparkPod, part: LogPart = "end"): LogCause | undefined {
    const wanted = wantedOf(key, one, part);
    const known = this.#known.get(wanted.id);
    if (known !== undefined && this.#time() < known.until) return known.cause;
    if (this.#isDue(wanted)) {
      this.#waiting.set(wanted.id, wanted);
      this.#readNext();
    }
    return known?.cause;
  }

  /**
   * Returns the last lines of the log of a failed pod, and releases the held ones. Undefined if the log cannot be read
   * now.
   */
  async linesOf(
    key: string,
    one: SparkPod,
    signal: AbortSignal,
  ): Promise<readonly LogLine[] | undefined> {
    const wanted = wantedOf(key, one, "end");
    const lines = this.#held.get(wanted.id) ?? (await this.#readNow(wanted));
    signal.throwIfAborted();
    this.#held.delete(wanted.id);
    return lines;
  }

  /** Reads the end of the log of a failed pod for its cause, also without a visible view, unless it was read. */
  async readEnd(key: string, one: SparkPod): Promise<void> {
    const wanted = wantedOf(key, one, "end");
    if (!this.#known.has(wanted.id)) await this.#readNow(wanted);
  }

  dispose(): void {
    this.#waiting.clear();
    this.#held.clear();
    this.#owned.dispose();
  }

  /** Joins the running read of the log, or starts one. Undefined if the log cannot be read now. */
  async #readNow(wanted: Wanted): Reading["lines"] {
    const { id } = wanted;
    const reading = this.#reading.get(id)?.lines;
    if (reading === undefined && (this.#owned.isDisposed || this.#isResting(wanted))) {
      return undefined;
    }
    this.#waiting.delete(id);
    return reading ?? this.#start(wanted);
  }

  #isDue(wanted: Wanted): boolean {
    const { key, id, part } = wanted;
    if (this.#owned.isDisposed || this.#waiting.size >= maxWaiting) return false;
    if (this.#waiting.has(id) || this.#reading.has(id)) return false;
    if (this.#isResting(wanted)) return false;
    if (part === "latest") return true;
    let read = 0;
    for (const some of [this.#known, this.#waiting, this.#reading]) {
      for (const one of some.values()) if (one.key === key) read += 1;
    }
    return read < maxPerApplication;
  }

  #isResting({ id, target }: Wanted): boolean {
    const now = this.#time();
    return [id, target.namespace].some((name) => now < (this.#restsUntil.get(name) ?? 0));
  }

  #readNext(): void {
    while (this.#isVisible && this.#reading.size < maxAtOnce) {
      const [next] = this.#waiting.values();
      if (next === undefined) return;
      this.#waiting.delete(next.id);
      void this.#start(next);
    }
  }

  /** Reads a log, and resolves with its lines. Never rejects. */
  #start(wanted: Wanted): Reading["lines"] {
    let found: readonly LogLine[] | undefined;
    const reading = this.#owned.add(
      start(async (signal) => {
        found = await this.#read(wanted, signal);
      }),
    );
    const lines = reading.done
      .catch(this.#options.log.error)
      .then(() => found)
      .finally(() => {
        this.#owned.remove(reading);
        this.#reading.delete(wanted.id);
        this.#readNext();
      });
    this.#reading.set(wanted.id, { ...wanted, lines });
    return lines;
  }

  async #read(wanted: Wanted, signal: AbortSignal): Promise<readonly LogLine[] | undefined> {
    const { clock, logsOf } = this.#options;
    const count = this.#holdsLines(wanted) ? failedLogLines : logEndLines;
    const read = await withinTime(
      (inTime) => readForCause(logsOf(wanted.key), wanted, count, inTime),
      { clock, ms: patienceMs },
      signal,
    );
    signal.throwIfAborted();
    if (read === undefined) this.#rest(wanted.id, failedAgainMs);
    else this.#take(wanted, read);
    return read?.ok ? read.value.slice(-failedLogLines) : undefined;
  }

  #take(wanted: Wanted, read: Result<readonly LogLine[], ClusterError>): void {
    const { key, target } = wanted;
    if (!read.ok) {
      const { error } = read;
      this.#options.log.debug(`log of ${target.pod}: ${error.detail}`);
      if (error.kind === "forbidden") this.#rest(target.namespace, refusedAgainMs);
      // The log of a deleted or replaced pod does not come back, so it is not read again.
      if (error.kind !== "notFound" && error.kind !== "invalid") {
        this.#rest(wanted.id, failedAgainMs);
        return;
      }
    }
    const cause = read.ok ? causeOfLines(read.value, wanted.part) : undefined;
    const before = this.#known.get(wanted.id)?.cause;
    this.#keep(wanted, cause);
    if (read.ok && this.#holdsLines(wanted)) this.#hold(wanted, read.value.slice(-failedLogLines));
    if (cause?.error !== before?.error) this.#options.changed(new Set([key]));
  }

  #rest(name: string, ms: number): void {
    if (this.#restsUntil.size >= maxKnown) this.#restsUntil.clear();
    this.#restsUntil.set(name, this.#time() + ms);
  }

  /** True if the lines of the read are held. Only the ends of failed logs are kept. */
  #holdsLines({ part }: Wanted): boolean {
    return part === "end" && this.#options.keepsLines();
  }

  #hold({ id }: Wanted, lines: readonly LogLine[]): void {
    this.#held.set(id, lines);
    let size = 0;
    for (const [other, held] of [...this.#held].reverse()) {
      size += sizeOf(held);
      if (size > maxRead && other !== id) this.#held.delete(other);
    }
  }

  #keep({ key, id, part }: Wanted, cause: LogCause | undefined): void {
    const before = this.#known.get(id)?.pauseMs ?? latestAgainMs / 2;
    const pauseMs =
      part === "end"
        ? Infinity
        : cause === undefined
          ? Math.min(maxLatestAgainMs, 2 * before)
          : latestAgainMs;
    this.#known.set(id, { key, cause, pauseMs, until: this.#time() + pauseMs });
    if (this.#known.size <= maxKnown) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}

/**
 * Reads the last lines of a log and returns the cause in them. Undefined if they contain no error, or for `latest` no
 * reason for a lack of executors.
 */
export async function readLogCause(
  logs: LogSource,
  target: LogTarget,
  part: LogPart,
  signal: AbortSignal,
): Promise<Result<LogCause | undefined, ClusterError>> {
  const read = await readForCause(logs, { target, part }, logEndLines, signal);
  return read.ok ? ok(causeOfLines(read.value, part)) : read;
}

/** Reads the last `count` lines of a log. For `end`, reads up to 3,000 lines if those show no error. */
async function readForCause(
  logs: LogSource,
  { target, part }: Pick<Wanted, "target" | "part">,
  count: number,
  signal: AbortSignal,
): Promise<Result<readonly LogLine[], ClusterError>> {
  const read = await readLogEnd(logs, target, count, signal);
  const isWhole = !read.ok || read.value.length < count;
  if (part === "latest" || isWhole || causeOfLines(read.value, part) !== undefined) return read;
  return readLogEnd(logs, target, deepLogLines, signal);
}

async function readLogEnd(
  logs: LogSource,
  target: LogTarget,
  tailLines: number,
  signal: AbortSignal,
): Promise<Result<readonly LogLine[], ClusterError>> {
  const lines: LogLine[] = [];
  const request = { ...target, follow: false, previous: false, tailLines, sinceTime: undefined };
  let size = 0;
  for await (const item of logs.readLog(request, signal)) {
    if (item.kind === "failed") return err(item.error);
    const taken = item.take();
    lines.push(...taken);
    size += sizeOf(taken);
    while (size > maxRead && lines.length > 1) size -= lines.shift()?.text.length ?? 0;
  }
  return ok(lines);
}

function causeOfLines(lines: readonly LogLine[], part: LogPart): LogCause | undefined {
  const texts = lines.map(({ text }) => text.slice(0, maxLine));
  return part === "end" ? endCauseInLog(texts) : rejectionInLog(texts.slice(-logEndLines));
}

const sizeOf = (lines: readonly LogLine[]): number =>
  lines.reduce((size, { text }) => size + text.length, 0);

function wantedOf(key: string, one: SparkPod, part: LogPart): Wanted {
  const restarts = sparkContainerOf(one.pod)?.restartCount ?? 0;
  return { key, id: `${one.pod.uid}/${restarts}/${part}`, target: logTargetOf(one), part };
}
