import type { LogRecord } from "./logRecord.ts";
import { compareStamps } from "./stamps.ts";

export interface MergedRecord {
  readonly source: string;
  readonly record: LogRecord;
  /** It came after records of later times had been given out. */
  readonly isLate: boolean;
}

interface Batch {
  readonly records: readonly LogRecord[];
  readonly arrivedAt: number;
  next: number;
}

interface Input {
  readonly source: string;
  readonly batches: Batch[];
  size: number;
  lastArrival: number;
  lastStamp: string;
}

// Longer than a node takes to send what it has, shorter than a reader minds.
const holdMs = 300;
/** Characters that one source may have waiting before it is to pause. */
const mostOfOne = 1 << 19;
const mostOfAll = 8 << 20;

/**
 * Brings records of several containers into the order of their time stamps. A record waits until no source
 * that has just spoken can have an earlier one, or for `holdMs` after the others fell silent; what comes still
 * later is marked. What waits is bounded, as a source that is `isFull` is to pause.
 */
export class MergeWindow {
  readonly #inputs = new Map<string, Input>();
  /** Those that have records waiting: a heap by the stamp of their first. */
  readonly #heap: Input[] = [];
  #size = 0;
  #newest = "";

  push(source: string, records: readonly LogRecord[], now: number): void {
    if (records.length === 0) return;
    const input = this.#inputOf(source);
    for (const { size } of records) input.size += size;
    for (const { size } of records) this.#size += size;
    input.lastArrival = now;
    input.lastStamp = records.at(-1)?.timestamp ?? input.lastStamp;
    input.batches.push({ records, arrivedAt: now, next: 0 });
    if (input.batches.length === 1) {
      this.#heap.push(input);
      this.#rise(this.#heap.length - 1);
    }
  }

  isFull(source: string): boolean {
    const size = this.#inputs.get(source)?.size ?? 0;
    return size > mostOfOne || (size > 0 && this.#size > mostOfAll);
  }

  /** Whether records of the source are waiting. */
  has(source: string): boolean {
    return (this.#inputs.get(source)?.batches.length ?? 0) > 0;
  }

  /** At most so many records whose turn has come. */
  take(now: number, most: number): readonly MergedRecord[] {
    const taken: MergedRecord[] = [];
    let barrier = this.#barrier(now);
    while (taken.length < most) {
      const input = this.#heap[0];
      const batch = input?.batches[0];
      const record = batch?.records[batch.next];
      if (input === undefined || batch === undefined || record === undefined) break;
      const { timestamp } = record;
      const isDue =
        this.#inputs.size === 1 || batch.arrivedAt + holdMs <= now || this.#size > mostOfAll / 2;
      if (!isDue || (barrier !== undefined && isAfter(timestamp, barrier))) break;
      taken.push({
        source: input.source,
        record,
        isLate: timestamp !== "" && isAfter(this.#newest, timestamp),
      });
      if (isAfter(timestamp, this.#newest)) this.#newest = timestamp;
      this.#drop(input, batch, record.size);
      if (input.batches.length === 0 && input.lastArrival + holdMs > now) {
        barrier =
          barrier === undefined || isAfter(barrier, input.lastStamp) ? input.lastStamp : barrier;
      }
    }
    return taken;
  }

  /** The source says no more. */
  leave(source: string): void {
    const input = this.#inputs.get(source);
    if (input) input.lastArrival = -Infinity;
  }

  /** Up to where the sources that have just spoken, and of which nothing waits, are known. */
  #barrier(now: number): string | undefined {
    let barrier: string | undefined;
    for (const { batches, lastArrival, lastStamp } of this.#inputs.values()) {
      if (batches.length > 0 || lastArrival + holdMs <= now) continue;
      if (barrier === undefined || isAfter(barrier, lastStamp)) barrier = lastStamp;
    }
    return barrier;
  }

  #inputOf(source: string): Input {
    const known = this.#inputs.get(source);
    if (known) return known;
    const input = { source, batches: [], size: 0, lastArrival: -Infinity, lastStamp: "" };
    this.#inputs.set(source, input);
    return input;
  }

  #drop(input: Input, batch: Batch, size: number): void {
    batch.next += 1;
    input.size -= size;
    this.#size -= size;
    if (batch.next === batch.records.length) input.batches.shift();
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
    return isAfter(stampOf(this.#heap[b]), stampOf(this.#heap[a]));
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (left === undefined || right === undefined) return;
    this.#heap[a] = right;
    this.#heap[b] = left;
  }
}

function stampOf(input: Input | undefined): string {
  const batch = input?.batches[0];
  return batch?.records[batch.next]?.timestamp ?? "";
}

// A line without a stamp is of no time: nothing waits for it and it makes nothing late.
const isAfter = (a: string, b: string): boolean =>
  a !== "" && (b === "" || (a !== b && compareStamps(a, b) > 0));
