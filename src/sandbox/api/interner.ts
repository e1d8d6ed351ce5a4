import { isObject, type JsonValue, type JsonMembers } from "../kubeObject.ts";

// Enough for the strings that the pods of one application share. A full table is cleared.
const maxTexts = 20_000;

/**
 * Reduces the memory of stored objects. Shares values with the object's previous version and with the object stored
 * last, because executors of one application differ little. Interns equal strings as flat copies, because V8 keeps the
 * parts of concatenated strings and the source of substrings alive.
 */
export class Interner {
  readonly #texts = new Map<string, string>();

  intern<T extends JsonMembers>(
    next: T,
    before: JsonMembers | undefined,
    last: JsonMembers | undefined,
  ): T {
    return this.#value(next, before, last) as T;
  }

  #value(
    next: JsonValue | undefined,
    before: JsonValue | undefined,
    last: JsonValue | undefined,
  ): JsonValue | undefined {
    if (next === before || next === last) return next;
    if (typeof next === "string") return this.#text(next);
    if (Array.isArray(next)) {
      return this.#list(next as readonly JsonValue[], listOf(before), listOf(last));
    }
    return isObject(next)
      ? this.#object(next, isObject(before) ? before : undefined, isObject(last) ? last : undefined)
      : next;
  }

  #list(
    next: readonly JsonValue[],
    before: readonly JsonValue[] | undefined,
    last: readonly JsonValue[] | undefined,
  ): JsonValue {
    const interned = next.map((value, at) => this.#value(value, before?.[at], last?.[at]) ?? null);
    const isSame = (old: readonly JsonValue[] | undefined): old is readonly JsonValue[] =>
      old?.length === interned.length && interned.every((value, at) => value === old[at]);
    return isSame(before) ? before : isSame(last) ? last : interned;
  }

  #object(
    next: JsonMembers,
    before: JsonMembers | undefined,
    last: JsonMembers | undefined,
  ): JsonMembers {
    const interned: Record<string, JsonValue | undefined> = {};
    for (const [name, value] of Object.entries(next)) {
      const own = this.#value(value, memberOf(before, name), memberOf(last, name));
      // Assignment would set the prototype instead of an own property.
      if (name === "__proto__")
        Object.defineProperty(interned, name, { value: own, ...ownProperty });
      else interned[name] = own;
    }
    const names = Object.keys(interned);
    const isSame = (old: JsonMembers | undefined): old is JsonMembers =>
      old !== undefined &&
      Object.keys(old).length === names.length &&
      names.every((name) => Object.hasOwn(old, name) && old[name] === interned[name]);
    return isSame(before) ? before : isSame(last) ? last : interned;
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= maxTexts) this.#texts.clear();
    const own = JSON.parse(JSON.stringify(text)) as string;
    this.#texts.set(own, own);
    return own;
  }
}

const ownProperty = { configurable: true, enumerable: true, writable: true };

const memberOf = (object: JsonMembers | undefined, name: string): JsonValue | undefined =>
  object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;

const listOf = (value: JsonValue | undefined): readonly JsonValue[] | undefined =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
