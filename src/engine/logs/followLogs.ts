import { Collector } from "../../base/collector.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { RecordReader, type LogRecord } from "../../spark/logs/logRecord.ts";
import { MergeWindow, type MergedRecord } from "../../spark/logs/mergeWindow.ts";
import type { Log } from "../log.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { LogSource } from "../ports/logs.ts";
import { start, type Running } from "../running.ts";
import {
  startTail,
  type ContainerUpdates,
  type Tail,
  type TailEnd,
  type TailNotice,
  type TailOptions,
  type TailTarget,
} from "./tail.ts";

/** One of several container logs that are followed together. */
export interface FollowedLog extends ContainerUpdates, Pick<TailOptions, "tailLines"> {
  readonly id: string;
  /** The log source of the container's cluster. */
  readonly logs: LogSource;
  readonly target: TailTarget;
}

export interface FollowSink {
  /**
   * Receives records in timestamp order. The next call follows only when the promise resolves, which applies
   * back-pressure.
   */
  records(records: readonly MergedRecord[]): void | Promise<void>;
  notice(id: string, notice: TailNotice): void;
  ended(id: string, end: TailEnd): void;
}

export interface LogFollow extends Running {
  /** Adds a log, unless it is or was followed. */
  join(followed: FollowedLog): void;
}

export interface FollowLogsPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

// A thousand records take about two milliseconds; then yield to the event loop.
const maxAtOnce = 1_000;
const idleMs = 50;
// Shorter pause while logs are held back, because the logs that they wait for should deliver soon.
const pressedMs = 5;
/** Estimated number of characters that a resumed log delivers before it is paused again. */
const typicalChunk = 8 << 10;
// Time in ms for which the last record of a log may still receive lines.
const openMs = 150;
/**
 * Time in ms from the start of the last record during which it may receive lines of a stack trace. It is longer than a
 * reconnect.
 */
const traceMs = 1_500;
/**
 * As `traceMs`, if the stream was cut inside the trace. The first reconnect takes almost a second, and the trace may
 * already be a second old.
 */
const cutTraceMs = 2_500;

/**
 * Merges several logs by timestamp. Pauses all logs while the consumer is slow, and a log that is far ahead of the
 * others. This bounds the memory.
 */
export function followLogs(ports: FollowLogsPorts, sink: FollowSink): LogFollow {
  const follow = new Following(ports, sink);
  const pumping = start((signal) => follow.pump(signal));
  return {
    join: (followed) => {
      follow.join(followed);
    },
    done: follow.settled(pumping.done),
    dispose: () => {
      pumping.dispose();
      follow.stop();
    },
  };
}

// Pause between the reconnects of two logs; twenty logs take half a second.
const reconnectSpreadMs = 25;

// Shared by all waits, because the creation of an error captures a stack.
const arrival = new Error("something has come");

interface Source {
  readonly id: string;
  readonly reader: RecordReader;
  tail: Tail | undefined;
  heardAt: number;
  /** Start of the last record, in ms of the steady clock. */
  openedAt: number;
  /** True if the stream was cut inside the last record. Notices wait until that record is complete. */
  isCut: boolean;
  /** Resumes the paused tail. */
  release: (() => void) | undefined;
}

class Following {
  readonly #ports: FollowLogsPorts;
  readonly #time: () => number;
  readonly #sink: FollowSink;
  readonly #merge = new MergeWindow();
  readonly #sources = new Map<string, Source>();
  /** Notices and ends that wait until the records before them are delivered. */
  readonly #told: { readonly source: Source; readonly tell: () => void }[] = [];
  #isStopped = false;
  /** True while records are collected, but not yet delivered. */
  #isTaking = false;
  readonly #due = new Collector<MergedRecord>();
  #reconnecting: Running | undefined;
  /** Ends `#arrival` when any log delivers a record. */
  #arrived: (() => void) | undefined;

  constructor(ports: FollowLogsPorts, sink: FollowSink) {
    this.#ports = ports;
    this.#time = steadyTime(ports.clock);
    this.#sink = sink;
  }

  join({ id, logs, target, ...options }: FollowedLog): void {
    if (this.#isStopped || this.#sources.has(id)) return;
    const { clock, random, log } = this.#ports;
    const source: Source = {
      id,
      reader: new RecordReader(),
      tail: undefined,
      heardAt: 0,
      openedAt: 0,
      isCut: false,
      release: undefined,
    };
    this.#sources.set(id, source);
    this.#merge.join(id, this.#time());
    const tail = startTail(
      logs,
      target,
      {
        lines: (lines) => this.#take(source, lines),
        notice: (notice) => {
          const { kind } = notice;
          source.isCut = source.reader.isInTrace && (kind === "reconnecting" || kind === "resumed");
          if (!source.isCut) this.#close(source);
          if (kind === "waiting") this.#merge.leave(id);
          if (kind === "resumed") this.#reconnectOthers();
          this.#tell(source, () => {
            this.#sink.notice(id, notice);
          });
        },
        ended: (end) => {
          this.#close(source);
          this.#merge.leave(id);
          this.#tell(source, () => {
            this.#sink.ended(id, end);
          });
        },
      },
      { ...options, clock, random },
    );
    source.tail = tail;
    tail.done.catch(log.error);
  }

  /**
   * Reconnects the other logs in turn. One log got a response from the server, so the others can skip their back-off.
   */
  #reconnectOthers(): void {
    if (this.#reconnecting !== undefined || this.#isStopped) return;
    const { clock, log } = this.#ports;
    const reconnecting = start(async (signal) => {
      for (const { tail } of this.#sources.values()) {
        if (tail?.isAwaitingServer() !== true) continue;
        tail.reconnect();
        await clock.sleep(reconnectSpreadMs, signal);
      }
    });
    this.#reconnecting = reconnecting;
    reconnecting.done.catch(log.error).finally(() => {
      this.#reconnecting = undefined;
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#reconnecting?.dispose();
    this.#arrived?.();
    for (const { tail, release } of this.#sources.values()) {
      tail?.dispose();
      release?.();
    }
  }

  async settled(pumping: Promise<void>): Promise<void> {
    await pumping;
    for (const { tail } of this.#sources.values()) await tail?.done;
  }

  async pump(signal: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    for (;;) {
      this.#closeQuiet();
      this.#isTaking = true;
      const records = await this.#takeDue(signal);
      this.#isTaking = false;
      if (records.length > 0) await this.#sink.records(records);
      signal.throwIfAborted();
      this.#tellWaiting();
      const isPressed = this.#releaseSome();
      const pauseMs = isPressed ? pressedMs : idleMs;
      await clock.sleep(records.length < maxAtOnce ? pauseMs : 0, signal);
    }
  }

  /**
   * Returns the due records, including those that paused logs deliver when resumed. Waits at most 50 ms for the latter.
   */
  async #takeDue(signal: AbortSignal): Promise<readonly MergedRecord[]> {
    const { clock } = this.#ports;
    const until = this.#time() + idleMs;
    for (;;) {
      const limit = maxAtOnce - this.#due.length;
      const taken = this.#merge.take(this.#time(), limit, clock.now());
      for (const record of taken) this.#due.add(record);
      const isEnough = taken.length === limit || this.#time() >= until || !this.#releaseSome();
      if (isEnough || !(await this.#arrival(signal))) return this.#due.take();
    }
  }

  /** Resolves to true when a log delivers a record, and to false after 5 ms without one. */
  async #arrival(signal: AbortSignal): Promise<boolean> {
    const arrived = new AbortController();
    this.#arrived = () => {
      arrived.abort(arrival);
    };
    try {
      await this.#ports.clock.sleep(pressedMs, arrived.signal);
      return false;
    } catch (error) {
      if (!arrived.signal.aborted) throw error;
      signal.throwIfAborted();
      return true;
    } finally {
      this.#arrived = undefined;
    }
  }

  async #take(source: Source, lines: readonly LogLine[]): Promise<void> {
    // Wait until earlier notices are delivered, because they precede the new lines.
    if (!source.isCut && this.#hasNews(source)) await this.#holdBack(source);
    if (this.#isStopped) return;
    const now = this.#time();
    const { reader } = source;
    const wasEmpty = reader.isEmpty;
    const records = reader.read(lines);
    source.heardAt = now;
    if (wasEmpty || records.length > 0) source.openedAt = now;
    // The record in which the stream was cut is complete: deliver it, then the notices that wait for it.
    if (source.isCut && records.length > 0) {
      source.isCut = false;
      this.#push(source, records.splice(0, 1));
      await this.#holdBack(source);
    }
    this.#push(source, records);
    if (this.#merge.isFull(source.id)) await this.#holdBack(source);
    // Other logs wait for the open trace, because it is older than the records that they deliver meanwhile.
    else if (reader.isInTrace) this.#merge.pause(source.id);
    else this.#merge.resume(source.id, now);
  }

  async #holdBack(source: Source): Promise<void> {
    if (this.#isStopped) return;
    this.#merge.pause(source.id);
    await new Promise<void>((resolve) => {
      source.release = resolve;
    });
  }

  #push({ id }: Source, records: readonly LogRecord[]): void {
    if (records.length === 0) return;
    this.#merge.push(id, records, this.#time(), this.#ports.clock.now());
    this.#arrived?.();
  }

  #close(source: Source): void {
    source.isCut = false;
    this.#merge.resume(source.id, this.#time());
    this.#push(source, source.reader.flush());
  }

  #closeQuiet(): void {
    const now = this.#time();
    for (const source of this.#sources.values()) {
      // The next line of a paused log is unknown, so its record stays open.
      if (source.release !== undefined || source.reader.isEmpty) continue;
      const { heardAt, openedAt, reader, isCut } = source;
      const isDue = !reader.isInTrace || openedAt + (isCut ? cutTraceMs : traceMs) <= now;
      if (isDue && heardAt + openMs <= now) this.#close(source);
    }
  }

  /**
   * Resumes paused logs that have no buffered records, because the merge waits for them. Resumes other paused logs
   * while the buffer has room. Returns true if logs were paused.
   */
  #releaseSome(): boolean {
    let isPressed = false;
    let { room } = this.#merge;
    for (const source of this.#sources.values()) {
      const { id, release } = source;
      if (release === undefined) continue;
      isPressed = true;
      if (this.#hasNews(source)) continue;
      if (this.#merge.has(id)) {
        if (room <= 0 || this.#merge.isFull(id)) continue;
        room -= typicalChunk;
      }
      source.heardAt = this.#time();
      this.#merge.resume(id, source.heardAt);
      source.release = undefined;
      release();
    }
    return isPressed;
  }

  // Delivers a notice, or holds it until the records before it are delivered.
  #tell(source: Source, tell: () => void): void {
    const mustWait = this.#isTaking || this.#isBehind(source) || this.#hasNews(source);
    if (mustWait) this.#told.push({ source, tell });
    else tell();
  }

  /** True if notices of the log are pending. */
  #hasNews(source: Source): boolean {
    return this.#told.some((waiting) => waiting.source === source);
  }

  #isBehind({ id, isCut }: Source): boolean {
    return isCut || this.#merge.has(id);
  }

  #tellWaiting(): void {
    const ready = this.#told.filter(({ source }) => !this.#isBehind(source));
    if (ready.length === 0) return;
    const rest = this.#told.filter(({ source }) => this.#isBehind(source));
    this.#told.splice(0, Infinity, ...rest);
    for (const { tell } of ready) tell();
  }
}
