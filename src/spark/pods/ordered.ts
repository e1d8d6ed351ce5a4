/**
 * Items in an order of their own that never change: `withItems` and `withoutItems` give a new list, which
 * shares with the old one all but the short runs that were touched. Reading by rank costs the number of
 * runs, not of items; so a page of 50,000 is as cheap as a page of 500.
 */
export interface Ordered<T> {
  readonly size: number;
  /** None is empty; laid end to end they are the list. */
  readonly runs: readonly (readonly T[])[];
}

export type Compare<T> = (a: T, b: T) => number;

export const emptyOrdered: Ordered<never> = Object.freeze({ size: 0, runs: [] });

const longestRun = 256;
const filledRun = 128;

export function orderedOf<T>(items: Iterable<T>, compare: Compare<T>): Ordered<T> {
  const sorted = [...items].sort(compare);
  return { size: sorted.length, runs: cut(sorted) };
}

export function* itemsIn<T>(list: Ordered<T>): Generator<T, void, undefined> {
  for (const run of list.runs) yield* run;
}

export const firstOf = <T>(list: Ordered<T>): T | undefined => list.runs[0]?.[0];

export const lastOf = <T>(list: Ordered<T>): T | undefined => list.runs.at(-1)?.at(-1);

/** The items from rank `start` up to, and without, rank `end`. */
export function sliceOf<T>(list: Ordered<T>, start: number, end: number): readonly T[] {
  const slice: T[] = [];
  let rank = 0;
  for (const run of list.runs) {
    if (rank >= end) break;
    if (rank + run.length > start) {
      slice.push(...run.slice(Math.max(0, start - rank), end - rank));
    }
    rank += run.length;
  }
  return slice;
}

/** The rank of the item that compares equal to `probe`; undefined where there is none. */
export function rankOf<T>(list: Ordered<T>, probe: T, compare: Compare<T>): number | undefined {
  const at = runFor(list.runs, probe, compare);
  const run = list.runs[at];
  const index = run && lowerBound(run, probe, compare);
  const found = index === undefined ? undefined : run?.[index];
  if (index === undefined || found === undefined || compare(found, probe) !== 0) return undefined;
  let rank = index;
  for (const before of list.runs.slice(0, at)) rank += before.length;
  return rank;
}

/** The item that compares equal to `probe`. */
export function findIn<T>(list: Ordered<T>, probe: T, compare: Compare<T>): T | undefined {
  const run = list.runs[runFor(list.runs, probe, compare)];
  const found = run?.[lowerBound(run, probe, compare)];
  return found !== undefined && compare(found, probe) === 0 ? found : undefined;
}

/**
 * Without what compares equal to one of `gone`, then with `come`: an item that compares equal to one in
 * the list takes its place.
 */
export function editOrdered<T>(
  list: Ordered<T>,
  gone: readonly T[],
  come: readonly T[],
  compare: Compare<T>,
): Ordered<T> {
  if (gone.length + come.length === 0) return list;
  // Many at once are cheaper sorted in than put in one by one.
  if ((gone.length + come.length) * 8 > list.size) {
    const out = new Set<T>();
    for (const probe of [...gone, ...come]) {
      const known = findIn(list, probe, compare);
      if (known !== undefined) out.add(known);
    }
    const kept = [...itemsIn(list)].filter((item) => !out.has(item));
    return orderedOf([...kept, ...come], compare);
  }
  const runs = list.runs.slice();
  let { size } = list;
  for (const probe of gone) size -= takeOut(runs, probe, compare);
  for (const item of come) size += putIn(runs, item, compare);
  return { size, runs };
}

function takeOut<T>(runs: (readonly T[])[], probe: T, compare: Compare<T>): number {
  const at = runFor(runs, probe, compare);
  const run = runs[at];
  if (run === undefined) return 0;
  const index = lowerBound(run, probe, compare);
  const found = run[index];
  if (found === undefined || compare(found, probe) !== 0) return 0;
  if (run.length === 1) runs.splice(at, 1);
  else runs[at] = run.toSpliced(index, 1);
  return 1;
}

function putIn<T>(runs: (readonly T[])[], item: T, compare: Compare<T>): number {
  const at = Math.min(runFor(runs, item, compare), Math.max(0, runs.length - 1));
  const run = runs[at];
  if (run === undefined) {
    runs.push([item]);
    return 1;
  }
  const index = lowerBound(run, item, compare);
  const there = run[index];
  if (there !== undefined && compare(there, item) === 0) {
    runs[at] = run.with(index, item);
    return 0;
  }
  const longer = run.toSpliced(index, 0, item);
  runs.splice(at, 1, ...(longer.length > longestRun ? cut(longer) : [longer]));
  return 1;
}

/** The first run whose last item is not before the probe; the number of runs where all are. */
function runFor<T>(runs: readonly (readonly T[])[], probe: T, compare: Compare<T>): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const last = runs[middle]?.at(-1);
    if (last !== undefined && compare(last, probe) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lowerBound<T>(run: readonly T[], probe: T, compare: Compare<T>): number {
  let [low, high] = [0, run.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = run[middle];
    if (item !== undefined && compare(item, probe) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cut<T>(sorted: readonly T[]): readonly (readonly T[])[] {
  const runs: (readonly T[])[] = [];
  for (let at = 0; at < sorted.length; at += filledRun) runs.push(sorted.slice(at, at + filledRun));
  return runs;
}
