import { l10n } from "vscode";
import { explainClusterError } from "../showError.ts";
import type { SessionState } from "./sessionState.ts";
import { watchStateOf } from "./watchState.ts";

/** The contexts that are looked at, the chosen one first. */
export const contextsIn = (state: SessionState): readonly string[] =>
  state.kind === "connected" ? [...new Set(state.watches.map(({ context }) => context))] : [];

/**
 * The sentence above a tree that is behind, or may be by half a minute; empty where all is well. Where nothing was
 * ever read the welcome view speaks, which a message would hide.
 */
export function messageOf(state: SessionState): string {
  if (state.kind !== "connected") return "";
  const hasPods = state.watches.some(({ snapshot }) => snapshot.size > 0);
  if (!hasPods && watchStateOf(state) !== "stale") return "";
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
  for (const { context, namespace = "", isMissing } of state.watches) {
    if (isMissing) return l10n.t("The cluster of {0} has no namespace {1}", context, namespace);
  }
  return "";
}
