import { assertNever } from "../base/assertNever.ts";
import type { ClusterError } from "./clusterError.ts";

/** What to do after a list or a watch has failed. */
export type Retry =
  /** Again with back-off, from where it broke; not before the server wants it. */
  | { readonly kind: "soon"; readonly leastDelayMs: number }
  /** Nothing helps but somebody doing something: rarely. */
  | { readonly kind: "slow"; readonly delayMs: number }
  /** Again with back-off, but from a new list: the server cannot go on from that version. */
  | { readonly kind: "relist" };

/** Whether the server was not there: it may be back any moment, and has not asked to be left alone. */
export const isOutage = (error: ClusterError): boolean =>
  error.kind === "unreachable" || (error.kind === "badResponse" && (error.status ?? 0) >= 500);

const minuteMs = 60_000;
const longestRetryAfterMs = 5 * minuteMs;

export function retryOf(error: ClusterError): Retry {
  switch (error.kind) {
    case "expired":
    case "invalid":
      return { kind: "relist" };
    case "badResponse":
      return error.status === 400 || error.status === 422
        ? { kind: "relist" }
        : { kind: "soon", leastDelayMs: 0 };
    case "throttled":
      return {
        kind: "soon",
        leastDelayMs: Math.min(error.retryAfterMs ?? 0, longestRetryAfterMs),
      };
    case "unreachable":
    case "notFound":
    case "conflict":
    case "protected":
      return { kind: "soon", leastDelayMs: 0 };
    case "forbidden":
      return { kind: "slow", delayMs: 5 * minuteMs };
    case "unauthorized":
    case "configuration":
      return { kind: "slow", delayMs: minuteMs };
    default:
      return assertNever(error);
  }
}
