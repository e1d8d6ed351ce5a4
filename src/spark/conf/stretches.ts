import { ownCopy } from "../../base/ownCopy.ts";

// Of a text that somebody types in, a change concerns one stretch of lines; the others were read before.

/** What a stretch of a text came to, its places counted from where the stretch begins. */
export interface ReadStretch<T> {
  readonly at: number;
  readonly text: string;
  readonly found: T;
}

/**
 * Finds where the stretch ends that begins there, by what stands in its lines and on the line behind, and by nothing
 * before it.
 */
export type StretchEnd = (text: string, start: number) => number;

/** More has no text that somebody wrote. */
const mostCharacters = 4_000_000;

/** Keeps what is read of each stretch. */
export function rememberedStretches<T>(read: (stretch: string) => T): (stretch: string) => T {
  const kept = keptStretches<T>();
  return (stretch) => kept(stretch, read);
}

/** Keeps what was made of each stretch, until so many others were asked for that no text has it any more. */
export function keptStretches<T>(): (stretch: string, read: (stretch: string) => T) => T {
  let recent = new Map<string, T>();
  let earlier: ReadonlyMap<string, T> = new Map();
  let characters = 0;
  return (stretch, read) => {
    const known = recent.get(stretch);
    if (known !== undefined) return known;
    const own = ownCopy(stretch);
    const found = earlier.get(stretch) ?? read(own);
    if (characters >= mostCharacters) {
      earlier = recent;
      recent = new Map();
      characters = 0;
    }
    characters += own.length;
    recent.set(own, found);
    return found;
  };
}

/** Reads texts as they change. Before the first reading of a long one, its steps may be gone through. */
export interface SteppedReader<T> {
  readonly read: (text: string) => T;
  /** What takes long the first time, a little of it at each step. */
  readonly steps: (text: string) => Iterable<void>;
}

/** Reads a text stretch by stretch. Of a text that has changed, only the stretches that did are looked at. */
export function stretchReader<T>(
  endOf: StretchEnd,
  readStretch: (stretch: string) => T,
): SteppedReader<readonly ReadStretch<T>[]> {
  const remembered = rememberedStretches((text) => ({ text, found: readStretch(text) }));
  let last: readonly ReadStretch<T>[] = [];
  const readInSteps = function* (text: string): Generator<void, void> {
    const stretches = sameBefore(last, text);
    const rest = sameBehind(last, text, stretches.length);
    let at = endOfStretch(stretches.at(-1));
    for (let index = 0; at < text.length;) {
      while ((rest[index]?.at ?? at) < at) index += 1;
      if (rest[index]?.at === at) {
        for (const one of rest.slice(index)) stretches.push(one);
        break;
      }
      const end = endOf(text, at);
      stretches.push({ at, ...remembered(text.slice(at, end)) });
      at = end;
      yield;
    }
    last = stretches;
  };
  return {
    steps: readInSteps,
    read: (text) => {
      const steps = readInSteps(text);
      while (steps.next().done !== true);
      return last;
    },
  };
}

const endOfStretch = (stretch: ReadStretch<unknown> | undefined): number =>
  stretch === undefined ? 0 : stretch.at + stretch.text.length;

/** Those with which the text still begins. */
function sameBefore<T>(last: readonly ReadStretch<T>[], text: string): ReadStretch<T>[] {
  let same = 0;
  for (const { at, text: own } of last) {
    if (text.slice(at, at + own.length) !== own) break;
    same += 1;
  }
  // Where the last of them ends hangs on what stands behind it.
  return last.slice(0, Math.max(0, same - 1));
}

/** Those with which it still ends, but for so many at its beginning, where they stand now. */
function sameBehind<T>(
  last: readonly ReadStretch<T>[],
  text: string,
  before: number,
): readonly ReadStretch<T>[] {
  const by = text.length - endOfStretch(last.at(-1));
  const other = last.findLastIndex(
    ({ at, text: own }, index) =>
      index < before || at + by < 0 || text.slice(at + by, at + by + own.length) !== own,
  );
  const same = last.slice(other + 1);
  return by === 0 ? same : same.map((one) => ({ ...one, at: one.at + by }));
}

/**
 * Ends after some dozens of lines, at one after which the text may be parted. Which it is hangs on that line
 * alone, so that lines that are put in or taken away move no end but the nearest; but where all lines are alike,
 * after so many.
 */
export const lineStretches =
  (mayPart: (text: string, lineStart: number, lineEnd: number) => boolean): StretchEnd =>
  (text, start) => {
    let lines = 0;
    for (let lineStart = start; lineStart < text.length;) {
      const lineEnd = text.indexOf("\n", lineStart);
      if (lineEnd < 0) break;
      lines += 1;
      const isEnd = lines >= mostLines || isChosen(text, lineStart, lineEnd);
      if (isEnd && mayPart(text, lineStart, lineEnd)) return lineEnd + 1;
      lineStart = lineEnd + 1;
    }
    return text.length;
  };

/** About one line of so many. */
const usualLines = 32;
const mostLines = 128;

/** As many characters of a line are looked at, from its end. */
const longestSign = 200;

function isChosen(text: string, lineStart: number, lineEnd: number): boolean {
  let sum = 0;
  for (let at = Math.max(lineStart, lineEnd - longestSign); at < lineEnd; at += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  }
  // Of what a product comes to, the upper bits hang on all of the line.
  sum = Math.imul(sum ^ (sum >>> 16), 0x45d9f3b);
  return (sum ^ (sum >>> 16)) >>> 0 < 2 ** 32 / usualLines;
}
