/**
 * Collects items in short-lived arrays. V8 pretenures array literals by allocation site: if hundreds of streams each
 * keep such an array, V8 allocates all later ones in the old generation. These arrays retain their items until a full
 * garbage collection. V8 does not pretenure copies and class instances.
 */
export class Collector<T> {
  readonly #items: T[] = [];

  get length(): number {
    return this.#items.length;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the items, in the order of their addition. */
  take(): T[] {
    const items = this.#items.slice();
    this.#items.length = 0;
    return items;
  }
}
