import { executorIdLabel } from "../labels.ts";
import type { PodRecord } from "./podRecord.ts";

/**
 * The number under which Spark knows the executor. Undefined where the label is missing, still holds the
 * placeholder of a pod template, or is nothing that Spark could read as a 64-bit number.
 */
export function executorIdOf(pod: PodRecord): number | undefined {
  const label = pod.labels[executorIdLabel];
  if (label === undefined || !/^[+-]?\d+$/.test(label)) return undefined;
  if (label.length > 18 && BigInt.asIntN(64, BigInt(label)) !== BigInt(label)) return undefined;
  return Number(label);
}
