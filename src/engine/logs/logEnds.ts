import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import { causeInLog, logEndLines, type LogCause } from "../../spark/diagnosis/logCause.ts";
import { stallInLog } from "../../spark/diagnosis/starving.ts";
import { logTargetOf, type LogTarget } from "../../spark/logs/targets.ts";
import type { SparkPod } from "../../spark/pods/application.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../ports/clock.ts";
import type { LogSource } from "../ports/logs.ts";
import { start } from "../running.ts";
import { withinTime } from "../withinTime.ts";

export interface LogEndsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The redacted logs of an application's pods. */
  readonly logsOf: (key: string) => LogSource;
  /** Called with the key of an application when the end of a log was read and explains a failure. */
  readonly changed: (keys: ReadonlySet<string>) => void;
}

const maxAtOnce = 2;
// Executors of an application usually fail for the same few reasons.
const maxPerApplication = 20;
const maxWaiting = 100;
const maxKnown = 1_000;
// In characters. The rest of a longer line, and lines after the limit, are ignored.
const maxLine = 2_000;
const maxRead = 4 << 20;
const patienceMs = 10_000;
const failedAgainMs = 30_000;
const refusedAgainMs = 600_000;
// A driver that lacks executors logs that its job waits every 15 s. One without a job logs nothing.
const latestAgainMs = 30_000;
const maxLatestAgainMs = 300_000;

type LogPart = "end" | "latest";

interface KnownEnd {
  readonly key: string;
  readonly cause: LogCause | undefined;
  /** How long the cause counts. */
  readonly pauseMs: number;
  readonly until: number;
}

interface Wanted {
  readonly key: string;
  readonly id: string;
  readonly target: LogTarget;
  readonly part: LogPart;
}

/**
 * The errors at the end of the logs of failed containers. Reads the last lines of a log once, when
 * `causeOf` is called for it while the view is visible. Keeps only the error.
 */
export class LogEnds implements Disposable {
  readonly #options: LogEndsOptions;
  readonly #owned = new DisposableStore();
  readonly #time: () => number;
  /** By pod uid and restart; oldest first. */
  readonly #known = new Map<string, KnownEnd>();
  readonly #waiting = new Map<string, Wanted>();
  /** When to try again, by the id of a failed read or by namespace. */
  readonly #restsUntil = new Map<string, number>();
  readonly #reading = new Map<string, Wanted>();
  #isVisible = false;

  constructor(options: LogEndsOptions) {
    this.#options = options;
    this.#time = steadyTime(options.clock);
  }

  /** Without a visible view nothing is read; requests wait until it is visible. */
  look(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#readNext();
  }

  /** Retries refused and failed reads. */
  wake(): void {
    this.#restsUntil.clear();
  }

  /**
   * The error at the end of the log of a failed pod, or the latest reason in that of a driver without executors, which
   * is read again every 30 s. Undefined without one, and until it was read.
   */
  causeOf(key: string, one: SparkPod, part: LogPart = "end"): LogCause | undefined {
    const restarts = sparkContainerOf(one.pod)?.restartCount ?? 0;
    const id = `${one.pod.uid}/${restarts}/${part}`;
    const known = this.#known.get(id);
    if (known !== undefined && this.#time() < known.until) return known.cause;
    if (this.#isDue(key, id, one.pod.namespace, part)) {
      this.#waiting.set(id, { key, id, target: logTargetOf(one), part });
      this.#readNext();
    }
    return known?.cause;
  }

  dispose(): void {
    this.#waiting.clear();
    this.#owned.dispose();
  }

  #isDue(key: string, id: string, namespace: string, part: LogPart): boolean {
    if (this.#owned.isDisposed || this.#waiting.size >= maxWaiting) return false;
    if (this.#waiting.has(id) || this.#reading.has(id)) return false;
    const now = this.#time();
    for (const name of [id, namespace]) if (now < (this.#restsUntil.get(name) ?? 0)) return false;
    if (part === "latest") return true;
    let read = 0;
    for (const some of [this.#known, this.#waiting, this.#reading]) {
      for (const one of some.values()) if (one.key === key) read += 1;
    }
    return read < maxPerApplication;
  }

  #readNext(): void {
    while (this.#isVisible && this.#reading.size < maxAtOnce) {
      const [next] = this.#waiting.values();
      if (next === undefined) return;
      this.#waiting.delete(next.id);
      this.#reading.set(next.id, next);
      const reading = this.#owned.add(start((signal) => this.#read(next, signal)));
      void reading.done.catch(this.#options.log.error).finally(() => {
        this.#owned.remove(reading);
        this.#reading.delete(next.id);
        this.#readNext();
      });
    }
  }

  async #read(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const read = await withinTime(
      (inTime) =>
        readLogCause(this.#options.logsOf(wanted.key), wanted.target, wanted.part, inTime),
      { clock: this.#options.clock, ms: patienceMs },
      signal,
    );
    signal.throwIfAborted();
    if (read === undefined) this.#rest(wanted.id, failedAgainMs);
    else this.#take(wanted, read);
  }

  #take(wanted: Wanted, read: Result<LogCause | undefined, ClusterError>): void {
    const { key, target } = wanted;
    if (!read.ok) {
      const { error } = read;
      this.#options.log.debug(`log of ${target.pod}: ${error.detail}`);
      if (error.kind === "forbidden") this.#rest(target.namespace, refusedAgainMs);
      // The log of a deleted or replaced pod does not come back.
      if (error.kind !== "notFound" && error.kind !== "invalid") {
        this.#rest(wanted.id, failedAgainMs);
        return;
      }
    }
    const cause = read.ok ? read.value : undefined;
    const before = this.#known.get(wanted.id)?.cause;
    this.#keep(wanted, cause);
    if (cause?.error !== before?.error) this.#options.changed(new Set([key]));
  }

  #rest(name: string, ms: number): void {
    if (this.#restsUntil.size >= maxKnown) this.#restsUntil.clear();
    this.#restsUntil.set(name, this.#time() + ms);
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

/** Reads the last lines of a log. Undefined if they hold no error, or no reason for a lack of executors. */
export async function readLogCause(
  logs: LogSource,
  target: LogTarget,
  part: LogPart,
  signal: AbortSignal,
): Promise<Result<LogCause | undefined, ClusterError>> {
  const lines: string[] = [];
  const request = {
    ...target,
    ...{ follow: false, previous: false, tailLines: logEndLines, sinceTime: undefined },
  };
  let size = 0;
  for await (const item of logs.readLog(request, signal)) {
    if (item.kind === "failed") return err(item.error);
    for (const { text } of item.take()) {
      lines.push(text.slice(0, maxLine));
      size += text.length;
    }
    if (size > maxRead) break;
  }
  return ok(part === "end" ? causeInLog(lines) : stallInLog(lines));
}
