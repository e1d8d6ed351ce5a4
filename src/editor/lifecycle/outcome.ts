import { msg, type MessageText } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Deletion } from "../../engine/lifecycle/deletePod.ts";

/** The result of a command for one item. */
export type Outcome =
  /** `words`: a message to show despite success. */
  | { readonly kind: "done"; readonly words: MessageText | undefined }
  | { readonly kind: "nothingToDo"; readonly words: MessageText }
  /** The command failed without an error response of the cluster. */
  | { readonly kind: "notDone"; readonly words: MessageText }
  /** The deadline passed or the connection closed before the response, so the request may have been processed. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "failed"; readonly error: ClusterError };

export function outcomeOf(deletion: Deletion): Outcome {
  switch (deletion.kind) {
    case "deleted":
      return { kind: "done", words: undefined };
    case "alreadyGone":
      return { kind: "nothingToDo", words: msg("already deleted") };
    case "replaced":
      return { kind: "nothingToDo", words: msg("replaced by another object with the same name") };
    case "failed":
      return deletion;
    default:
      return assertNever(deletion);
  }
}

/** Returns the outcome of a request. Ignores the returned object. */
export const outcomeOfRequest = (answer: Result<unknown, ClusterError>): Outcome =>
  answer.ok ? { kind: "done", words: undefined } : { kind: "failed", error: answer.error };

/** True if the remaining items of the command would probably fail for the same reason. */
export const isHopeless = (outcome: Outcome): boolean =>
  outcome.kind === "failed" &&
  ["unauthorized", "configuration", "unreachable"].includes(outcome.error.kind);
