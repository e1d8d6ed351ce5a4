import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { explainClusterError } from "../showError.ts";
import { contextsIn, type SessionState } from "./sessionState.ts";
import { troubleOf } from "./watchState.ts";

/** The sentence above a tree that is behind, or may be by half a minute; empty where all is well. */
export function messageOf(state: SessionState): string {
  const trouble = troubleOf(state);
  if (trouble === undefined) return "";
  // Of several clusters, the sentence says which.
  const told = (context: string, words: string): string =>
    contextsIn(state).length > 1 ? `${context}: ${words}` : words;
  switch (trouble.kind) {
    case "failed":
      return told(trouble.context, explainClusterError(trouble.error));
    case "stale": {
      const since = new Date(trouble.since).toLocaleTimeString();
      const words = l10n.t("Stale since {0}: {1}", since, explainClusterError(trouble.error));
      return told(trouble.context, words);
    }
    case "polled":
      return l10n.t("Read twice a minute only: {0}", explainClusterError(trouble.error));
    case "missing":
      return l10n.t("The cluster of {0} has no namespace {1}", trouble.context, trouble.namespace);
    default:
      return assertNever(trouble);
  }
}
