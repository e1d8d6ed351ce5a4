import type { ExecutorPod } from "../../spark/pods/application.ts";
import { deletePod, deletePodNow, type Deletion } from "./deletePod.ts";
import { markExecutor } from "./markExecutor.ts";
import type { ObjectApi } from "../ports/objects.ts";

type Conf = ReadonlyMap<string, string> | undefined;

/**
 * Marks the executor's pod and deletes it with a grace period of 1 s. The driver notices and requests another executor.
 * `conf` is the driver's conf; undefined if it cannot be read.
 */
export async function killExecutor(
  objects: ObjectApi,
  { pod }: ExecutorPod,
  conf: Conf,
  signal: AbortSignal,
): Promise<Deletion> {
  await markExecutor(objects, pod, "killed", conf, signal);
  return deletePodNow(objects, pod, signal);
}

/**
 * Marks the executor's pod and deletes it with its own grace period. If decommissioning is on, the executor first
 * migrates its blocks.
 */
export async function stopExecutor(
  objects: ObjectApi,
  { pod }: ExecutorPod,
  conf: Conf,
  signal: AbortSignal,
): Promise<Deletion> {
  await markExecutor(objects, pod, "stopped", conf, signal);
  return deletePod(objects, pod, signal);
}
