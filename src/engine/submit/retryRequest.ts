import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import { isRetriable } from "../watch/retryPolicy.ts";

const firstDelayMs = 100;

/** Sends a request, and retries it up to `maxRetries` times after retriable failures. The wait doubles each time. */
export async function retryRequest<T>(
  send: () => Promise<Result<T, ClusterError>>,
  maxRetries: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<T, ClusterError>> {
  for (let attempt = 0; ; attempt++) {
    const result = await send();
    if (result.ok || attempt >= maxRetries || !isRetriable(result.error)) return result;
    await clock.sleep(firstDelayMs * 2 ** attempt, signal);
  }
}
