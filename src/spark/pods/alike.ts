/**
 * Gives what many pods have alike the same object, so that it is kept once: of 50,000 executors most of
 * what they say is what the others say. It remembers a few thousand values, the latest, and no more.
 */
export interface Alike {
  text(text: string): string;
  /** `value`: made of plain objects, lists, texts and numbers, and not to be changed any more. */
  value<T>(value: T): T;
}

/** Each value stays the object that it is: for single pods. */
export const unlike: Alike = Object.freeze({
  text: (text: string) => text,
  value: <T>(value: T) => value,
});

const kept = 4096;

export function rememberAlike(): Alike {
  const texts = new Generations<string>();
  const values = new Generations<unknown>();
  return {
    text: (text) => texts.same(text, text),
    value: <T>(value: T): T => values.same(JSON.stringify(value), value) as T,
  };
}

/** The latest keys, some thousands of them: two generations, of which the older one is forgotten as a whole. */
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
