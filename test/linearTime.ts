import assert from "node:assert/strict";

/** Returns the CPU milliseconds that this process has used since its start. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Asserts that work takes CPU time at most proportional to the length of its input. `workOn` prepares an input of the
 * given length and returns the work; only the work is measured.
 */
export function assertLinear(
  workOn: (length: number) => () => void,
  what: string,
  length = 64 << 10,
): void {
  const [short, long] = [cpuTimeOf(workOn(length)), cpuTimeOf(workOn(4 * length))];
  // Linear growth is a factor of 4, quadratic 16. The constant covers the JIT compiler and the garbage collector.
  assert.ok(long < 8 * short + 60, `${what}: ${short} ms, then ${long} ms for 4 times the length`);
}

/** Asserts that `work` takes linear time for text that repeats `piece`. */
export function assertLinearInText(
  piece: string,
  work: (text: string) => unknown,
  length = 64 << 10,
): void {
  const workOn = (wanted: number) => {
    const text = piece.repeat(wanted / piece.length);
    return () => {
      work(text);
    };
  };
  assertLinear(workOn, JSON.stringify(piece), length);
}

const cpuTimeOf = (work: () => void): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const start = cpuTime();
      work();
      return cpuTime() - start;
    }),
  );
