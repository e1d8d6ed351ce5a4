import { ownCopy } from "../../base/ownCopy.ts";

// Of a text that somebody types in, a change concerns one stretch of lines; the others were read before.

/** What a stretch of a text came to, its places counted from where the stretch begins. */
export interface ReadStretch<T> {
  readonly at: number;
  readonly found: T;
}

/** Finds where the stretch ends that begins there, by what stands in its lines and by nothing before it. */
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

/** Reads a text stretch by stretch. */
export function stretchReader<T>(
  endOf: StretchEnd,
  readStretch: (stretch: string) => T,
): SteppedReader<readonly ReadStretch<T>[]> {
  const remembered = rememberedStretches(readStretch);
  const read = (text: string): readonly ReadStretch<T>[] => {
    const stretches: ReadStretch<T>[] = [];
    let end: number;
    for (let at = 0; at < text.length; at = end) {
      end = endOf(text, at);
      stretches.push({ at, found: remembered(text.slice(at, end)) });
    }
    return stretches;
  };
  return { read, steps: (text) => stretchSteps(text, endOf, remembered) };
}

/** Reads each stretch of a text for whoever remembers it. */
export function* stretchSteps(
  text: string,
  endOf: StretchEnd,
  remembered: (stretch: string) => unknown,
): Generator<void, void> {
  let end: number;
  for (let at = 0; at < text.length; at = end) {
    end = endOf(text, at);
    remembered(text.slice(at, end));
    yield;
  }
}

/**
 * Ends after some dozens of lines, at one after which the text may be parted. Which it is hangs on that line
 * alone, so that lines that are put in or taken away move no end but the nearest.
 */
export const lineStretches =
  (mayPart: (text: string, lineStart: number, lineEnd: number) => boolean): StretchEnd =>
  (text, start) => {
    for (let lineStart = start; lineStart < text.length;) {
      const lineEnd = text.indexOf("\n", lineStart);
      if (lineEnd < 0) break;
      if (isChosen(text, lineStart, lineEnd) && mayPart(text, lineStart, lineEnd)) {
        return lineEnd + 1;
      }
      lineStart = lineEnd + 1;
    }
    return text.length;
  };

/** About one line of so many. */
const usualLines = 32;

function isChosen(text: string, lineStart: number, lineEnd: number): boolean {
  const length = lineEnd - lineStart;
  let sum = length;
  // What tells one line from the next stands in its middle or at its end.
  for (const place of [length >> 1, length - 4, length - 3, length - 2, length - 1]) {
    if (place >= 0) sum = (sum * 31 + text.charCodeAt(lineStart + place)) | 0;
  }
  return ((sum ^ (sum >>> 5) ^ (sum >>> 10)) & (usualLines - 1)) === 0;
}
