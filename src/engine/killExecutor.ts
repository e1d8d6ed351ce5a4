import type { ExecutorPod } from "../spark/pods/application.ts";
import { deletePod, type Deletion } from "./deletePod.ts";
import type { ObjectApi } from "./ports.ts";

/**
 * Ends one executor from outside. Its process is asked to stop at once, and goes within its grace period;
 * where decommissioning is on it first moves its blocks away. The driver loses the connection, sees the
 * pod end, and asks for another executor in its next round.
 */
export const killExecutor = (
  objects: ObjectApi,
  executor: ExecutorPod,
  signal: AbortSignal,
): Promise<Deletion> => deletePod(objects, executor.pod, signal);
