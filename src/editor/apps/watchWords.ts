import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { explainClusterError } from "../showError.ts";
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
  return word ?? "live";
}

function failureWord(error: ClusterError): string {
  if (error.kind === "unauthorized" || error.kind === "forbidden") return error.kind;
  if (error.kind !== "configuration") return "unreachable";
  return error.problem === "noKubeconfig" ? "noKubeconfig" : "badKubeconfig";
}

/** The contexts that are looked at, the chosen one first. */
export const contextsIn = (state: SessionState): readonly string[] =>
  state.kind === "connected" ? [...new Set(state.watches.map(({ context }) => context))] : [];

/**
 * The sentence above a tree that is behind, or may be by half a minute; empty where all is well. Where nothing was ever read the welcome
 * view speaks, which a message would hide.
 */
export function messageOf(state: SessionState): string {
  if (state.kind !== "connected" || !state.watches.some(({ snapshot }) => snapshot.size > 0))
    return "";
  const areSeveral = contextsIn(state).length > 1;
  for (const { context, freshness } of state.watches) {
    // Of several clusters, the sentence says which.
    const told = (words: string): string => (areSeveral ? `${context}: ${words}` : words);
    if (freshness.kind === "failed") return told(explainClusterError(freshness.error));
    if (freshness.kind !== "stale") continue;
    const since = new Date(freshness.since).toLocaleTimeString();
    return told(l10n.t("Stale since {0}: {1}", since, explainClusterError(freshness.error)));
  }
  for (const { freshness } of state.watches) {
    if (freshness.kind !== "live" || freshness.polled === undefined) continue;
    return l10n.t("Read twice a minute only: {0}", explainClusterError(freshness.polled));
  }
  return "";
}
