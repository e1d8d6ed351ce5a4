import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Deletion } from "../../engine/deletePod.ts";

/** What came of a command for one item. */
export type Outcome =
  /** `words`: what is worth saying although all went well. */
  | { readonly kind: "done"; readonly words: string | undefined }
  | { readonly kind: "nothingToDo"; readonly words: string }
  /** Tried, and not done for a reason that is no answer of the cluster's. */
  | { readonly kind: "notDone"; readonly words: string }
  /** Its request was given up before the answer: it may have been done. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "failed"; readonly error: ClusterError };

export function outcomeOf(deletion: Deletion): Outcome {
  switch (deletion.kind) {
    case "deleted":
      return { kind: "done", words: undefined };
    case "alreadyGone":
      return { kind: "nothingToDo", words: l10n.t("gone already") };
    case "replaced":
      return { kind: "nothingToDo", words: l10n.t("replaced by another one of its name") };
    case "failed":
      return deletion;
    default:
      return assertNever(deletion);
  }
}

/** Of a request whose answer says no more than that it was done. */
export const outcomeOfRequest = (answer: Result<unknown, ClusterError>): Outcome =>
  answer.ok ? { kind: "done", words: undefined } : { kind: "failed", error: answer.error };

/** After one of these the other items of a command would fare no better. */
export const isHopeless = (outcome: Outcome): boolean =>
  outcome.kind === "failed" &&
  ["unauthorized", "configuration", "unreachable"].includes(outcome.error.kind);
