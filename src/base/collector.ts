/**
 * Collects items in short-lived arrays. V8 pretenures array literals by allocation site: if hundreds of streams each
 * keep such an array, V8 allocates all of them in the old generation. They then retain their lines until a full garbage
 * collection. Copies and class instances are not pretenured.
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
