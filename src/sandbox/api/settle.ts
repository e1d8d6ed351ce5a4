import { isObject, type Json, type JsonObject } from "../kubeObject.ts";

// Enough for all that pods of one application have in common.
const mostTexts = 20_000;

/**
 * Makes what is to be kept small: what is as it was before stays the same value, and a text that many objects have is
 * there once, by itself. A text that was put together, or cut out of a body, would otherwise hold all its parts.
 */
export class Settler {
  readonly #texts = new Map<string, string>();

  settle<T extends JsonObject>(next: T, before: JsonObject | undefined): T {
    return this.#value(next, before) as T;
  }

  #value(next: Json | undefined, before: Json | undefined): Json | undefined {
    if (next === before) return before;
    if (typeof next === "string") return this.#text(next);
    if (Array.isArray(next)) return this.#list(next as readonly Json[], before);
    return isObject(next) ? this.#object(next, isObject(before) ? before : {}) : next;
  }

  #list(next: readonly Json[], before: Json | undefined): Json {
    const old: readonly (Json | undefined)[] = Array.isArray(before) ? before : [];
    const settled = next.map((value, at) => this.#value(value, old[at]) ?? null);
    const isSame = old.length === settled.length && settled.every((value, at) => value === old[at]);
    return isSame && Array.isArray(before) ? (before as readonly Json[]) : settled;
  }

  #object(next: JsonObject, before: JsonObject): JsonObject {
    const names = Object.keys(next);
    let isSame = names.length === Object.keys(before).length;
    const settled: Record<string, Json | undefined> = {};
    for (const name of names) {
      const value = this.#value(next[name], before[name]);
      // As a property of its own, whatever its name is.
      if (name === "__proto__") Object.defineProperty(settled, name, { value, ...ownProperty });
      else settled[name] = value;
      isSame &&= value === before[name] && Object.hasOwn(before, name);
    }
    return isSame ? before : settled;
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= mostTexts) this.#texts.clear();
    const own = JSON.parse(JSON.stringify(text)) as string;
    this.#texts.set(own, own);
    return own;
  }
}

const ownProperty = { configurable: true, enumerable: true, writable: true };
