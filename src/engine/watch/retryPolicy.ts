import { assertNever } from "../../base/assertNever.ts";
import type { ClusterError } from "../clusterError.ts";

/** The class of an error, by its effect on the next attempt. The retry functions below use this classification. */
type FailureClass =
  /** The server is unreachable, or returned 5xx. It may recover at any moment. */
  | "outage"
  /** The server throttles requests. */
  | "busy"
  /** The connection broke during the response, or the response is not from Kubernetes. */
  | "garbled"
  /** The server would refuse the same request again. */
  | "refused"
  /** The resource version has expired. */
  | "expired"
  /** The object does not exist, or changed meanwhile. */
  | "changed"
  /** The credentials were not accepted; the next request may have new ones. */
  | "unauthenticated"
  /** A permission is missing, or the configuration is wrong: only the user can fix it. */
  | "denied";

function classOf(error: ClusterError): FailureClass {
  switch (error.kind) {
    case "unreachable":
      return "outage";
    case "badResponse": {
      const { status = 0 } = error;
      if (status >= 500) return "outage";
      return status >= 400 && status !== 408 ? "refused" : "garbled";
    }
    case "throttled":
      return "busy";
    case "invalid":
      return "refused";
    case "expired":
      return "expired";
    case "notFound":
    case "conflict":
    case "protected":
      return "changed";
    case "unauthorized":
      return "unauthenticated";
    case "forbidden":
    case "configuration":
      return "denied";
    default:
      return assertNever(error);
  }
}

/** The retry strategy for a list, a watch or a log after a failure. */
type Retry =
  /** Back-off, then resume; not before `minDelayMs`, which the server requested. */
  | { readonly kind: "soon"; readonly minDelayMs: number }
  /** Only the user can fix the cause, so retry rarely. */
  | { readonly kind: "slow"; readonly delayMs: number }
  /** Back-off, then relist: the server cannot resume from that version. */
  | { readonly kind: "relist" };

const minuteMs = 60_000;
const maxRetryAfterMs = 5 * minuteMs;

export function retryOf(error: ClusterError): Retry {
  const failure = classOf(error);
  switch (failure) {
    case "expired":
    case "refused":
      return { kind: "relist" };
    case "busy": {
      const waitMs = error.kind === "throttled" ? error.retryAfterMs : undefined;
      return { kind: "soon", minDelayMs: Math.min(waitMs ?? 0, maxRetryAfterMs) };
    }
    case "outage":
    case "garbled":
    case "changed":
      return { kind: "soon", minDelayMs: 0 };
    case "denied":
      return { kind: "slow", delayMs: error.kind === "forbidden" ? 5 * minuteMs : minuteMs };
    case "unauthenticated":
      return { kind: "slow", delayMs: minuteMs };
    default:
      return assertNever(failure);
  }
}

/**
 * After a restart, the API server denies requests until it has loaded the RBAC roles. A permission that was granted
 * before therefore counts as missing only if it is denied for this long.
 */
export const briefDenialMs = 30_000;

/** True if the server was unreachable or returned 5xx. */
export const isOutage = (error: ClusterError): boolean => classOf(error) === "outage";

/** True if the same request may succeed a moment later. */
export const isTransient = (error: ClusterError): boolean =>
  ["outage", "busy", "garbled"].includes(classOf(error));

/** True if the same request fails until the user changes something. */
export const needsUser = (error: ClusterError): boolean =>
  retryOf(error).kind === "slow" || error.kind === "invalid";

/** True if the same request would fail again with the same error. */
export const isFinal = (error: ClusterError): boolean =>
  ["denied", "refused"].includes(classOf(error));

/**
 * True if the same write may be sent again: after 5xx, or if the connection broke after the write was sent. The HTTP
 * client already retries throttled writes.
 */
export const isRetriable = (error: ClusterError): boolean =>
  isOutage(error) && (error.kind !== "unreachable" || error.requestSent);

/** True if the server may have carried out the write although no response confirms it. */
export const mayBeCarriedOut = (error: ClusterError): boolean =>
  error.kind === "badResponse" || (error.kind === "unreachable" && error.requestSent);
