import { inputOfLength, type FuzzInput } from "./input.ts";
import type { FuzzTarget } from "./target.ts";

// The input becomes 8 times as long: linear work then takes 8 times as long, quadratic work 64 times.
// The limit of 40 leaves room for garbage collection.
const lengthRatio = 8;
const maxTimeRatio = 40;
// In CPU ms. Shorter runs are not compared, because a garbage collection could take longer than the work.
const leastMs = 150;

/**
 * Compares the CPU time of an input and of one eight times as long, each the best of several runs in this process.
 * Returns a message if the time grows more than linearly, else undefined.
 */
export function growthProblem(target: FuzzTarget, input: FuzzInput): string | undefined {
  const grown = input.kind === "text" ? repeated(input.text) : input;
  for (let length = 8_192; length / lengthRatio < target.maxLength; length *= lengthRatio) {
    const long = inputOfLength(grown, Math.min(length, target.maxLength));
    const short = inputOfLength(grown, Math.floor(long.length / lengthRatio));
    // Skip this length if the short input is not much shorter, because its piece is too long to be repeated less.
    if (short.length * (lengthRatio - 2) > long.length) continue;
    const once = timeOf(target, long);
    if (once < leastMs) continue;
    const ratioOf = (times: number): number =>
      best(target, long, times) / Math.max(best(target, short, times + 3), 1);
    // Measure again with more runs before reporting a problem.
    const ratio = ratioOf(2) > maxTimeRatio ? ratioOf(5) : 0;
    if (ratio > maxTimeRatio) {
      return `${long.length} characters take ${once.toFixed(0)} ms, ${ratio.toFixed(0)} times as long as ${short.length}`;
    }
    // If the time is linear up to here, skip longer inputs, which would take seconds.
    if (once > 1_000) return undefined;
  }
  return undefined;
}

const repeated = (text: string): FuzzInput => ({
  kind: "growth",
  before: "",
  piece: text === "" ? " " : text,
  middle: "",
  closing: "",
  after: "",
});

const best = (target: FuzzTarget, text: string, times: number): number =>
  Math.min(...Array.from({ length: times }, () => timeOf(target, text)));

/** Returns the CPU time of one check in ms, which does not include other processes. */
function timeOf({ check }: FuzzTarget, text: string): number {
  const begun = process.threadCpuUsage();
  check(text);
  const { user, system } = process.threadCpuUsage(begun);
  // Use the sum: Linux measures it exactly, and only estimates how it is divided into user and system time.
  return (user + system) / 1_000;
}
