import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { explainClusterError } from "../showError.ts";
import { contextsIn, type SessionState } from "./sessionState.ts";
import { troubleOf } from "./watchState.ts";

/** The message above the tree if it is stale or polled; empty if it is live. */
export function watchMessageOf(state: SessionState): string {
  const trouble = troubleOf(state);
  if (trouble === undefined) return "";
  const withContext = (context: string, words: string): string =>
    contextsIn(state).length > 1 ? `${context}: ${words}` : words;
  switch (trouble.kind) {
    case "failed":
      return withContext(trouble.context, explainClusterError(trouble.error));
    case "stale": {
      const since = new Date(trouble.since).toLocaleTimeString();
      const words = l10n.t("Stale since {0}: {1}", since, explainClusterError(trouble.error));
      return withContext(trouble.context, words);
    }
    case "polled":
      return l10n.t("Refreshed every 30 s only: {0}", explainClusterError(trouble.error));
    case "missing":
      return l10n.t("Context {0} has no namespace {1}", trouble.context, trouble.namespace);
    default:
      return assertNever(trouble);
  }
}
