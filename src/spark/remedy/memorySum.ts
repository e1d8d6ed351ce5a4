import type { NodeSize } from "../diagnosis/diagnosis.ts";
import { parseSize } from "../submit/conf/sparkValues.ts";
import type { ResolvedConf } from "../submit/conf/conf.ts";
import type { SparkMinor } from "../submit/conf/sparkVersion.ts";
import { podSums, type MemoryParts } from "../submit/preview/podSums.ts";

export type PodRole = "driver" | "executor";

/** The conf of a run, by key. */
export type RunConf = ReadonlyMap<string, string>;

/** The parts of a container's memory limit by the conf, as Spark adds them up. */
export function memoryParts(conf: RunConf, role: PodRole, minor: SparkMinor): MemoryParts {
  const kind = conf.get("spark.kubernetes.resource.type");
  const application = kind === "python" || kind === "r" ? kind : "java";
  return podSums(resolved(conf), application, "cluster", minor).memory[role];
}

export const totalOf = ({ heap, overhead, offHeap, python }: MemoryParts): number =>
  heap + overhead + offHeap + python;

/** The share of the largest node that a pod may request: system pods and the kubelet need the rest. */
const nodeShare = 0.9;

/** In mebibytes; undefined if the size of the nodes is unknown. */
const roomOf = (node: NodeSize | undefined, share = nodeShare): number | undefined =>
  node === undefined ? undefined : Math.floor((node.memoryBytes * share) / 2 ** 20);

// Values of a conf file are round; Spark's own minimum is 384 MiB.
const stepMib = 128;

/** The next size of a part to try: twice as much, within the node; undefined if the node has no room for more. */
export function nextSize(
  part: "overhead" | "python",
  parts: MemoryParts,
  node: NodeSize | undefined,
): number | undefined {
  const present = parts[part];
  const room = (roomOf(node) ?? Infinity) - (totalOf(parts) - present);
  const next = Math.min(Math.max(2 * present, present + 512), room);
  return rounded(next, present);
}

/** The next heap to try, as `nextSize`. The overhead grows with it if it is a share of the heap. */
export function nextHeap(
  conf: RunConf,
  role: PodRole,
  minor: SparkMinor,
  node: NodeSize | undefined,
): number | undefined {
  const { heap } = memoryParts(conf, role, minor);
  const room = roomOf(node) ?? Infinity;
  for (let next = 2 * heap; next > heap; next -= Math.max(stepMib, Math.floor(heap / 8))) {
    if (totalOf(memoryParts(withHeap(conf, role, next), role, minor)) <= room) {
      return rounded(next, heap);
    }
  }
  return undefined;
}

// Other pods need memory, too.
const fittingShare = 0.5;

/** The largest heap with which the pod fits on half of a node; undefined if the present one does, or none does. */
export function fittingHeap(
  conf: RunConf,
  role: PodRole,
  minor: SparkMinor,
  node: NodeSize | undefined,
): number | undefined {
  const room = roomOf(node, fittingShare);
  return room === undefined ? undefined : heapWithin(conf, role, minor, room);
}

/** The largest heap with which the container has at most `room` mebibytes, as `fittingHeap`. */
export function heapWithin(
  conf: RunConf,
  role: PodRole,
  minor: SparkMinor,
  room: number,
): number | undefined {
  const parts = memoryParts(conf, role, minor);
  if (totalOf(parts) <= room) return undefined;
  // The overhead is usually a small part of the heap, so few steps of 5 % are enough.
  let heap = Math.min(parts.heap, room);
  while (heap > minHeap) {
    if (totalOf(memoryParts(withHeap(conf, role, heap), role, minor)) <= room) {
      return Math.floor(heap / stepMib) * stepMib;
    }
    heap = Math.floor(heap * 0.95);
  }
  return undefined;
}

// Spark refuses to start with a heap below 450 MiB (UnifiedMemoryManager).
const minHeap = 450;

/** The smallest round heap with which Spark starts. */
export const smallestHeap = Math.ceil(minHeap / stepMib) * stepMib;

function rounded(next: number, present: number): number | undefined {
  const value = Math.floor(next / stepMib) * stepMib;
  return value > present ? value : undefined;
}

const withHeap = (conf: RunConf, role: PodRole, heap: number): RunConf =>
  new Map([...conf, [`spark.${role}.memory`, `${heap}m`]]);

const resolved = (conf: RunConf): ResolvedConf =>
  new Map([...conf].map(([key, value]) => [key, { value, origin: { kind: "computed" } }]));

/** `1g` or `768m`, as Spark reads it. */
export const sizeText = (mebibytes: number): string =>
  mebibytes % 1024 === 0 ? `${mebibytes / 1024}g` : `${mebibytes}m`;

/** Of `spark.driver.maxResultSize` and the like, where a number alone counts bytes; undefined for text that is no size. */
export function mebibytesOf(text: string): number | undefined {
  const bytes = parseSize(text, 1, true);
  return bytes === undefined ? undefined : Math.ceil(Number(bytes) / 2 ** 20);
}
