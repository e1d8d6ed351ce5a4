import { msg, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { RunOutcome } from "./runOutcome.ts";

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
