import { isObject, type Json, type JsonObject } from "../kubeObject.ts";

// Enough for all that pods of one application have in common.
const mostTexts = 20_000;

/**
 * Makes what is to be kept small: what is as it was before, or as the object that was kept last has it, is the same value
 * (executors of one application differ in little), and a text that many objects have is there once, by itself. A text
 * that was put together, or cut out of a body, would otherwise hold all its parts.
 */
export class Settler {
  readonly #texts = new Map<string, string>();

  settle<T extends JsonObject>(
    next: T,
    before: JsonObject | undefined,
    last: JsonObject | undefined,
  ): T {
    return this.#value(next, before, last) as T;
  }

  #value(
    next: Json | undefined,
    before: Json | undefined,
    last: Json | undefined,
  ): Json | undefined {
    if (next === before || next === last) return next;
    if (typeof next === "string") return this.#text(next);
    if (Array.isArray(next)) {
      return this.#list(next as readonly Json[], listOf(before), listOf(last));
    }
    return isObject(next)
      ? this.#object(next, isObject(before) ? before : undefined, isObject(last) ? last : undefined)
      : next;
  }

  #list(
    next: readonly Json[],
    before: readonly Json[] | undefined,
    last: readonly Json[] | undefined,
  ): Json {
    const settled = next.map((value, at) => this.#value(value, before?.[at], last?.[at]) ?? null);
    const isSame = (old: readonly Json[] | undefined): old is readonly Json[] =>
      old?.length === settled.length && settled.every((value, at) => value === old[at]);
    return isSame(before) ? before : isSame(last) ? last : settled;
  }

  #object(
    next: JsonObject,
    before: JsonObject | undefined,
    last: JsonObject | undefined,
  ): JsonObject {
    const settled: Record<string, Json | undefined> = {};
    for (const [name, value] of Object.entries(next)) {
      const own = this.#value(value, memberOf(before, name), memberOf(last, name));
      // As a property of its own, whatever its name is.
      if (name === "__proto__")
        Object.defineProperty(settled, name, { value: own, ...ownProperty });
      else settled[name] = own;
    }
    const names = Object.keys(settled);
    const isSame = (old: JsonObject | undefined): old is JsonObject =>
      old !== undefined &&
      Object.keys(old).length === names.length &&
      names.every((name) => Object.hasOwn(old, name) && old[name] === settled[name]);
    return isSame(before) ? before : isSame(last) ? last : settled;
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

const memberOf = (object: JsonObject | undefined, name: string): Json | undefined =>
  object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;

const listOf = (value: Json | undefined): readonly Json[] | undefined =>
  Array.isArray(value) ? (value as readonly Json[]) : undefined;
