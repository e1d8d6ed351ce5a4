/**
 * Collects items into short-lived arrays. V8 pretenures array literals by allocation site. If hundreds of streams each
 * hold such an array, all arrays become old objects and retain their lines until a full collection. Copies and class
 * instances are not pretenured.
 */
export class Collector<T> {
  readonly #items: T[] = [];

  get length(): number {
    return this.#items.length;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Returns the items added since the last call. */
  take(): T[] {
    const items = this.#items.slice();
    this.#items.length = 0;
    return items;
  }
}
