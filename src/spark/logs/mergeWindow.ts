import { Collector } from "../../base/collector.ts";
import type { LogRecord } from "./logRecord.ts";
import { ParsedTimestamp } from "./stamps.ts";

export interface MergedRecord {
  readonly source: string;
  readonly record: LogRecord;
  /** True if the record arrived after later records had been released. */
  readonly isLate: boolean;
}

// A class saves memory; see Collector.
class Taken implements MergedRecord {
  readonly source: string;
  readonly record: LogRecord;
  readonly isLate: boolean;

  constructor(source: string, record: LogRecord, isLate: boolean) {
    this.source = source;
    this.record = record;
    this.isLate = isLate;
  }
}

class Batch {
  readonly records: readonly LogRecord[];
  readonly arrivedAt: number;
  next = 0;

  constructor(records: readonly LogRecord[], arrivedAt: number) {
    this.records = records;
    this.arrivedAt = arrivedAt;
  }
}

const isPast = ({ seconds }: ParsedTimestamp, date: number): boolean =>
  seconds * 1000 < date - pastMs;

interface Input {
  readonly source: string;
  readonly batches: Batch[];
  size: number;
  /** The time of the last record, `join` or `resume`, in monotonic ms. -Infinity after `leave`. */
  heardAt: number;
  isPaused: boolean;
  /** Timestamp of the first waiting record, if any. */
  readonly first: ParsedTimestamp;
  /** Timestamp of the latest record. */
  readonly last: ParsedTimestamp;
}

// How long a record waits for earlier ones of other sources. Longer than a kubelet's delay, too short to be noticed.
const holdMs = 300;
/** Age in ms from which a record is historic. Historic records may wait longer, because the API server may be busy. */
const pastMs = 10_000;
const maxHoldMs = 3_000;
/** Buffer limit per source in characters; a full source must pause. */
const maxOfOne = 1 << 18;
const maxOfAll = 1 << 19;
/** Buffer size in characters from which records no longer wait `holdMs`. It is above the limit of one source. */
const pressedSize = 3 << 17;

/**
 * Merges records of several containers by timestamp. A record waits until no recently active, joined or paused source
 * can have an earlier one, or until `holdMs` after that source's last record. Historic records wait longer, because
 * hundreds of logs take seconds to load: up to `maxHoldMs` while historic records arrive or the buffer is nearly full.
 * Records that arrive even later are marked as late. The buffer is bounded: a source that is `isFull` must pause.
 */
export class MergeWindow {
  readonly #taken = new Collector<MergedRecord>();
  readonly #inputs = new Map<string, Input>();
  /** Heap of sources with waiting records, by the timestamp of their first one. */
  readonly #heap: Input[] = [];
  #size = 0;
  readonly #newest = new ParsedTimestamp();
  /** The last arrival of a historic record, in monotonic ms. */
  #lastOfPast = -Infinity;

  /**
   * Adds a source whose records will follow. Here and below, `now` is monotonic ms; `date` is epoch
   * ms and comparable with timestamps.
   */
  join(source: string, now: number): void {
    this.#inputOf(source).heardAt = now;
  }

  push(source: string, records: readonly LogRecord[], now: number, date = now): void {
    if (records.length === 0) return;
    const input = this.#inputOf(source);
    for (const { size } of records) input.size += size;
    for (const { size } of records) this.#size += size;
    input.heardAt = now;
    const last = records.findLast(({ timestamp }) => timestamp !== "");
    if (last) input.last.read(last.timestamp);
    if (isPast(input.last, date)) this.#lastOfPast = now;
    input.batches.push(new Batch(records, now));
    if (input.batches.length === 1) {
      input.first.read(records[0]?.timestamp ?? "");
      this.#heap.push(input);
      this.#rise(this.#heap.length - 1);
    }
  }

  /** Returns the remaining buffer space in characters. At 0, all sources with buffered records must pause. */
  get room(): number {
    return maxOfAll - this.#size;
  }

  isFull(source: string): boolean {
    const size = this.#inputs.get(source)?.size ?? 0;
    return size > maxOfOne || (size > 0 && this.room <= 0);
  }

  /** Marks a source as paused: it may have more records, but sends none before `resume`. */
  pause(source: string): void {
    this.#inputOf(source).isPaused = true;
  }

  resume(source: string, now: number): void {
    const input = this.#inputOf(source);
    input.isPaused = false;
    input.heardAt = now;
  }

  /** True if records of the source are waiting. */
  has(source: string): boolean {
    return (this.#inputs.get(source)?.batches.length ?? 0) > 0;
  }

  /**
   * Removes and returns at most `max` records that are due, ordered by timestamp. Only late records break the order.
   */
  take(now: number, max: number, date = now): readonly MergedRecord[] {
    const oldest = this.#heap[0]?.first;
    const isOfPast = oldest !== undefined && isPast(oldest, date);
    let barrier = this.#barrier(now, isOfPast);
    while (this.#taken.length < max) {
      const input = this.#heap[0];
      const batch = input?.batches[0];
      const record = batch?.records[batch.next];
      if (input === undefined || batch === undefined || record === undefined) break;
      const { first } = input;
      const isDue =
        this.#inputs.size === 1 || batch.arrivedAt + holdMs <= now || this.#size > pressedSize;
      if (!isDue || (barrier !== undefined && first.isAfter(barrier))) break;
      const isLate = record.timestamp !== "" && this.#newest.isAfter(first);
      this.#taken.add(new Taken(input.source, record, isLate));
      if (first.isAfter(this.#newest)) this.#newest.copy(first);
      this.#drop(input, batch, record.size);
      if (this.#mayBeEarlier(input, now, isOfPast)) {
        barrier = barrier === undefined || barrier.isAfter(input.last) ? input.last : barrier;
      }
    }
    return this.#taken.take();
  }

  /** Marks a source as inactive, because it has ended or is unreachable. Its waiting records stay. */
  leave(source: string): void {
    const input = this.#inputs.get(source);
    if (input === undefined) return;
    input.heardAt = -Infinity;
    input.isPaused = false;
  }

  /**
   * Returns the earliest timestamp that active sources without waiting records may still send. Undefined if there are
   * no such sources.
   */
  #barrier(now: number, isOfPast: boolean): ParsedTimestamp | undefined {
    let barrier: ParsedTimestamp | undefined;
    for (const input of this.#inputs.values()) {
      if (!this.#mayBeEarlier(input, now, isOfPast)) continue;
      if (barrier === undefined || barrier.isAfter(input.last)) barrier = input.last;
    }
    return barrier;
  }

  /** True if the next record of this source may precede waiting records of other sources. */
  #mayBeEarlier({ batches, heardAt, isPaused }: Input, now: number, isOfPast: boolean): boolean {
    if (batches.length > 0) return false;
    if (isPaused || heardAt + holdMs > now) return true;
    if (!isOfPast || heardAt + maxHoldMs <= now) return false;
    return this.#size > pressedSize || this.#lastOfPast + holdMs > now;
  }

  #inputOf(source: string): Input {
    const known = this.#inputs.get(source);
    if (known) return known;
    const input: Input = {
      source,
      batches: [],
      size: 0,
      heardAt: -Infinity,
      isPaused: false,
      first: new ParsedTimestamp(),
      last: new ParsedTimestamp(),
    };
    this.#inputs.set(source, input);
    return input;
  }

  #drop(input: Input, batch: Batch, size: number): void {
    batch.next += 1;
    input.size -= size;
    this.#size -= size;
    if (batch.next === batch.records.length) input.batches.shift();
    const next = input.batches[0];
    if (next) input.first.read(next.records[next.next]?.timestamp ?? "");
    if (input.batches.length === 0) {
      const last = this.#heap.pop();
      if (last !== undefined && this.#heap.length > 0 && last !== input) this.#heap[0] = last;
    }
    this.#sink(0);
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(from: number): void {
    for (let at = from; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const child = right < this.#heap.length && this.#isBefore(right, left) ? right : left;
      if (child >= this.#heap.length || !this.#isBefore(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    return left !== undefined && right?.first.isAfter(left.first) === true;
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (left === undefined || right === undefined) return;
    this.#heap[a] = right;
    this.#heap[b] = left;
  }
}
