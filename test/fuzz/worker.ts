// Runs the targets in a worker thread, so that `fuzz.ts` can terminate an endless loop.
import { parentPort, workerData } from "node:worker_threads";
import { growthProblem } from "./growth.ts";
import { inputOfLength, type FuzzInput } from "./input.ts";
import { inputOf } from "./mutate.ts";
import { targetNamed } from "./targets/targets.ts";

export interface FuzzWork {
  readonly targets: readonly string[];
  readonly seed: number;
  readonly milliseconds: number;
  /** The maximum number of inputs per target. */
  readonly maxInputs: number;
  /** Shared memory: the number of the last started input of each target, then the index of the current target. */
  readonly progress: Int32Array;
}

export interface FuzzFault {
  readonly target: string;
  readonly input: FuzzInput;
  readonly message: string;
}

const sliceMs = 150;

function run({ targets, seed, milliseconds, maxInputs, progress }: FuzzWork): void {
  const ends = performance.now() + milliseconds;
  for (;;) {
    for (const [index, name] of targets.entries()) {
      progress[targets.length] = index;
      const sliceEnds = Math.min(ends, performance.now() + sliceMs);
      while (performance.now() < sliceEnds && (progress[index] ?? 0) < maxInputs) {
        const number = Atomics.add(progress, index, 1) + 1;
        const input = inputOf(targetNamed(name), seed, number);
        const message = problemOf(name, input);
        if (message !== undefined) {
          parentPort?.postMessage({ target: name, input, message } satisfies FuzzFault);
        }
      }
      if (performance.now() >= ends) return;
    }
    if (targets.every((_, index) => (progress[index] ?? 0) >= maxInputs)) return;
  }
}

/** Checks an input. Returns the error or the problem with its CPU time; undefined if the check passes. */
export function problemOf(name: string, input: FuzzInput): string | undefined {
  const target = targetNamed(name);
  try {
    const begun = performance.now();
    target.check(inputOfLength(input, input.kind === "text" ? Infinity : 2_000));
    const isSlow = performance.now() - begun > 100;
    return isSlow || input.kind === "growth" ? growthProblem(target, input) : undefined;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    // Append the innermost frame in src/, so that equal messages from different functions are different faults.
    const place = /\n\s+at (.*\/src\/.*)/.exec(error.stack ?? "")?.[1] ?? "";
    return `${error.name}: ${error.message.slice(0, 300)} ${place.replace(/\(?file:.*\/src\//, "src/")}`;
  }
}

if (parentPort !== null) run(workerData as FuzzWork);
