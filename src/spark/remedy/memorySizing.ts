import type { NodeSize } from "../diagnosis/diagnosis.ts";
import { parseSize } from "../submit/conf/sparkValues.ts";
import type { ResolvedConf } from "../submit/conf/conf.ts";
import type { SparkMinor } from "../submit/conf/sparkVersion.ts";
import { podSums, type MemoryParts } from "../submit/preview/podSums.ts";

export type PodRole = "driver" | "executor";

/** The conf of a run, by key. */
export type RunConf = ReadonlyMap<string, string>;

/** Returns the parts of the memory limit of Spark's container, in mebibytes, as Spark computes them from the conf. */
export function memoryParts(conf: RunConf, role: PodRole, minor: SparkMinor): MemoryParts {
  const kind = conf.get("spark.kubernetes.resource.type");
  const application = kind === "python" || kind === "r" ? kind : "java";
  return podSums(resolved(conf), application, "cluster", minor).memory[role];
}

export const totalOf = ({ heap, overhead, offHeap, python }: MemoryParts): number =>
  heap + overhead + offHeap + python;

/** The share of the largest node that a pod may request: system pods and the kubelet need the rest. */
const nodeShare = 0.9;

/** Returns the mebibytes that a pod may request. Undefined if the size of the nodes is unknown. */
const roomOf = (node: NodeSize | undefined, share = nodeShare): number | undefined =>
  node === undefined ? undefined : Math.floor((node.memoryBytes * share) / 2 ** 20);

// Suggested sizes are multiples of this step, in mebibytes. Spark's minimum overhead of 384 MiB is a multiple, too.
const stepMib = 128;

/**
 * Returns the next size to try for a part, in mebibytes: twice the current size, but at least 512 MiB more. The size is
 * limited by the room on the node. Undefined if the node has no room for more.
 */
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

/**
 * Returns the next heap size to try, in mebibytes: twice the current heap, or less if the node has no room. Accounts
 * for an overhead that grows with the heap. Undefined if the node has no room for more.
 */
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

// The maximum share of a node's memory for one pod. Two executors then leave 20 % for a driver.
const fittingShare = 0.4;

/**
 * Returns a lower heap, in mebibytes, with which the pod requests at most 40 % of the largest node's memory. Undefined
 * if the current heap fits, if no heap does, or if the size of the nodes is unknown.
 */
export function fittingHeap(
  conf: RunConf,
  role: PodRole,
  minor: SparkMinor,
  node: NodeSize | undefined,
): number | undefined {
  const room = roomOf(node, fittingShare);
  return room === undefined ? undefined : heapWithin(conf, role, minor, room);
}

/**
 * Returns a lower heap, in mebibytes, with which the container's memory limit is at most `room` mebibytes. It is
 * slightly below the largest such heap. Undefined if the current heap fits, or if no heap does.
 */
export function heapWithin(
  conf: RunConf,
  role: PodRole,
  minor: SparkMinor,
  room: number,
): number | undefined {
  const parts = memoryParts(conf, role, minor);
  if (totalOf(parts) <= room) return undefined;
  const fits = (heap: number): boolean =>
    totalOf(memoryParts(withHeap(conf, role, heap), role, minor)) <= room;
  // The overhead is usually a small part of the heap, so a few steps of 5 % are enough.
  let heap = Math.min(parts.heap, room);
  while (heap > smallestHeap && !fits(heap)) heap = Math.max(Math.floor(heap * 0.95), smallestHeap);
  return heap >= smallestHeap && fits(heap) ? Math.floor(heap / stepMib) * stepMib : undefined;
}

// Spark refuses to start with a heap below 450 MiB (UnifiedMemoryManager).
const minHeap = 450;

/** The smallest round heap, in mebibytes, with which Spark starts. */
export const smallestHeap = Math.ceil(minHeap / stepMib) * stepMib;

function rounded(next: number, present: number): number | undefined {
  const value = Math.floor(next / stepMib) * stepMib;
  return value > present ? value : undefined;
}

const withHeap = (conf: RunConf, role: PodRole, heap: number): RunConf =>
  new Map([...conf, [`spark.${role}.memory`, `${heap}m`]]);

const resolved = (conf: RunConf): ResolvedConf =>
  new Map([...conf].map(([key, value]) => [key, { value, origin: { kind: "computed" } }]));

/** Formats mebibytes as a Spark size: `1g` or `768m`. */
export const sizeText = (mebibytes: number): string =>
  mebibytes % 1024 === 0 ? `${mebibytes / 1024}g` : `${mebibytes}m`;

/**
 * Parses a size such as `spark.driver.maxResultSize`, and returns mebibytes, rounded up. A number without a unit is in
 * bytes. Undefined if the text is not a size.
 */
export function mebibytesOf(text: string): number | undefined {
  const bytes = parseSize(text, 1, true);
  return bytes === undefined ? undefined : Math.ceil(Number(bytes) / 2 ** 20);
}
