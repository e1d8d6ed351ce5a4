import { Collector } from "../base/collector.ts";
import { steadyTime } from "../base/steadyTime.ts";
import type { LogLine } from "../spark/logs/logLine.ts";
import { RecordReader, type LogRecord } from "../spark/logs/logRecord.ts";
import { MergeWindow, type MergedRecord } from "../spark/logs/mergeWindow.ts";
import type { Log } from "./log.ts";
import type { Clock, LogSource, Random } from "./ports.ts";
import { start, type Running } from "./running.ts";
import {
  startTail,
  type ContainerNews,
  type Tail,
  type TailEnd,
  type TailNotice,
  type TailOptions,
  type TailTarget,
} from "./tail.ts";

/** A container whose log is one of several that are followed as one. */
export interface FollowedLog extends ContainerNews, Pick<TailOptions, "tailLines"> {
  readonly id: string;
  /** Those of its cluster. */
  readonly logs: LogSource;
  readonly target: TailTarget;
}

export interface FollowSink {
  /** Records in the order of their time stamps. More come when the promise is settled. */
  records(records: readonly MergedRecord[]): void | Promise<void>;
  notice(id: string, notice: TailNotice): void;
  ended(id: string, end: TailEnd): void;
}

export interface LogFollow extends Running {
  /** Follows one more log, unless it is or was followed already. */
  join(followed: FollowedLog): void;
}

export interface FollowPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

// A thousand records take two milliseconds or so; then others have their turn.
const mostAtOnce = 1_000;
const idleMs = 50;
// While logs are held back the others, which they wait for, come any moment.
const pressedMs = 5;
/** Characters that a log which is let go on brings, or so. */
const usualPiece = 8 << 10;
// How long the last record of a log may still get lines of its own.
const openMs = 150;
/** The same for a trace, from its beginning on: longer than it takes to mend a cut in the middle of it. */
const traceMs = 1_500;

/**
 * Follows several logs as one. A reader that is slow holds all of them back, as does a log that is far ahead of
 * the others, so what waits here is bounded.
 */
export function followLogs(ports: FollowPorts, sink: FollowSink): LogFollow {
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

// One for all, as each that an abort makes for itself has a trace.
const arrival = new Error("something has come");

interface Source {
  readonly id: string;
  readonly reader: RecordReader;
  tail: Tail | undefined;
  heardAt: number;
  /** When the last record began. */
  openedAt: number;
  /** What was said of the log stands behind the last record, as this may go on. */
  isCut: boolean;
  /** Lets the tail read on. */
  release: (() => void) | undefined;
}

class Following {
  readonly #ports: FollowPorts;
  readonly #time: () => number;
  readonly #sink: FollowSink;
  readonly #merge = new MergeWindow();
  readonly #sources = new Map<string, Source>();
  /** Told when all that came before it has been. */
  readonly #told: { readonly source: Source; readonly tell: () => void }[] = [];
  #isStopped = false;
  /** Records are collected that the sink has not been given yet. */
  #isTaking = false;
  readonly #due = new Collector<MergedRecord>();
  /** Wakes whoever waits for a record of any log. */
  #arrived: (() => void) | undefined;

  constructor(ports: FollowPorts, sink: FollowSink) {
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

  stop(): void {
    this.#isStopped = true;
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
      await clock.sleep(records.length < mostAtOnce ? pauseMs : 0, signal);
    }
  }

  /** What is due, and what becomes so as the logs that are held back go on with what they have at hand. */
  async #takeDue(signal: AbortSignal): Promise<readonly MergedRecord[]> {
    const { clock } = this.#ports;
    const until = this.#time() + idleMs;
    for (;;) {
      const most = mostAtOnce - this.#due.length;
      const taken = this.#merge.take(this.#time(), most, clock.now());
      for (const record of taken) this.#due.add(record);
      const isEnough = taken.length === most || this.#time() >= until || !this.#releaseSome();
      if (isEnough || !(await this.#arrival(signal))) return this.#due.take();
    }
  }

  /** True as soon as a log has brought something; false if none does for a moment. */
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
    // What was said of the log stands before the lines that come after it.
    if (!source.isCut && this.#hasNews(source)) await this.#holdBack(source);
    if (this.#isStopped) return;
    const now = this.#time();
    const { reader } = source;
    const wasEmpty = reader.isEmpty;
    const records = reader.read(lines);
    source.heardAt = now;
    if (wasEmpty || records.length > 0) source.openedAt = now;
    // The one that was cut has come to its end.
    if (source.isCut && records.length > 0) {
      source.isCut = false;
      this.#push(source, records.splice(0, 1));
      await this.#holdBack(source);
    }
    this.#push(source, records);
    if (this.#merge.isFull(source.id)) await this.#holdBack(source);
    // The trace is earlier than what the others say meanwhile.
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
      // What a log that is held back would say next is not known.
      if (source.release !== undefined || source.reader.isEmpty) continue;
      const { heardAt, openedAt, reader } = source;
      const isDue = !reader.isInTrace || openedAt + traceMs <= now;
      if (isDue && heardAt + openMs <= now) this.#close(source);
    }
  }

  /** True if there are logs that are held back. Those of which nothing waits go on first: all wait for them. */
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
        room -= usualPiece;
      }
      source.heardAt = this.#time();
      this.#merge.resume(id, source.heardAt);
      source.release = undefined;
      release();
    }
    return isPressed;
  }

  // What is said of a log stands behind the lines that came before it.
  #tell(source: Source, tell: () => void): void {
    const mustWait = this.#isTaking || this.#isBehind(source) || this.#hasNews(source);
    if (mustWait) this.#told.push({ source, tell });
    else tell();
  }

  /** Whether something of the log waits to be told. */
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
