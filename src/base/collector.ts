/**
 * Arrays that are filled one after another, each for a moment only. An array literal that many callers hold while they
 * wait is soon made among the old objects, and then all that was ever in it stays until these are looked through:
 * a stream of any length would pass through the old memory. A copy is always made among the young ones.
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
