/**
 * An immutable sorted list. Edits return a new list that shares all untouched runs. Access by rank takes time in
 * proportion to the runs, not to the items, so paging through 50,000 items is cheap.
 */
export interface Ordered<T> {
  readonly size: number;
  /** Sorted parts whose concatenation is the list. None is empty. */
  readonly runs: readonly (readonly T[])[];
}

type Compare<T> = (a: T, b: T) => number;

export const emptyOrdered: Ordered<never> = Object.freeze({ size: 0, runs: [] });

const maxRunLength = 256;
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

/** Returns the items from rank `start` (inclusive) to rank `end` (exclusive). */
export function sliceOf<T>(list: Ordered<T>, start: number, end: number): readonly T[] {
  const slice: T[] = [];
  visitSlice(list, start, end, (item) => slice.push(item));
  return slice;
}

/** Like `sliceOf`, without creating an array. */
export function visitSlice<T>(
  list: Ordered<T>,
  start: number,
  end: number,
  visit: (item: T) => void,
): void {
  let rank = 0;
  for (const run of list.runs) {
    if (rank >= end) return;
    const last = Math.min(run.length, end - rank);
    for (let at = Math.max(0, start - rank); at < last; at += 1) visit(run[at] as T);
    rank += run.length;
  }
}

/** Returns the rank of the item that compares equal to `probe`. Undefined if there is none. */
export function rankOf<T>(list: Ordered<T>, probe: T, compare: Compare<T>): number | undefined {
  const at = runFor(list.runs, probe, compare);
  const run = list.runs[at];
  const index = run && lowerBound(run, probe, compare);
  const found = index === undefined ? undefined : run?.[index];
  if (index === undefined || found === undefined || compare(found, probe) !== 0) return undefined;
  let rank = index;
  for (let before = 0; before < at; before += 1) rank += list.runs[before]?.length ?? 0;
  return rank;
}

/** Returns the item that compares equal to `probe`. Undefined if there is none. */
export function findIn<P, T extends P>(
  list: Ordered<T>,
  probe: P,
  compare: Compare<P>,
): T | undefined {
  const run = list.runs[runFor(list.runs, probe, compare)];
  const found = run?.[lowerBound(run, probe, compare)];
  return found !== undefined && compare(found, probe) === 0 ? found : undefined;
}

/** Returns the item after the one that compares equal to `probe`. Undefined at the end of the list. */
export function nextIn<T>(list: Ordered<T>, probe: T, compare: Compare<T>): T | undefined {
  const at = runFor(list.runs, probe, compare);
  const run = list.runs[at];
  if (run === undefined) return undefined;
  const next = lowerBound(run, probe, compare) + 1;
  return next < run.length ? run[next] : list.runs[at + 1]?.[0];
}

/**
 * Returns the pairs of differing items at equal ranks; the keys of a pair may differ. Undefined if the lists or their
 * runs have different lengths.
 */
export function replacedIn<T>(
  before: Ordered<T>,
  after: Ordered<T>,
): readonly { readonly before: T; readonly after: T }[] | undefined {
  if (before.size !== after.size || before.runs.length !== after.runs.length) return undefined;
  const replaced: { readonly before: T; readonly after: T }[] = [];
  for (let at = 0; at < after.runs.length; at += 1) {
    const old = before.runs[at];
    const run = after.runs[at];
    if (old === run || old === undefined || run === undefined) continue;
    if (old.length !== run.length) return undefined;
    for (let place = 0; place < run.length; place += 1) {
      const was = old[place];
      const is = run[place];
      if (was !== is && was !== undefined && is !== undefined) {
        replaced.push({ before: was, after: is });
      }
    }
  }
  return replaced;
}

/**
 * Removes the items that compare equal to one in `gone`, and then inserts `come`, replacing equal items. Copies each
 * touched run once.
 */
export function editOrdered<T>(
  list: Ordered<T>,
  gone: readonly T[],
  come: readonly T[],
  compare: Compare<T>,
): Ordered<T> {
  if (gone.length + come.length === 0) return list;
  if (list.size === 0) return orderedOf(come, compare);
  const edits = editsOf(gone, come, compare);
  const runs = list.runs.slice();
  const lastRun = runs.length - 1;
  let { size } = list;
  // Starts at the end, so that the indexes of earlier runs stay valid.
  for (let end = edits.length; end > 0;) {
    const at = Math.min(runFor(list.runs, edits[end - 1]?.item as T, compare), lastRun);
    const floor = list.runs[at - 1]?.at(-1);
    let start = end - 1;
    while (start > 0 && isBehind(floor, edits[start - 1]?.item as T, compare)) start -= 1;
    const run = list.runs[at] ?? [];
    const edited = editRunOf(run, edits, start, end, compare);
    size += edited.length - run.length;
    if (edited.length > maxRunLength) runs.splice(at, 1, ...cut(edited));
    else if (edited.length > 0) runs[at] = edited;
    else runs.splice(at, 1);
    end = start;
  }
  return { size, runs };
}

const isBehind = <T>(floor: T | undefined, item: T, compare: Compare<T>): boolean =>
  floor === undefined || compare(floor, item) < 0;

function editRunOf<T>(
  run: readonly T[],
  edits: readonly Edit<T>[],
  start: number,
  end: number,
  compare: Compare<T>,
): readonly T[] {
  const edited = run.slice();
  for (let at = start; at < end; at += 1) {
    const { item, stays } = edits[at] as Edit<T>;
    const place = lowerBound(edited, item, compare);
    const there = edited[place];
    const isThere = there !== undefined && compare(there, item) === 0;
    if (isThere && stays) edited[place] = item;
    else if (isThere) edited.splice(place, 1);
    else if (stays) edited.splice(place, 0, item);
  }
  return edited;
}

interface Edit<T> {
  readonly item: T;
  /** False if the item is removed. */
  readonly stays: boolean;
}

/** Returns the edits in sort order; of edits that compare equal, only the last one. */
function editsOf<T>(
  gone: readonly T[],
  come: readonly T[],
  compare: Compare<T>,
): readonly Edit<T>[] {
  const [came, went] = [come[0], gone[0]];
  // Fast path: most edits replace one item.
  if (come.length === 1 && came !== undefined) {
    const takesItsPlace = went !== undefined && gone.length === 1 && compare(went, came) === 0;
    if (takesItsPlace || gone.length === 0) return [{ item: came, stays: true }];
  }
  const all = gone.map((item): Edit<T> => ({ item, stays: false }));
  for (const item of come) all.push({ item, stays: true });
  all.sort((a, b) => compare(a.item, b.item));
  return all.filter(({ item }, at) => {
    const next = all[at + 1];
    return next === undefined || compare(item, next.item) !== 0;
  });
}

/**
 * Returns the index of the first run whose last item is not before the probe. Returns the number of runs if there is
 * none.
 */
function runFor<P>(runs: readonly (readonly P[])[], probe: P, compare: Compare<P>): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const run = runs[middle];
    const last = run?.[run.length - 1];
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
