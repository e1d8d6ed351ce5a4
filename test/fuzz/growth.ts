import { inputOfLength, type FuzzInput } from "./input.ts";
import type { FuzzTarget } from "./target.ts";

// Three doublings: 8 is linear and 64 quadratic. The limit allows for garbage collection.
const lengthRatio = 8;
const maxTimeRatio = 40;
// Below this time, a garbage collection takes longer than the work.
const leastMs = 150;

/**
 * The growth of the CPU time when the input is eight times as long; undefined if it is linear.
 * Compares only times of the same process, the best of several runs each.
 */
export function growthProblem(target: FuzzTarget, input: FuzzInput): string | undefined {
  const grown = input.kind === "text" ? repeated(input.text) : input;
  for (let length = 8_192; length / lengthRatio < target.maxLength; length *= lengthRatio) {
    const long = inputOfLength(grown, Math.min(length, target.maxLength));
    const short = inputOfLength(grown, Math.floor(long.length / lengthRatio));
    // A piece longer than an eighth of the input is not repeated often enough.
    if (short.length * (lengthRatio - 2) > long.length) continue;
    const once = timeOf(target, long);
    if (once < leastMs) continue;
    const ratioOf = (times: number): number =>
      best(target, long, times) / Math.max(best(target, short, times + 3), 1);
    // Measured again with more runs before it is reported.
    const ratio = ratioOf(2) > maxTimeRatio ? ratioOf(5) : 0;
    if (ratio > maxTimeRatio) {
      return `${long.length} characters take ${once.toFixed(0)} ms, ${ratio.toFixed(0)} times as long as ${short.length}`;
    }
    // Linear work is not measured again at lengths that take long.
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

/** CPU milliseconds, so other programs on the machine do not count. */
function timeOf({ check }: FuzzTarget, text: string): number {
  const begun = process.threadCpuUsage();
  check(text);
  const { user, system } = process.threadCpuUsage(begun);
  // Linux measures the sum exactly and estimates its parts.
  return (user + system) / 1_000;
}
