/**
 * Interns values that many pods share: most fields of 50,000 executors are equal. Keeps the latest
 * few thousand values.
 */
export interface SharedValues {
  text(text: string): string;
  /** `value`: plain JSON that must not be modified afterwards. */
  value<T>(value: T): T;
}

/** Interns nothing; for single pods. */
export const unsharedValues: SharedValues = Object.freeze({
  text: (text: string) => text,
  value: <T>(value: T) => value,
});

const kept = 4096;

export function sharedValues(): SharedValues {
  const texts = new Generations<string>();
  const values = new Generations<unknown>();
  return {
    text: (text) => texts.same(text, text),
    value: <T>(value: T): T => values.same(JSON.stringify(value), value) as T,
  };
}

/** Keeps the latest few thousand keys in two generations, and forgets the older generation as a whole. */
class Generations<T> {
  #newer = new Map<string, T>();
  #older = new Map<string, T>();

  same(key: string, value: T): T {
    const known = this.#newer.get(key);
    if (known !== undefined) return known;
    if (this.#newer.size >= kept) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    const one = this.#older.get(key) ?? value;
    this.#newer.set(key, one);
    return one;
  }
}
