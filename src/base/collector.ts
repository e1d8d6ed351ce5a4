/**
 * Gathers items for arrays that live for a moment only. V8 remembers of an array or object literal how long its objects
 * live; where hundreds of streams hold one each, it soon makes all of them among its old objects, and what they held
 * stays until those are looked through: all the lines of a flood. Of a copy, as of a class's objects, it remembers
 * nothing.
 */
export class Collector<T> {
  readonly #items: T[] = [];

  get length(): number {
    return this.#items.length;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** All that was added since the last time. */
  take(): T[] {
    const items = this.#items.slice();
    this.#items.length = 0;
    return items;
  }
}
