import { Collector } from "../../base/collector.ts";
import type { LogRecord } from "./logRecord.ts";
import { Moment } from "./stamps.ts";

export interface MergedRecord {
  readonly source: string;
  readonly record: LogRecord;
  /** It came after records of later times had been given out. */
  readonly isLate: boolean;
}

// A class for the sake of the memory: see Collector.
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

const isPast = ({ seconds }: Moment, date: number): boolean => seconds * 1000 < date - pastMs;

interface Input {
  readonly source: string;
  readonly batches: Batch[];
  size: number;
  /** When it was last heard, or could be again. */
  heardAt: number;
  isPaused: boolean;
  /** Of the first record that waits, if one does. */
  readonly first: Moment;
  /** Of the last one that came. */
  readonly last: Moment;
}

// Longer than a node takes to send what it has, shorter than a reader minds.
const holdMs = 300;
/** What is older is of the past, and may wait for a server that is busy with other logs. */
const pastMs = 10_000;
const longestHoldMs = 3_000;
/** Characters that one source may have waiting before it is to pause. */
const mostOfOne = 1 << 18;
const mostOfAll = 1 << 19;
/** More than one source alone has: the others are held back, and the server is to bring what is missing. */
const pressedSize = 3 << 17;

/**
 * Brings records of several containers into the order of their time stamps. A record waits until no source that has
 * just joined or spoken, or was made to pause, can have an earlier one, or for `holdMs` after that one fell silent. A
 * record of the past waits until none of it has come for so long, and while so much waits that sources pause: hundreds
 * of logs take seconds to have their turns. What comes still later is marked. What waits is bounded, as a source that
 * is `isFull` is to pause.
 */
export class MergeWindow {
  readonly #taken = new Collector<MergedRecord>();
  readonly #inputs = new Map<string, Input>();
  /** Those that have records waiting: a heap by the stamp of their first. */
  readonly #heap: Input[] = [];
  #size = 0;
  readonly #newest = new Moment();
  /** When something of the past has come. */
  #lastOfPast = -Infinity;

  /**
   * What the source has to say is on its way. Here and below, `now` is milliseconds that are never set back, and
   * `date`, which stamps compare with, those since the epoch.
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

  /** Characters that may come before all sources but those of which nothing waits are to pause. */
  get room(): number {
    return mostOfAll - this.#size;
  }

  isFull(source: string): boolean {
    const size = this.#inputs.get(source)?.size ?? 0;
    return size > mostOfOne || (size > 0 && this.room <= 0);
  }

  /** Until `resume` the source says nothing, though it may have more to say. */
  pause(source: string): void {
    this.#inputOf(source).isPaused = true;
  }

  resume(source: string, now: number): void {
    const input = this.#inputOf(source);
    input.isPaused = false;
    input.heardAt = now;
  }

  /** Whether records of the source are waiting. */
  has(source: string): boolean {
    return (this.#inputs.get(source)?.batches.length ?? 0) > 0;
  }

  /** At most so many records whose turn has come. */
  take(now: number, most: number, date = now): readonly MergedRecord[] {
    const oldest = this.#heap[0]?.first;
    const isOfPast = oldest !== undefined && isPast(oldest, date);
    let barrier = this.#barrier(now, isOfPast);
    while (this.#taken.length < most) {
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

  /** The source says no more, or nobody knows when. */
  leave(source: string): void {
    const input = this.#inputs.get(source);
    if (input) input.heardAt = -Infinity;
  }

  /** Up to where the sources that have just spoken, and of which nothing waits, are known. */
  #barrier(now: number, isOfPast: boolean): Moment | undefined {
    let barrier: Moment | undefined;
    for (const input of this.#inputs.values()) {
      if (!this.#mayBeEarlier(input, now, isOfPast)) continue;
      if (barrier === undefined || barrier.isAfter(input.last)) barrier = input.last;
    }
    return barrier;
  }

  /** Whether what the source says next may belong before what waits of others. */
  #mayBeEarlier({ batches, heardAt, isPaused }: Input, now: number, isOfPast: boolean): boolean {
    if (batches.length > 0) return false;
    if (isPaused || heardAt + holdMs > now) return true;
    if (!isOfPast || heardAt + longestHoldMs <= now) return false;
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
      first: new Moment(),
      last: new Moment(),
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
