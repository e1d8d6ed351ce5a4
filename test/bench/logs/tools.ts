import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { describeStall, type Stall } from "../pods/stallWatch.ts";

/**
 * "ours, warm" has read the same logs several times before, so its JavaScript is compiled. The other tools are compiled
 * ahead of time.
 */
export type Tool = "kubectl" | "stern" | "ours" | "ours, warm";

/** The tools that are installed here. */
export const tools: readonly Tool[] = [
  ...(["kubectl", "stern"] as const).filter((name) => spawnSync(name).error === undefined),
  "ours",
];

export interface Cost {
  readonly lines: number;
  readonly bytes: number;
  /** Time from the first line to the last. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Maximum resident set size of the process in bytes; for ours, only the growth. */
  readonly memory: number;
  readonly stall: Stall | undefined;
  readonly lost: number;
  /** Repetitions of lines that were already printed. */
  readonly doubled: number;
  /** Lines printed after a line with a later timestamp. Undefined for tools that do not merge by time. */
  readonly late: number | undefined;
}

/** Matches the number of the writer and of the line, such as `w17 l12345`. */
const numbered = /\bw(\d+) l(\d+) /;
// A tool is killed after this time without output, because it may wait forever for lost lines.
const silenceMs = 10_000;

/** Runs a tool until it has read the lines of `count` writers, and returns its cost. */
export async function measure(
  tool: Tool,
  { namespace, label, count, linesOfOne, kubeconfig }: ReadingOrder,
): Promise<Cost> {
  const [program, ...args] = commandOf(tool, namespace, label);
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, KUBECONFIG: kubeconfig },
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-10_000)));
  const seen = Array.from({ length: count }, () => new Uint8Array(linesOfOne + 1));
  let [lines, bytes, firstAt, lastAt, rest] = [0, 0, 0, performance.now(), ""];
  child.stdout.on("data", (chunk: Buffer) => {
    lastAt = performance.now();
    firstAt ||= lastAt;
    bytes += chunk.length;
    const parts = (rest + chunk.toString("latin1")).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      lines += 1;
      const [, writer, number] = numbered.exec(line) ?? [];
      const of = seen[Number(writer)];
      const at = Number(number);
      if (of && at in of) of[at] = (of[at] ?? 0) + 1;
    }
  });
  const usage = watchUsage(child);
  const isOver = once(child, "exit");
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([isOver, wait(500)]);
    if (firstAt > 0 && performance.now() - lastAt > silenceMs) child.kill();
  }
  const { cpuSeconds, memory } = await usage;
  const own = /stall (\S+) computed (\S*) cpu (\S+) grown (\S+) late (\d+)/.exec(said)?.slice(1);
  const [ms, computed, ownCpu = cpuSeconds, grown = memory, late] = own ?? [];
  const counts = seen.map((of) => of.subarray(1));
  return {
    ...{ lines, bytes, seconds: (lastAt - firstAt) / 1000 },
    stall: own && { ms: Number(ms), computedMs: computed === "" ? undefined : Number(computed) },
    cpuSeconds: Number(ownCpu),
    memory: Number(grown),
    lost: sum(counts, (times) => (times === 0 ? 1 : 0)),
    late: late === undefined ? undefined : Number(late),
    doubled: sum(counts, (times) => Math.max(0, times - 1)),
  };
}

export interface ReadingOrder {
  readonly namespace: string;
  readonly label: string;
  readonly count: number;
  readonly linesOfOne: number;
  readonly kubeconfig: string;
}

const sum = (counts: readonly Uint8Array[], of: (times: number) => number): number =>
  counts.reduce((all, one) => one.reduce((total, times) => total + of(times), all), 0);

function commandOf(
  tool: Tool,
  namespace: string,
  label: string,
): readonly [string, ...(readonly string[])] {
  const which = ["-n", namespace, "-l", `bench=${label}`];
  switch (tool) {
    case "kubectl":
      return [
        ...["kubectl", "logs", "-f", "--prefix", "--all-containers", "--tail=-1"],
        ...["--max-log-requests=500", ...which],
      ] as [string, ...string[]];
    case "stern":
      return ["stern", "--color=always", "--only-log-lines", "--max-log-requests=500", ...which];
    case "ours":
    case "ours, warm": {
      const reader = join(dirname(fileURLToPath(import.meta.url)), "reader.ts");
      const warm = tool === "ours" ? [] : ["warm"];
      return [process.execPath, reader, namespace, label, ...warm];
    }
  }
}

/** Returns the CPU seconds of a process, user and system. Linux only: /proc counts in ticks of 10 ms. */
export function cpuSecondsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ");
  return (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)) / 100;
}

/** Samples a process until it exits. Returns its CPU seconds and its maximum resident set size in bytes. */
async function watchUsage(child: ChildProcess): Promise<{ cpuSeconds: number; memory: number }> {
  let [cpuSeconds, memory] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    try {
      cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(child));
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // The process ended between two samples.
    }
    await wait(50);
  }
  return { cpuSeconds, memory };
}

/** Returns one line of output for the cost of a tool. `expected` is the number of lines written. */
export function describeCost(name: string, cost: Cost, expected: number): string {
  const { lines, bytes, seconds, cpuSeconds, memory, stall, lost, doubled, late } = cost;
  const mebibytes = bytes / 2 ** 20;
  const rate = Math.round(lines / Math.max(seconds, 0.001)).toLocaleString("en-US");
  const cpu = ((cpuSeconds / Math.max(1, lines)) * 1e6).toFixed(1);
  const cpuOfMebibyte = ((cpuSeconds / Math.max(0.001, mebibytes)) * 1000).toFixed(0);
  const stalled = stall === undefined ? "" : `, ${describeStall(stall)}`;
  return (
    `${name.padEnd(34)} ${lines} of ${expected} lines (${lost} lost, ${doubled} doubled${late === undefined ? "" : `, ${late} late`}) in ` +
    `${seconds.toFixed(2)} s: ${rate} a second, CPU ${cpu} µs a line and ${cpuOfMebibyte} ms a MiB, ` +
    `memory ${(memory / 2 ** 20).toFixed(0)} MiB${stalled}`
  );
}
