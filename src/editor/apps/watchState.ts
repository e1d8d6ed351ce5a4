import { assertNever } from "../../base/assertNever.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { NamespaceWatch, SessionState } from "./sessionState.ts";

/** The word that the welcome views' when-clauses compare. */
export function watchStateOf(state: SessionState): string {
  switch (state.kind) {
    case "idle":
    case "connecting":
      return "connecting";
    case "failed":
      return failureWord(state.error);
    case "connected":
      return worst(state.watches);
    default:
      return assertNever(state);
  }
}

function worst(watches: readonly NamespaceWatch[]): string {
  for (const { freshness } of watches) {
    if (freshness.kind === "failed") return failureWord(freshness.error);
  }
  const word = (["stale", "connecting"] as const).find((kind) =>
    watches.some(({ freshness }) => freshness.kind === kind),
  );
  return word ?? (watches.some(({ isMissing }) => isMissing) ? "noNamespace" : "live");
}

function failureWord(error: ClusterError): string {
  switch (error.kind) {
    case "unreachable":
    case "unauthorized":
    case "forbidden":
      return error.kind;
    case "throttled":
      return "busy";
    case "configuration":
      return error.problem === "noKubeconfig" ? "noKubeconfig" : "badKubeconfig";
    case "notFound":
    case "conflict":
    case "protected":
    case "invalid":
    case "expired":
    case "badResponse":
      return "badAnswer";
    default:
      return assertNever(error);
  }
}
