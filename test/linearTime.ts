import assert from "node:assert/strict";

/** Milliseconds of CPU time since the process began: other processes do not count. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Asserts that `work` takes time proportional to the length of its input. `workOn` prepares the input, whose time does
 * not count.
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

/** `assertLinear` for a text that repeats a piece. */
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
