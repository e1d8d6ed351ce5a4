import { msg, verbatim, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { RunOutcome } from "./runOutcome.ts";

/**
 * Returns the outcome for a row with an icon. A view of 250 px shows about 20 characters, so the cause comes first, and
 * the icon shows that the run failed or was not submitted.
 */
export function rowWords(
  outcome: RunOutcome,
  exitCode: number | undefined,
  cause: unknown,
): Message {
  const hasCause = outcome === "failed" || outcome === "notSubmitted";
  if (hasCause && typeof cause === "string" && cause !== "")
    return verbatim(cause.slice(0, maxCause));
  return outcome === "failed" ? msg`exit code ${exitCode ?? 1}` : outcomeWords(outcome, exitCode);
}

const maxCause = 100;

export function outcomeWords(outcome: RunOutcome, exitCode: number | undefined): Message {
  switch (outcome) {
    case "submitted":
      return msg("submitted");
    case "succeeded":
      return msg("succeeded");
    case "stopped":
      return msg("stopped");
    case "notSubmitted":
      return msg("not submitted");
    case "detached":
      return msg("detached; still running");
    case "failed":
      return msg`failed: exit code ${exitCode ?? 1}`;
    default:
      return assertNever(outcome);
  }
}
