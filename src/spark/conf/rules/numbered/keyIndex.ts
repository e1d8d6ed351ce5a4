import type { KnownStretch } from "./knownStretch.ts";

/** A document of fewer stretches is gone through as a whole. */
const fewStretches = 8;
/** As many long documents as somebody works on at once. */
const mostDocuments = 4;

/** Gives the index of a document's stretches: the one that it had before it changed, which then changes with it. */
export function keptIndexes(): (stretches: readonly KnownStretch[]) => KeyIndex {
  const kept: KeyIndex[] = [];
  return (stretches) => {
    const isLong = stretches.length >= fewStretches;
    const before = isLong ? kept.find((one) => one.isMostly(stretches)) : undefined;
    const index = before ?? new KeyIndex();
    index.change(stretches);
    if (isLong && before === undefined) {
      kept.unshift(index);
      kept.length = Math.min(kept.length, mostDocuments);
    }
    return index;
  };
}

/**
 * Which stretches of a document set a key. When the document changes, only those that did are gone through. No stretch
 * may stand in it twice.
 */
export class KeyIndex {
  #stretches: readonly KnownStretch[] = [];
  readonly #holders = new Map<string, KnownStretch | KnownStretch[]>();
  readonly #repeatedWithin = new Map<string, number>();
  readonly #repeated = new Set<string>();
  #kubernetesKeys = 0;

  /** Whether at least half of the stretches that were gone through are among these. */
  isMostly(stretches: readonly KnownStretch[]): boolean {
    const { before, behind } = this.#shared(stretches);
    return 2 * (before + behind) >= this.#stretches.length;
  }

  change(stretches: readonly KnownStretch[]): void {
    const { before, behind } = this.#shared(stretches);
    const old = new Set(this.#stretches.slice(before, this.#stretches.length - behind));
    for (const one of stretches.slice(before, stretches.length - behind)) {
      // One that has only come to stand elsewhere says what it said.
      if (!old.delete(one)) this.#add(one);
    }
    for (const one of old) this.#remove(one);
    this.#stretches = stretches;
  }

  /** How many are the same at the beginning, and how many more at the end. */
  #shared(stretches: readonly KnownStretch[]): {
    readonly before: number;
    readonly behind: number;
  } {
    const known = this.#stretches;
    const most = Math.min(known.length, stretches.length);
    let before = 0;
    while (before < most && known[before] === stretches[before]) before += 1;
    let behind = 0;
    while (behind < most - before && known.at(-1 - behind) === stretches.at(-1 - behind))
      behind += 1;
    return { before, behind };
  }

  /** One that sets the key: the only one, unless the key is repeated. */
  holder(key: string): KnownStretch | undefined {
    const holders = this.#holders.get(key);
    return Array.isArray(holders) ? holders[0] : holders;
  }

  /** Keys that are set more than once. */
  get repeated(): ReadonlySet<string> {
    return this.#repeated;
  }

  get keys(): { readonly size: number; readonly keys: () => Iterable<string> } {
    return this.#holders;
  }

  get hasKubernetesKeys(): boolean {
    return this.#kubernetesKeys > 0;
  }

  #add(stretch: KnownStretch): void {
    for (const key of stretch.repeated) {
      this.#repeatedWithin.set(key, (this.#repeatedWithin.get(key) ?? 0) + 1);
      this.#repeated.add(key);
    }
    for (const key of stretch.byKey.keys()) {
      const holders = this.#holders.get(key);
      if (holders === undefined) {
        this.#holders.set(key, stretch);
        if (isForKubernetes(key)) this.#kubernetesKeys += 1;
      } else if (Array.isArray(holders)) holders.push(stretch);
      else {
        this.#holders.set(key, [holders, stretch]);
        this.#repeated.add(key);
      }
    }
  }

  #remove(stretch: KnownStretch): void {
    for (const key of stretch.repeated) {
      const count = (this.#repeatedWithin.get(key) ?? 0) - 1;
      if (count > 0) this.#repeatedWithin.set(key, count);
      else this.#repeatedWithin.delete(key);
    }
    for (const key of stretch.byKey.keys()) {
      const holders = this.#holders.get(key);
      if (!Array.isArray(holders)) {
        this.#holders.delete(key);
        this.#repeated.delete(key);
        if (isForKubernetes(key)) this.#kubernetesKeys -= 1;
        continue;
      }
      holders.splice(holders.lastIndexOf(stretch), 1);
      const [only] = holders;
      if (holders.length > 1 || only === undefined) continue;
      this.#holders.set(key, only);
      if (!this.#repeatedWithin.has(key)) this.#repeated.delete(key);
    }
  }
}

export const isForKubernetes = (key: string): boolean => key.startsWith("spark.kubernetes.");
