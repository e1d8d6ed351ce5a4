import { msg, verbatim, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { contextsIn, type SessionState } from "./sessionState.ts";
import { viewProblemOf } from "./watchState.ts";
import { timeOfDay } from "../../base/timeOfDay.ts";

/** Returns the message above the tree about the problem of a watch; undefined if there is none. */
export function watchMessageOf(
  state: SessionState,
  explain: (error: ClusterError) => string,
): Message | undefined {
  const trouble = viewProblemOf(state);
  if (trouble === undefined) return undefined;
  const withContext = (context: string, words: Message): Message =>
    contextsIn(state).length > 1 ? msg`${context}: ${words}` : words;
  switch (trouble.kind) {
    case "failed":
      return withContext(trouble.context, verbatim(explain(trouble.error)));
    case "stale": {
      const since = timeOfDay(trouble.since);
      return withContext(trouble.context, msg`Stale since ${since}: ${explain(trouble.error)}`);
    }
    case "polled":
      return msg`Refreshed only every 30 s: ${explain(trouble.error)}`;
    case "missing":
      return msg`Context "${trouble.context}" has no namespace "${trouble.namespace}". Use Choose Namespaces… to select others.`;
    default:
      return assertNever(trouble);
  }
}
